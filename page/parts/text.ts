/** The written forms of values. */
import { parseJson } from '#traffic/json-bounds.ts'

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** A number as text: `1,234.5`. */
export const formatNumber = (value: number): string => numbers.format(value)

/** A change of credits as text: `+3`, `−1`. */
export const formatSignedNumber = (value: number): string =>
  value < 0 ? `−${formatNumber(-value)}` : `+${formatNumber(value)}`

/** A number of things as text: `1 request`, `2 requests`. */
export const countText = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`

/** A moment, ISO 8601 or ms since the epoch, as text: `2026-03-01 12:00:00`. */
export const formatMoment = (moment: string | number): string =>
  new Date(moment).toISOString().slice(0, 19).replace('T', ' ')

/** A duration, ms, as text: `250 ms`, `2.5 s`, `3 min`, `2 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${formatNumber(Math.round(ms / 100) / 10)} s`
  if (ms < 3_600_000) return `${formatNumber(Math.round(ms / 6_000) / 10)} min`
  return `${formatNumber(Math.round(ms / 360_000) / 10)} h`
}

/** Creates a function that returns true if a text contains every word of a search. */
export function createWordMatcher(words: string): (text: string) => boolean {
  const wanted = words.toLowerCase().split(/\s+/)
  return (text) => wanted.every((word) => text.toLowerCase().includes(word))
}

/** The path of a URL, with its query. */
export const pathOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]*/i, '')

/** Indents a JSON text for reading; any other text stays unchanged. */
export function prettyJson(text: string): string {
  const json = parseJson(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}
