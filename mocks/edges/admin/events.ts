/**
 * `/__admin/events` and `/stream`: requests, events and what a page shows, as Server-Sent Events. Nothing is collected
 * for a page: the journal is read when a message is due, so that requests cost the same with and without a page.
 */
import type { z } from 'zod'
import { viewOverview } from '../../control/overview.ts'
import type { OrganizationEvent } from '../../core/changes.ts'
import { type RequestView, requestRowOf } from '../../journal/view.ts'
import type { MockParts } from '../../pipeline/service.ts'
import { viewEvent } from './mock.ts'
import { journalReaderOf } from './requests.ts'
import { type ControlCall, declareControlRoute, querySchemaWithOrgId, requestNumberSchema } from './route.ts'

/** Maximum number of requests in a message, which bounds what a watched mock spends on them. */
const mostRows = 250
/** Number of requests that are sent if there are more than `mostRows`: the newest, which a screen shows. */
const rowsOfMany = 60
/** Number of requests that a page begins with. */
const firstRows = 200
/** Interval at which due events are applied, and between messages of the live stream, real ms. */
const tick = 100
/** Interval of keep-alive comments, real ms. */
const heartbeat = 15_000
/** Maximum of text that a reader may leave unread before its stream is closed, bytes. */
const mostUnread = 4_000_000
/** Interval at which the overview is checked for changes, in ticks. */
const overviewTicks = 3
/** Interval of heartbeats, in ticks, so that a page notices within two seconds that the stream has broken off. */
const heartbeatTicks = 10

const query = querySchemaWithOrgId({
  since: requestNumberSchema.describe('Start after the request with this number.'),
})

type StreamCall = ControlCall<unknown, z.output<typeof query>>

/** Declares a route that sends texts until its reader cancels, each once the reader has read those before. */
const stream = <const What extends `GET /${string}`>(
  what: What,
  summary: string,
  textsOf: (call: StreamCall) => AsyncGenerator<string, void, void>,
) =>
  declareControlRoute(what, {
    summary,
    query,
    type: 'text/event-stream',
    run(call) {
      const texts = textsOf(call)
      const utf8 = new TextEncoder()
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
        const { value } = await texts.next()
        if (value === undefined) controller.close()
        else controller.enqueue(utf8.encode(value))
      }
      // Starts at once, so that nothing is missed from now on.
      const body = new ReadableStream({ start: pull, pull, cancel: () => void texts.return() })
      const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' }
      return new Response(body, { headers })
    },
  })

/** The control routes that stream events to clients, as Server-Sent Events. */
export const eventRoutes = [
  stream(
    'GET /events',
    'Stream events: `request` for each request, and `run_started`, `run_ended`, `credit_reserved` and so on for its effects and those of time. A client that reconnects with `Last-Event-ID` receives the requests it missed; `restarted` comes first if numbers have begun again meanwhile. One that leaves 4 MB unread is told `behind`, and its stream ends.',
    eventsOf,
  ),
  stream(
    'GET /stream',
    'Stream what a page shows, at most ten messages a second: `hello`, `requests` (one line each), `overview` (what changed), `actions` (what operators did, each with a number between those of two requests), `gap` (requests that the journal no longer has), `restarted` (numbers begin again) and `here` (every second). A client that reconnects with `Last-Event-ID` continues there.',
    pageOf,
  ),
]

const here = ': here\n\n'

async function* eventsOf(call: StreamCall): AsyncGenerator<string, void, void> {
  const { service, org } = call
  const { since, restarted } = startOf(call)
  const reader = journalReaderOf(call)
  /** Looked up each time, since a reset recreates organizations. */
  const organizations = () => (org ? [service.tenants.byId(org.id) ?? org] : service.tenants.organizations())
  const requestFrame = (view: RequestView) => frame('request', view, eventId(service, view.number))
  const from = restarted ? 0 : since
  const missed = from === undefined ? [] : reader.each({ since: { number: from } })
  /** Events since the last text was read. */
  let later: string[] = []
  let unread = 0
  let wake = () => {}
  const send = (text: string) => {
    if (unread <= mostUnread) later.push(text)
    unread += text.length
    wake()
  }
  const unfollow = reader.follow({}, (view) => send(requestFrame(view)))
  const sendEvent = (event: OrganizationEvent) => {
    if (!org || event.org_id === org.id) send(frame(event.type, viewEvent(event)))
  }
  service.listeners.add(sendEvent)
  const timers = [setInterval(() => wake(), tick), setInterval(() => send(here), heartbeat)]
  try {
    yield here
    if (restarted) yield frame('restarted', {})
    for (const view of missed) yield requestFrame(view)
    while (unread <= mostUnread) {
      for (const one of organizations()) one.settled()
      const text = later.join('')
      later = []
      unread = 0
      if (text !== '') yield text
      else
        await new Promise<void>((resolve) => {
          wake = resolve
        })
    }
    yield later.join('')
    yield frame('behind', { resume: 'Connect again with Last-Event-ID.' })
  } finally {
    unfollow()
    service.listeners.delete(sendEvent)
    for (const timer of timers) clearInterval(timer)
  }
}

