/**
 * The log of requests as a signal, updated at most once a frame; the loading of older and skipped requests; and the
 * state of the organization.
 */
import { computed, signal } from '@preact/signals-core'
import type { LogRow } from '../model/fault-rule.ts'
import type { OrganizationState } from '../model/organization.ts'
import { createRequestLog, maxLogRows } from '../model/request-log.ts'
import {
  addressParam,
  openView,
  parsedAddress,
  shortRequestTimeOf,
  viewsWithoutOrganization,
} from './address.ts'
import { callControlRoute, RefusedCallError } from './calls.ts'
import { heavyReloadPauseFactor, keepLoaded, runBeforeNextPaint } from './changes.ts'
import { runWithNotice } from './notices.ts'
import { shownOrganization } from './overview.ts'

/** The list of requests on the page. Read `logVersion` as well, so as to redraw when the list changes. */
export const requestLog = createRequestLog()
/** A signal that grows with each change of the list of requests. */
export const logVersion = signal(0)
/**
 * The number of requests that the stream of events left out, because they were too many, and that are not loaded from
 * the mock yet.
 */
export const skippedRequestCount = signal(0)
/** Number of the newest request before the first skipped one. */
let skippedAfter = Number.POSITIVE_INFINITY
/** The number of requests per second, averaged over the last two seconds. */
export const requestRate = signal(0)
/** The number of requests that the mock has received in all. */
export const requestTotal = signal(0)

/** The total of requests when the rate was last calculated; at first, when the page learned it. */
let before = Number.POSITIVE_INFINITY

/** Updates `requestTotal` from the number of the newest request, which equals it. */
export function noteRequestTotal(newest: number): void {
  before = Math.min(before, newest)
  requestTotal.value = newest
}

const changed = () => {
  logVersion.value++
}

/** Adds new rows to the list of requests; the page shows them with the next frame. */
export function addNewRows(rows: readonly LogRow[]): void {
  for (const row of rows) requestLog.add(row)
  runBeforeNextPaint(changed)
}

/** Adds to the number of requests that the stream of events has left out because they were too many. */
export function noteSkippedRequests(count: number): void {
  skippedAfter = Math.min(skippedAfter, requestLog.newestRequest)
  skippedRequestCount.value += count
}

/** Inserts older rows into the list of requests, by their numbers; the page shows them with the next frame. */
export function addOlderRows(rows: readonly LogRow[]): void {
  requestLog.merge(rows)
  runBeforeNextPaint(changed)
}

/** Removes all rows from the list of requests, as after a reset of the journal. */
export function clearRequestLog(): void {
  requestLog.clear()
  skippedAfter = Number.POSITIVE_INFINITY
  skippedRequestCount.value = 0
  runBeforeNextPaint(changed)
}

setInterval(() => {
  const now = requestTotal.peek()
  requestRate.value = Math.max(0, Math.round((now - before) / 2))
  before = Math.max(before, now)
}, 2_000)

/**
 * The state of the shown organization at the moment that the page shows; undefined: not loaded yet, or there is no
 * organization.
 */
export const loadedOrganizationState = signal<(OrganizationState & { readonly org_id: string }) | undefined>(
  undefined,
)
/** The reason why the state of the shown organization cannot be loaded; undefined if it can be. */
export const stateLoadProblem = signal<string | undefined>(undefined)
/**
 * The moment whose state the page shows, as the address writes it: a request's number for right after it, the same with
 * a minus for right before it, empty for now.
 */
export const shownMoment = computed(() => addressParam('at'))

/** Converts a moment to query parameters of control calls; default: the moment that the page shows. */
export function momentQueryOf(at = Number(shownMoment.peek())): { at?: number; before?: number } {
  return at < 0 ? { before: -at } : at > 0 ? { at } : {}
}

const chosen = computed(() => shownOrganization.value?.org_id)

const shown = computed(
  () => shownMoment.value !== '' || !viewsWithoutOrganization.has(parsedAddress.value.view),
)

/** Loads the state of the organization at the shown moment; in a view that shows none of it, keeps what is loaded. */
async function load() {
  const org_id = chosen.value
  if (!shown.value || !org_id) return loadedOrganizationState.peek()
  const query = { org_id, ...momentQueryOf(Number(shownMoment.value)) }
  return { org_id, ...(await callControlRoute('GET /organization', { query })) }
}

