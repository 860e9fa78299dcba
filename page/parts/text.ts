/** How values are written. */
import { parsed } from '#traffic/json-bounds.ts'

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** Writes a number: `1,234.5`. */
export const amount = (value: number): string => numbers.format(value)

/** Writes a change of credits: `+3`, `−1`. */
export const signedAmount = (value: number): string =>
  value < 0 ? `−${amount(-value)}` : `+${amount(value)}`

/** Writes a number of things: `1 request`, `2 requests`. */
export const countText = (value: number, one: string, many = `${one}s`): string =>
  `${amount(value)} ${value === 1 ? one : many}`

/** Writes a moment, ISO 8601 or ms since the epoch: `2026-03-01 12:00:00`. */
export const momentOf = (moment: string | number): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** Writes a duration, ms: `250 ms`, `2.5 s`, `3 min`, `2 h`. */
export function durationOf(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${amount(Math.round(ms / 100) / 10)} s`
  if (ms < 3_600_000) return `${amount(Math.round(ms / 6_000) / 10)} min`
  return `${amount(Math.round(ms / 360_000) / 10)} h`
}

/** Returns whether a text contains every word of a search. */
export function searchFor(words: string): (text: string) => boolean {
  const wanted = words.toLowerCase().split(/\s+/)
  return (text) => wanted.every((word) => text.toLowerCase().includes(word))
}

/** Returns the path of a URL, with its query. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '')

/** Writes JSON for reading; any other text stays as it is. */
export function prettyOf(text: string): string {
  const json = parsed(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}