function frame(type: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

/** Follows the journal and the organizations of a mock for a page. */
async function* pageOf(call: StreamCall): AsyncGenerator<string, void, void> {
  const { service, org } = call
  const { journal, tenants } = service
  const { since, restarted } = startOf(call)
  /** Looked up each time, since a reset recreates organizations. */
  const organization = () => org && (service.tenants.byId(org.id) ?? org)
  const firstNumber = () => Math.max(journal.oldest - 1, journal.newest - firstRows)
  let { generation } = journal
  /** Number of the newest request that was sent to the page. */
  let told = since ?? firstNumber()
  /** Number of the newest operator action that was sent to the page. */
  let acted = 0
  const shown = new Map<string, string>()
  const text = (event: 'hello' | 'requests' | 'gap' | 'restarted' | 'overview' | 'actions', data: object) =>
    frame(event, data, eventId(service, told))
  const own = <Entry extends { readonly org_id: string | null }>(entries: readonly Entry[]) => {
    const only = organization()
    return only ? entries.filter(({ org_id }) => org_id === only.id) : entries
  }
  /** Returns whether a view differs from the one last sent; the time of a running clock does not count. */
  const differs = (id: string, view: object, frozen: boolean): boolean => {
    const json = JSON.stringify(view, (name, value) => (name === 'now' && !frozen ? undefined : value))
    if (shown.get(id) === json) return false
    shown.set(id, json)
    return true
  }
  /** Yields what happened to the journal since the last call. */
  function* requests(): Generator<string> {
    const { oldest, newest } = journal
    if (journal.generation !== generation || told > newest) {
      generation = journal.generation
      told = firstNumber()
      acted = 0
      yield text('restarted', {})
    }
    const actions = own(journal.actions.filter(({ number }) => number > acted))
    acted = journal.actions.at(-1)?.number ?? 0
    if (actions.length > 0) yield text('actions', { actions })
    if (newest === told) return
    if (oldest > told + 1) yield text('gap', { from: told + 1, to: oldest - 1 })
    const found = own(journal.after(told))
    told = newest
    if (found.length === 0) return
    const rows = found.length > mostRows ? found.slice(-rowsOfMany) : found
    const requests = rows.map((entry) => requestRowOf(entry, tenants.secrets))
    const skipped = found.length - requests.length
    yield text('requests', { requests, skipped, count: found.length, oldest, newest })
  }
  /** Yields the mock and those organizations that look different than at the last call; nothing: none does. */
  function* overview(): Generator<string> {
    const { mock, organizations } = viewOverview(service, organization())
    const existing = organizations.map(({ org_id }) => org_id)
    // The page forgets those that are gone, and may see them again, restored as they were.
    const gone = new Set(shown.keys()).difference(new Set(['', ...existing]))
    for (const id of gone) shown.delete(id)
    const changed = organizations.filter((one) => differs(one.org_id, one, one.clock.frozen))
    if (differs('', mock, mock.frozen) || changed.length > 0)
      yield text('overview', { mock, organizations: changed, existing })
  }
  const { oldest, newest, size } = journal
  yield text('hello', { oldest, newest, journal_size: size })
  if (restarted) yield text('restarted', {})
  yield* overview()
  // Collected at once, so that all are of one moment.
  yield* [...requests()]
  for (let ticks = 1; ; ticks++) {
    await new Promise((resolve) => setTimeout(resolve, tick))
    if (ticks % heartbeatTicks === 0) yield frame('here', {})
    yield* [...requests()]
    if (ticks % overviewTicks === 0) yield* overview()
  }
}

/** Identifies this process, since another process numbers other requests. */
const life = crypto.getRandomValues(new Uint32Array(1)).join('')

/** Returns the id of an event. `number`: the number of the newest request that was sent. */
function eventId({ journal }: MockParts, number: number): string {
  return `${life}.${journal.restarts}-${number}`
}

/**
 * The place at which a reader starts, by `Last-Event-ID` or else by the number in the query. `since`: number of the
 * newest request that it has; undefined if it starts now. `restarted`: true if the numbers that it has mean other
 * requests.
 */
function startOf({ service, request, query }: StreamCall) {
  const last = request.header('last-event-id')
  const { since } = query
  if (!last) return { since, restarted: false }
  const number = Number(last.slice(last.lastIndexOf('-') + 1))
  const restarted = last !== eventId(service, number)
  return { since: restarted ? undefined : number, restarted }
}