/** Keeps the state of the shown organization loaded until the page is closed. */
export const keepStateLoaded = (): (() => void) =>
  keepLoaded(
    load,
    (loaded, error) => {
      // The connection shows that nothing answers; the next change loads again.
      if (error && !(error instanceof RefusedCallError)) return
      stateLoadProblem.value = (error as RefusedCallError | undefined)?.message
      if (!error) loadedOrganizationState.value = loaded
    },
    { key: () => `${chosen.value} ${shownMoment.value} ${shown.value}`, rest: heavyReloadPauseFactor },
  )

/**
 * Makes a control call for the shown organization, and then reloads what the page shows. Returns whether it succeeded.
 */
export const callControlForShownOrganization = (
  what: string,
  route: string,
  body: object = {},
  done?: string,
): Promise<boolean> =>
  runWithNotice(
    what,
    () => callControlRoute(route, { body: { org_id: shownOrganization.peek()?.org_id, ...body } }),
    done,
  )

/** Takes all credits of an organization; returns a function that adds as many again, and leaves later changes alone. */
export async function takeAllCreditsWithUndo(org_id: string | undefined) {
  const { credits_before } = await callControlRoute('POST /credits', { body: { org_id, set: 0 } })
  return () => callControlRoute('POST /credits', { body: { org_id, add: credits_before } })
}

/** Sets up or tears down a provider state of an organization. @throws RefusedCallError if the mock refuses it. */
export const setProviderState = (
  org_id: string | undefined,
  state: string,
  on: boolean,
  params: object = {},
) =>
  callControlRoute('POST /states', {
    body: { state, params: { org_id, ...params }, action: on ? 'setup' : 'teardown' },
  })

/** Sets up or tears down a provider state of the organization that is shown. */
export const setShownOrganizationProviderState = (
  state: string,
  on: boolean,
  params?: object,
): Promise<boolean> =>
  runWithNotice(`State ${state}`, () => setProviderState(shownOrganization.peek()?.org_id, state, on, params))

/** The number of rows that are loaded at once. */
const page = 5_000

let loading = false

/** Loads every older request that the mock still has, the newest first. */
export async function loadOlderRequests(): Promise<void> {
  if (loading) return
  loading = true
  await runWithNotice('Load older requests', () =>
    loadBack(requestLog.oldest > 0 ? requestLog.oldest - 1 : undefined),
  )
  loading = false
}

/** Loads the requests that the stream of events left out, if the journal still has them. */
export async function loadSkippedRequests(): Promise<void> {
  const [count, after] = [skippedRequestCount.peek(), skippedAfter]
  skippedAfter = Number.POSITIVE_INFINITY
  await runWithNotice('Load skipped requests', () => loadBack(undefined, after))
  skippedRequestCount.value = Math.max(0, skippedRequestCount.peek() - count)
}

/** Loads the rows of requests from number `until` back to `from`, while the mock has them and the list has room. */
async function loadBack(until: number | undefined, from = 0): Promise<void> {
  for (let last = until; last === undefined || last > from; ) {
    const { requests } = await callControlRoute('GET /requests/rows', {
      query: { until: last, limit: page },
    })
    addOlderRows(requests)
    const [oldest] = requests
    if (!oldest || requestLog.rows.length >= maxLogRows) return
    last = oldest.number - 1
  }
}

/** Finds the newest requests that contain a text, in their bodies too; at most as many as one load of the list. */
export async function searchRequests(text: string): Promise<readonly LogRow[]> {
  const { requests } = await callControlRoute('GET /requests/rows', { query: { text, limit: page } })
  return requests
}

/**
 * Opens the request that a report cites, by its id and its time on the clock of the mock; if the mock does not have it,
 * shows a notice.
 */
export const openEvidenceRequest = (id: string, at: string): Promise<boolean> =>
  runWithNotice(id, async () => {
    const row = (await searchRequests(id)).find((one) => one.id === id && one.at === at)
    if (!row) throw new Error('not in this mock; its requests are in the mock that the report is about')
    openView('requests', { n: row.number, t: shortRequestTimeOf(row.at), until: row.number })
  })
