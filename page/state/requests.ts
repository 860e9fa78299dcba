/** The log of requests as a signal, which changes at most once a frame; older requests, those that the stream did not bring; and the details of the organization. */
import { computed, signal } from '@preact/signals-core'
import type { Row, State } from '../model/fault-rule.ts'
import { capacity, createLog } from '../model/request-log.ts'
import { address, open, param, stampOf, without } from './address.ts'
import { control, Refusal } from './calls.ts'
import { keepLoaded, longRest, nextFrame } from './changes.ts'
import { attempt } from './notices.ts'
import { organization } from './overview.ts'

/** The log. Read `version` to be told of changes. */
export const log = createLog()
/** Grows with each change of the log. */
export const version = signal(0)
/** Requests that were too many for the stream and are not loaded yet; the mock has them. */
export const skipped = signal(0)
/** Number of the newest request before the first that was skipped. */
let skippedAfter = Number.POSITIVE_INFINITY
/** Requests a second, over the last two seconds. */
export const rate = signal(0)
/** How many requests the mock has counted. */
export const total = signal(0)

/** The number of the newest request when the rate was last taken; at first that of the first count. */
let before = Number.POSITIVE_INFINITY

/** Takes the number of the newest request of the mock. */
export function countAll(newest: number): void {
  before = Math.min(before, newest)
  total.value = newest
}

const changed = () => {
  version.value++
}

/** Adds rows; the page shows them with the next frame. */
export function addRows(rows: readonly Row[]): void {
  for (const row of rows) log.add(row)
  nextFrame(changed)
}

/** Notes requests of which no row came because they were too many. */
export function skip(count: number): void {
  skippedAfter = Math.min(skippedAfter, log.newest)
  skipped.value += count
}

export function merge(rows: readonly Row[]): void {
  log.merge(rows)
  nextFrame(changed)
}

/** Forgets all rows, as after a reset of the journal. */
export function clearRows(): void {
  log.clear()
  skippedAfter = Number.POSITIVE_INFINITY
  skipped.value = 0
  nextFrame(changed)
}

setInterval(() => {
  const now = total.peek()
  rate.value = Math.max(0, Math.round((now - before) / 2))
  before = Math.max(before, now)
}, 2_000)

/** The details; undefined: not loaded yet, or there is no organization. */
export const details = signal<(State & { readonly org_id: string }) | undefined>(undefined)
/** Why they cannot be shown; undefined: they can. */
export const unavailable = signal<string | undefined>(undefined)
/** The number of the request after which the page shows the organization; empty: now. */
export const moment = computed(() => param('at'))

const chosen = computed(() => organization.value?.org_id)

const shown = computed(() => moment.value !== '' || !without.has(address.value.view))

/** Where nothing of it is shown, it stays as it is. */
async function load() {
  const org_id = chosen.value
  if (!shown.value || !org_id) return details.peek()
  const query = { org_id, at: moment.value }
  return { org_id, ...(await control('GET /organization', { query })) }
}

/** Keeps the details loaded until the page is closed. */
export const keepDetails = (): (() => void) =>
  keepLoaded(
    load,
    (loaded, error) => {
      // The connection shows that nothing answers; the next change loads again.
      if (error && !(error instanceof Refusal)) return
      unavailable.value = (error as Refusal | undefined)?.message
      if (!error) details.value = loaded
    },
    { key: () => `${chosen.value} ${moment.value} ${shown.value}`, rest: longRest },
  )

/** Makes a control call for the organization, and loads what it changed. Returns whether it succeeded. */
export const act = (what: string, route: string, body: object = {}, done?: string): Promise<boolean> =>
  attempt(what, () => control(route, { body: { org_id: organization.peek()?.org_id, ...body } }), done)

/** Sets up or tears down a provider state of an organization. @throws Refusal */
export const setState = (org_id: string | undefined, state: string, on: boolean, params: object = {}) =>
  control('POST /states', {
    body: { state, params: { org_id, ...params }, action: on ? 'setup' : 'teardown' },
  })

/** The same of the organization that is shown. */
export const arrange = (state: string, on: boolean, params?: object): Promise<boolean> =>
  attempt(`State ${state}`, () => setState(organization.peek()?.org_id, state, on, params))

/** How many rows are loaded at once. */
const page = 5_000

let loading = false

/** Loads every older request that the mock still has, the newest first. */
export async function loadHistory(): Promise<void> {
  if (loading) return
  loading = true
  await attempt('Load older requests', () => loadBack(log.oldest > 0 ? log.oldest - 1 : undefined))
  loading = false
}

/** Loads the requests that were too many for the stream; those that the journal has dropped meanwhile are missing. */
export async function loadSkipped(): Promise<void> {
  const [count, after] = [skipped.peek(), skippedAfter]
  skippedAfter = Number.POSITIVE_INFINITY
  await attempt('Load skipped requests', () => loadBack(undefined, after))
  skipped.value = Math.max(0, skipped.peek() - count)
}

/** Loads requests from one number back to another, as far as the mock and the list have them. */
async function loadBack(until: number | undefined, from = 0): Promise<void> {
  for (let last = until; last === undefined || last > from; ) {
    const { requests } = await control('GET /requests/rows', {
      query: { until: last, limit: page },
    })
    merge(requests)
    const [oldest] = requests
    if (!oldest || log.rows.length >= capacity) return
    last = oldest.number - 1
  }
}

/** Returns the requests whose texts, bodies included, contain a text; the newest `page`. */
export async function findRows(text: string): Promise<readonly Row[]> {
  const { requests } = await control('GET /requests/rows', { query: { text, limit: page } })
  return requests
}

/** Opens the request with an id that was sent at a moment of mock time; otherwise says that it is not here. */
export const openEvidence = (id: string, at: string): Promise<boolean> =>
  attempt(id, async () => {
    const row = (await findRows(id)).find((one) => one.id === id && one.at === at)
    if (!row) throw new Error('not in this mock; its requests are in the mock that the report is about')
    open('requests', { n: row.number, t: stampOf(row.at), until: row.number })
  })
