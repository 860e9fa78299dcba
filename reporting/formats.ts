/** The media type of each format of a report. */
export const mediaTypeByFormat = {
  json: 'application/json',
  junit: 'application/xml',
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  text: 'text/plain; charset=utf-8',
} as const

/** A format of reports. */
export type ReportFormat = keyof typeof mediaTypeByFormat

/** The names of all formats of reports. */
export const reportFormats = Object.keys(mediaTypeByFormat) as [ReportFormat, ...ReportFormat[]]
