/** The requests that the page has seen: the newest, without details, and those that pass the filter. */
import { createWordSearch } from '../parts/text.ts'
import { isRequestRow, type LogRow } from './fault-rule.ts'

/** The most requests that the page keeps. */
export const maxLogRows = 100_000
/** How many rows are dropped together, so that dropping is rare. */
const dropped = 5_000

const none: ReadonlySet<number> = new Set()

/** The list of requests on the page. Adding and reading a row takes the same time however many there are. */
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
      return log.rows.findLast(({ number }) => isRequestRow(number))?.number ?? 0
    },
    /** The number of the oldest request; 0: none. */
    get oldest(): number {
      return log.rows.find(({ number }) => isRequestRow(number))?.number ?? 0
    },
    /** How many requests between the oldest and the newest it does not have. */
    get missing(): number {
      const known = countRequestRows(log.rows)
      return known && log.newestRequest - log.oldest + 1 - known
    },
    /**
     * Adds a request. One that is already there, as after a lost connection, is ignored. What an operator did right
     * after it may have arrived before it.
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
    /** Adds older rows, in any order; those that are there stay. */
    merge(rows: readonly LogRow[]): void {
      const known = new Set(log.rows.map(({ number }) => number))
      const all = [...log.rows, ...rows.filter(({ number }) => !known.has(number))]
      log.rows = all.sort((a, b) => a.number - b.number).slice(-maxLogRows)
      log.found = log.rows.filter(matches)
    },
    /** Sets the filter. `also`: numbers of requests that pass because of what the list does not show. */
    filter(filter: RequestFilter, also: ReadonlySet<number> = none): void {
      const text = JSON.stringify(filter)
      if (text === filtered && also === others) return
      ;[filtered, others, matches] = [text, also, matcherOf(filter, also)]
      log.found = log.rows.filter(matches)
    },
    get: (number: number): LogRow | undefined => log.rows[placeOf(log.rows, number)],
    /** Returns how many of those found are not newer than a number. */
    countUntil: (number: number): number => afterOf(log.found, number),
    /** Returns the place of a request among those found; -1: it is not there. */
    placeOf: (number: number): number => placeOf(log.found, number),
    clear(): void {
      log.rows = []
      log.found = []
    },
  }
  return log
}

/** The number of rows that are requests, and not actions of operators. */
export const countRequestRows = (rows: readonly LogRow[]): number =>
  rows.reduce((sum, { number }) => (isRequestRow(number) ? sum + 1 : sum), 0)

/** Binary search: how many rows are not newer than a number. Numbers ascend. */
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
   * Any of these, separated by commas: a status such as `404`, a class such as `4xx`, `lost`: no answer was sent,
   * `fault`: whatever a fault changed.
   */
  readonly status: string
  /** Words, each of which some shown text contains. */
  readonly text: string
  readonly task?: string
  /** True if what operators did is left out, as it is by all of the above but the organization. */
  readonly requests?: boolean
}

/** Returns whether a row passes a filter. `also`: numbers whose bodies contain the text. */
function matcherOf(
  { org, operation, status, text, task = '', requests = false }: RequestFilter,
  also: ReadonlySet<number>,
): (row: LogRow) => boolean {
  const isFound = createWordSearch(text)
  const statuses = status.split(',')
  const all = !requests && `${operation}${status}${task}${text}` === ''
  return (row) =>
    (all || isRequestRow(row.number)) &&
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
