/** Filters of the list of requests, as the address holds them. */
import { isRequest, type Row } from './answers.ts'

/** A filter; an empty text matches everything. */
export interface Filter {
  readonly org: string
  readonly operation: string
  /**
   * Any of these, separated by commas: a status such as `404`, a class such as `4xx`, `lost`: no answer was sent,
   * `fault`: whatever a fault changed.
   */
  readonly status: string
  /** Words, each of which some shown text contains. */
  readonly text: string
  /** The id of a task. */
  readonly task?: string
  /** Mock time from which on, ISO 8601. */
  readonly since?: string
  /** Whether what operators did is left out, as it is by all of the above but the organization. */
  readonly requests?: boolean
}

/** Returns whether a row passes a filter. `also`: numbers whose bodies contain the text. */
export function matcherOf(
  { org, operation, status, text, task = '', since = '', requests = false }: Filter,
  also: ReadonlySet<number>,
): (row: Row) => boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const statuses = status.split(',')
  const all = !requests && `${operation}${status}${task}${since}${words}` === ''
  return (row) =>
    (all || isRequest(row.number)) &&
    (org === '' || row.org_id === org) &&
    (operation === '' || row.operation === operation) &&
    (status === '' || statuses.some((one) => hasStatus(row, one))) &&
    (task === '' || row.path.includes(task)) &&
    (since === '' || row.at >= since) &&
    (words.length === 0 || hasWords(row, words) || also.has(row.number))
}

function hasStatus(row: Row, status: string): boolean {
  if (status === 'fault') return row.reason !== null
  if (status === 'lost') return row.status === 0
  if (status.endsWith('xx')) return Math.floor(row.status / 100) === Number(status[0])
  return row.status === Number(status)
}

function hasWords(row: Row, words: readonly string[]): boolean {
  const { method, path, id, error, reason, operation, status } = row
  const text = `${method} ${path} ${status} ${operation} ${error} ${reason} ${id}`.toLowerCase()
  return words.every((word) => text.includes(word))
}
