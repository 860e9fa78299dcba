/** The formats of a report, and their media types. */
export const mediaTypes = {
  json: 'application/json',
  junit: 'application/xml',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const

/** A format of reports. */
export type Format = keyof typeof mediaTypes

export const formats = Object.keys(mediaTypes) as [Format, ...Format[]]
