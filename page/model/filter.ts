/** Filters of the list of requests, as the address holds them. */
import type { Row } from './answers.ts'

/** A filter; an empty text matches everything. */
export interface Filter {
  readonly org: string
  readonly operation: string
  /** A status such as `404`, a class such as `4xx`, or `fault`: whatever a fault changed. */
  readonly status: string
  /** Words, each of which some shown text contains. */
  readonly text: string
}

/** Returns whether a row passes a filter. `also`: numbers whose bodies contain the text. */
export function matcherOf(
  { org, operation, status, text }: Filter,
  also: ReadonlySet<number>,
): (row: Row) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return (row) =>
    (org === '' || row.org_id === org) &&
    (operation === '' || row.operation === operation) &&
    (status === '' || hasStatus(row, status)) &&
    (words.length === 0 || hasWords(row, words) || also.has(row.number))
}

function hasStatus(row: Row, status: string): boolean {
  if (status === 'fault') return row.reason !== null
  if (status.endsWith('xx')) return Math.floor(row.status / 100) === Number(status[0])
  return row.status === Number(status)
}

function hasWords(row: Row, words: readonly string[]): boolean {
  const { method, path, id, error, reason, operation, status } = row
  const text = `${method} ${path} ${status} ${operation} ${error} ${reason} ${id}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
