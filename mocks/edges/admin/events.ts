/** `/__admin/events`: requests and the events of organizations, as Server-Sent Events. */
import { z } from 'zod'
import type { OrganizationEvent } from '../../core/events.ts'
import type { RequestView } from '../../journal/view.ts'
import { viewEvent } from './clock.ts'
import { readerOf } from './requests.ts'
import { type ControlCall, control, queryOf } from './route.ts'

/** Interval at which due events are applied, real ms. */
const tick = 100
/** Interval of keep-alive comments, real ms. */
const heartbeat = 15_000
/** Text that a reader may leave unread before its stream is ended, bytes. */
const mostUnread = 16_000_000

const utf8 = new TextEncoder()

/** The route of the event stream. */
export const eventRoutes = [
  control({
    method: 'GET',
    path: '/events',
    summary:
      'Stream events: `request` for each request, and `run_started`, `run_ended`, `credit_reserved` and so on for its effects and those of time. A client that reconnects with `Last-Event-ID` receives the requests it missed; one that leaves 16 MB unread is told `behind`, and its stream ends.',
    query: queryOf({
      since: z.string().regex(/^\d+$/).optional().describe('Start after the request with this number.'),
    }),
    type: 'text/event-stream',
    run: (call) =>
      new Response(streamOf(call, call.query.since ?? call.request.header('last-event-id')), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      }),
  }),
]

/** Creates a stream that stops when its reader cancels. */
function streamOf(call: ControlCall, since: string | undefined): ReadableStream<Uint8Array> {
  const { service, org } = call
  const reader = readerOf(call)
  /** Looked up each time, since a reset recreates organizations. */
  const organizations = () => (org ? [service.tenants.byId(org.id) ?? org] : service.tenants.organizations())
  let stop = () => {}
  let ended = false
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start(controller) {
      const send = (text: string) => {
        if (ended) return
        if ((controller.desiredSize ?? 0) > 0) return controller.enqueue(utf8.encode(text))
        ended = true
        stop()
        controller.enqueue(utf8.encode(frame('behind', { resume: 'Connect again with Last-Event-ID.' })))
        controller.close()
      }
      const sendRequest = (request: RequestView) => send(frame('request', request, request.number))
      const sendEvent = (event: OrganizationEvent) => {
        if (!org || event.org_id === org.id) send(frame(event.type, viewEvent(event)))
      }
      send(': here\n\n')
      const number = Number(since ?? Number.NaN)
      if (!Number.isNaN(number)) for (const missed of reader.list({ since: { number } })) sendRequest(missed)
      const unfollow = reader.follow({}, sendRequest)
      service.listeners.add(sendEvent)
      const settle = setInterval(() => {
        for (const one of organizations()) one.settle(one.clock.now())
      }, tick)
      const beat = setInterval(() => send(': here\n\n'), heartbeat)
      stop = () => {
        unfollow()
        service.listeners.delete(sendEvent)
        clearInterval(settle)
        clearInterval(beat)
      }
      if (ended) stop()
    },
    cancel: () => stop(),
  }
  return new ReadableStream(source, { highWaterMark: mostUnread, size: (bytes) => bytes?.length ?? 0 })
}

function frame(type: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
