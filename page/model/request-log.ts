/** The requests that the page has seen: the newest, without details, and those that pass the filter. */
import { createWordMatcher } from '../parts/text.ts'
import { isRequestNumber, type LogRow } from './fault-rule.ts'

/** The maximum number of requests that the page keeps. */
export const maxLogRows = 100_000
/** The number of rows dropped at once, so that dropping is rare. */
const dropped = 5_000

const none: ReadonlySet<number> = new Set()

/** The list of requests on the page. Adding and reading a row takes the same time for any number of rows. */
export type RequestLog = ReturnType<typeof createRequestLog>

/** Creates the list of requests, which grows while the page is open. */
export function createRequestLog() {
  let matches: (row: LogRow) => boolean = () => true
  let filtered = ''
  let others: ReadonlySet<number> = none
  const log = {
    /** Oldest first. */
    rows: [] as LogRow[],
    /** Rows that pass the filter, oldest first. */
    found: [] as LogRow[],
    /** The number of the newest row; 0: none. */
    get newest(): number {
      return log.rows.at(-1)?.number ?? 0
    },
    /** The number of the newest request; 0: none. */
    get newestRequest(): number {
      return log.rows.findLast(({ number }) => isRequestNumber(number))?.number ?? 0
    },
    /** The number of the oldest request; 0: none. */
    get oldest(): number {
      return log.rows.find(({ number }) => isRequestNumber(number))?.number ?? 0
    },
    /** The number of requests between the oldest and the newest that the list lacks. */
    get missing(): number {
      const known = countRequestRows(log.rows)
      return known && log.newestRequest - log.oldest + 1 - known
    },
    /**
     * Adds a request, unless the list has it already, as after a lost connection. An action of an operator that
     * followed the request may be there before it.
     */
    add(row: LogRow): void {
      if (row.number <= log.newestRequest) return
      log.rows.splice(afterOf(log.rows, row.number), 0, row)
      if (matches(row)) log.found.splice(afterOf(log.found, row.number), 0, row)
      if (log.rows.length <= maxLogRows) return
      log.rows.splice(0, dropped)
      const oldest = log.rows[0]?.number ?? 0
      const place = log.found.findIndex(({ number }) => number >= oldest)
      log.found.splice(0, place < 0 ? log.found.length : place)
    },
    /** Adds older rows, in any order; rows that the list has already stay. */
    merge(rows: readonly LogRow[]): void {
      const known = new Set(log.rows.map(({ number }) => number))
      const all = [...log.rows, ...rows.filter(({ number }) => !known.has(number))]
      log.rows = all.sort((a, b) => a.number - b.number).slice(-maxLogRows)
      log.found = log.rows.filter(matches)
    },
    /**
     * Sets the filter. `also`: numbers of requests that pass it because of their bodies, which the list does not have.
     */
    filter(filter: RequestFilter, also: ReadonlySet<number> = none): void {
      const text = JSON.stringify(filter)
      if (text === filtered && also === others) return
      ;[filtered, others, matches] = [text, also, matcherOf(filter, also)]
      log.found = log.rows.filter(matches)
    },
    get: (number: number): LogRow | undefined => log.rows[placeOf(log.rows, number)],
    /** Returns how many of the found rows have at most a number. */
    countUntil: (number: number): number => afterOf(log.found, number),
    /** Returns the index of a request among the found rows; -1: it is not there. */
    placeOf: (number: number): number => placeOf(log.found, number),
    clear(): void {
      log.rows = []
      log.found = []
    },
  }
  return log
}

/** Counts the rows that are requests, and not operators' actions. */
export const countRequestRows = (rows: readonly LogRow[]): number =>
  rows.reduce((sum, { number }) => (isRequestNumber(number) ? sum + 1 : sum), 0)

/** The number of rows whose number is at most a given one, by binary search: their numbers ascend. */
function afterOf(rows: readonly LogRow[], number: number): number {
  let [low, high] = [0, rows.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((rows[middle]?.number ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return low
}

function placeOf(rows: readonly LogRow[], number: number): number {
  const place = afterOf(rows, number) - 1
  return rows[place]?.number === number ? place : -1
}

/** A filter of the list of requests; an empty text matches everything. */
export interface RequestFilter {
  readonly org: string
  readonly operation: string
  /**
   * The accepted results, separated by commas: a status such as `404`, a class such as `4xx`, `lost` (no answer was
   * sent), or `fault` (a fault changed the answer).
   */
  readonly status: string
  /** Words that must all occur in the texts of a row. */
  readonly text: string
  readonly task?: string
  /** True to leave out operators' actions. Every filter above, except that of the organization, leaves them out too. */
  readonly requests?: boolean
}

/** Returns whether a row passes a filter. `also`: numbers whose bodies contain the text. */
function matcherOf(
  { org, operation, status, text, task = '', requests = false }: RequestFilter,
  also: ReadonlySet<number>,
): (row: LogRow) => boolean {
  const isFound = createWordMatcher(text)
  const statuses = status.split(',')
  const all = !requests && `${operation}${status}${task}${text}` === ''
  return (row) =>
    (all || isRequestNumber(row.number)) &&
    (org === '' || row.org_id === org) &&
    (operation === '' || row.operation === operation) &&
    (status === '' || statuses.some((one) => hasStatus(row, one))) &&
    (task === '' || row.path.includes(task)) &&
    (text === '' || isFound(textOf(row)) || also.has(row.number))
}

function hasStatus(row: LogRow, status: string): boolean {
  if (status === 'fault') return row.reason !== null
  if (status === 'lost') return row.status === 0
  if (status.endsWith('xx')) return Math.floor(row.status / 100) === Number(status[0])
  return row.status === Number(status)
}

const textOf = ({ method, path, id, error, reason, operation, status }: LogRow) =>
  `${method} ${path} ${status} ${operation} ${error} ${reason} ${id}`
