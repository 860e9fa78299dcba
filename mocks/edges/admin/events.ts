/**
 * `/__admin/events` and `/stream`: requests, events and what a page shows, as Server-Sent Events. Nothing is collected
 * while a page waits: the journal is read when it is told, so that requests cost the same with and without it.
 */
import { z } from 'zod'
import { viewOverview } from '../../control/overview.ts'
import type { OrganizationEvent } from '../../core/changes.ts'
import type { Organization } from '../../core/organization.ts'
import { type RequestView, rowOf } from '../../journal/view.ts'
import type { Service } from '../../pipeline/service.ts'
import { viewEvent } from './mock.ts'
import { readerOf } from './requests.ts'
import { type ControlCall, control, queryOf } from './route.ts'

/** One message. */
interface Frame {
  readonly event: 'hello' | 'requests' | 'gap' | 'restarted' | 'overview' | 'actions'
  readonly data: object
}

/** The most requests in a message: it bounds what a watched mock spends on them. */
const mostRows = 250
/** Of more, only as many of the newest as a screen shows. */
const rowsOfMany = 60
/** Number of requests that a page begins with. */
const firstRows = 200

/**
 * Follows the journal and the organizations of a mock. `organization` returns the only one to follow; `since`: the newest
 * request that the page knows.
 */
function createFeed(service: Service, organization: () => Organization | undefined, since?: number) {
  const { journal, tenants } = service
  const firstNumber = () => Math.max(journal.oldest - 1, journal.newest - firstRows)
  let { generation } = journal
  /** Number of the newest request that was told. */
  let told = since ?? firstNumber()
  /** Number of the newest action of an operator that was told. */
  let acted = 0
  const shown = new Map<string, string>()
  const own = <Entry extends { readonly org_id: string | null }>(entries: readonly Entry[]) => {
    const org = organization()
    return org ? entries.filter(({ org_id }) => org_id === org.id) : entries
  }
  /** A running clock alone is no difference. */
  const differs = (id: string, view: object, frozen: boolean): boolean => {
    const text = JSON.stringify(view, (name, value) => (name === 'now' && !frozen ? undefined : value))
    if (shown.get(id) === text) return false
    shown.set(id, text)
    return true
  }
  return {
    told: () => told,
    hello: (): Frame => {
      const { oldest, newest, size } = journal
      return { event: 'hello', data: { oldest, newest, journal_size: size } }
    },
    /** Returns what happened to the journal since the last call. */
    requests(): Frame[] {
      const frames: Frame[] = []
      const { oldest, newest } = journal
      if (journal.generation !== generation || told > newest) {
        generation = journal.generation
        told = firstNumber()
        acted = 0
        frames.push({ event: 'restarted', data: {} })
      }
      const actions = own(journal.actions.filter(({ number }) => number > acted))
      acted = journal.actions.at(-1)?.number ?? 0
      if (actions.length > 0) frames.push({ event: 'actions', data: { actions } })
      if (newest === told) return frames
      if (oldest > told + 1) frames.push({ event: 'gap', data: { from: told + 1, to: oldest - 1 } })
      const found = own(journal.after(told))
      told = newest
      if (found.length === 0) return frames
      const rows = found.length > mostRows ? found.slice(-rowsOfMany) : found
      const requests = rows.map((entry) => rowOf(entry, tenants.secrets))
      const skipped = found.length - requests.length
      frames.push({ event: 'requests', data: { requests, skipped, count: found.length, oldest, newest } })
      return frames
    },
    /** Returns the mock and those organizations that look different than at the last call; nothing: none does. */
    overview(): Frame[] {
      const { mock, organizations } = viewOverview(service, organization())
      const existing = organizations.map(({ org_id }) => org_id)
      // The page forgets those that are gone, and may see them again, restored as they were.
      const gone = new Set(shown.keys()).difference(new Set(['', ...existing]))
      for (const id of gone) shown.delete(id)
      const changed = organizations.filter((one) => differs(one.org_id, one, one.clock.frozen))
      const moved = differs('', mock, mock.frozen)
      if (!moved && changed.length === 0) return []
      return [{ event: 'overview', data: { mock, organizations: changed, existing } }]
    },
  }
}

/** Interval at which due events are applied, and between messages of the live stream, real ms. */
const tick = 100
/** Interval of keep-alive comments, real ms. */
const heartbeat = 15_000
/** Text that a reader may leave unread before the stream is closed, bytes. */
const mostUnread = 4_000_000

const utf8 = new TextEncoder()

const query = queryOf({
  since: z.string().regex(/^\d+$/).optional().describe('Start after the request with this number.'),
})

type StreamCall = ControlCall<unknown, z.output<typeof query>>

const stream = (
  what: `GET /${string}`,
  summary: string,
  open: (call: StreamCall) => ReadableStream<Uint8Array>,
) =>
  control(what, {
    summary,
    query,
    type: 'text/event-stream',
    run: (call) =>
      new Response(open(call), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      }),
  })

