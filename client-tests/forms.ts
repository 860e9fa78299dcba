/** The forms in which a card is told, and their media types. */
export const forms = {
  json: 'application/json',
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  junit: 'application/xml',
} as const

export type FormName = keyof typeof forms

export const formNames = Object.keys(forms) as [FormName, ...FormName[]]