/** The routes of the streams: of all events, and of what a page shows live. */
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

/** Creates a stream that stops when its reader cancels. What it missed is written as it reads. */
function eventsOf(call: StreamCall): ReadableStream<Uint8Array> {
  const { service, org } = call
  const { since, restarted } = startOf(call)
  const from = restarted ? 0 : since
  const reader = readerOf(call)
  /** Looked up each time, since a reset recreates organizations. */
  const organizations = () => (org ? [service.tenants.byId(org.id) ?? org] : service.tenants.organizations())
  const requestFrame = (view: RequestView) => frame('request', view, eventId(service, view.number))
  /** Undefined: the reader has received all of them. */
  let missed = from === undefined ? undefined : reader.each({ since: { number: from } })
  /** What happens while it receives those. */
  let later: string[] = []
  let unread = 0
  let stop = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => controller.enqueue(utf8.encode(text))
        const send = (text: string) => {
          if (!missed) write(text)
          else {
            later.push(text)
            unread += text.length
          }
          if (mostUnread + (controller.desiredSize ?? 0) > unread) return
          stop()
          later = []
          write(frame('behind', { resume: 'Connect again with Last-Event-ID.' }))
          controller.close()
        }
        write(': here\n\n')
        if (restarted) write(frame('restarted', {}))
        const unfollow = reader.follow({}, (view) => send(requestFrame(view)))
        const sendEvent = (event: OrganizationEvent) => {
          if (!org || event.org_id === org.id) send(frame(event.type, viewEvent(event)))
        }
        service.listeners.add(sendEvent)
        const settle = setInterval(() => {
          for (const one of organizations()) one.settled()
        }, tick)
        const beat = setInterval(() => send(': here\n\n'), heartbeat)
        stop = () => {
          unfollow()
          service.listeners.delete(sendEvent)
          clearInterval(settle)
          clearInterval(beat)
        }
      },
      pull(controller) {
        const next = missed?.next()
        if (next?.value) return controller.enqueue(utf8.encode(requestFrame(next.value)))
        missed = undefined
        for (const text of later) controller.enqueue(utf8.encode(text))
        later = []
        unread = 0
      },
      cancel: () => stop(),
    },
    { highWaterMark: 65_536, size: (bytes) => bytes?.length ?? 0 },
  )
}

function frame(type: string, data: object, id?: string): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

const overviewTicks = 3
/** Interval of heartbeats, in ticks: a page says within two seconds that nothing comes any more. */
const heartbeatTicks = 10
/** Text that a reader may leave unread before it is told less often, bytes. */
const mostUntold = 1_000_000

/** Creates a stream that stops when its reader cancels. */
function pageOf(call: StreamCall): ReadableStream<Uint8Array> {
  const { service, org } = call
  const { since, restarted } = startOf(call)
  /** Looked up each time, since a reset recreates organizations. */
  const organization = () => org && (service.tenants.byId(org.id) ?? org)
  const feed = createFeed(service, organization, since)
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = ({ event, data }: Frame) =>
          controller.enqueue(utf8.encode(frame(event, data, eventId(service, feed.told()))))
        send(feed.hello())
        if (restarted) send({ event: 'restarted', data: {} })
        for (const one of [...feed.overview(), ...feed.requests()]) send(one)
        let ticks = 0
        timer = setInterval(() => {
          ticks++
          if ((controller.desiredSize ?? 0) <= 0) return
          if (ticks % heartbeatTicks === 0) controller.enqueue(utf8.encode(frame('here', {})))
          for (const one of feed.requests()) send(one)
          if (ticks % overviewTicks === 0) for (const one of feed.overview()) send(one)
        }, tick)
      },
      cancel: () => clearInterval(timer),
    },
    { highWaterMark: mostUntold, size: (bytes) => bytes?.length ?? 0 },
  )
}

/** Identifies this process: numbers of another one mean other requests. */
const life = crypto.getRandomValues(new Uint32Array(1)).join('')

/** Returns the id of an event; `number`: that of the newest request that was told. */
function eventId({ journal }: Service, number: number): string {
  return `${life}.${journal.restarts}-${number}`
}

/**
 * Where a reader begins, by `Last-Event-ID` or else a number in the query. `since`: number of the newest request that it
 * knows; undefined: it begins now. `restarted`: the numbers that it knows mean other requests.
 */
function startOf({ service, request, query }: StreamCall) {
  const last = request.header('last-event-id')
  const since = query.since === undefined ? undefined : Number(query.since)
  if (!last) return { since, restarted: false }
  const number = Number(last.slice(last.lastIndexOf('-') + 1))
  const restarted = last !== eventId(service, number)
  return { since: restarted ? undefined : number, restarted }
}
