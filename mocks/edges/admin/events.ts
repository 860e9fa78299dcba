/** `/__admin/events`: what happens, as Server-Sent Events: requests, and what they and time bring about. */
import { z } from 'zod'
import type { OrganizationEvent } from '../../core/events.ts'
import type { RequestView } from '../../journal/view.ts'
import { viewEvent } from './clock.ts'
import { readerOf } from './requests.ts'
import { type ControlCall, control, queryOf } from './route.ts'

/** How often somebody has a look whether time has brought something about, real ms. */
const tick = 100
/** How often a quiet stream says that it is still there, real ms. */
const heartbeat = 15_000
/** Events that a reader may be behind before the stream is closed. */
const mostBehind = 10_000

const utf8 = new TextEncoder()

export const eventRoutes = [
  control({
    method: 'GET',
    path: '/events',
    summary:
      'A stream of what happens: `request` for each request, and `run_started`, `run_ended`, `credit_reserved` and so on for what it and time bring about. Who comes back with `Last-Event-ID` is told what they missed.',
    query: queryOf({
      since: z.string().regex(/^\d+$/).optional().describe('Begin after the request of this number.'),
    }),
    type: 'text/event-stream',
    run: (call) =>
      new Response(streamOf(call, call.query.since ?? call.request.header('last-event-id')), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      }),
  }),
]

/** A stream that ends with its reader. */
function streamOf(call: ControlCall, since: string | undefined): ReadableStream<Uint8Array> {
  const { service, org } = call
  const reader = readerOf(call)
  /** Looked up each time: a reset makes them anew. */
  const organizations = () => (org ? [service.tenants.byId(org.id) ?? org] : service.tenants.organizations())
  let stop = () => {}
  return new ReadableStream({
    start(controller) {
      const send = (text: string) => {
        if ((controller.desiredSize ?? 0) > -mostBehind) return controller.enqueue(utf8.encode(text))
        stop()
        controller.close()
      }
      const tellRequest = (request: RequestView) => send(frame('request', request, request.number))
      const tellEvent = (event: OrganizationEvent) => {
        if (!org || event.org_id === org.id) send(frame(event.type, viewEvent(event)))
      }
      send(': here\n\n')
      const number = Number(since ?? Number.NaN)
      if (!Number.isNaN(number)) for (const missed of reader.list({ since: { number } })) tellRequest(missed)
      const unfollow = reader.follow({}, tellRequest)
      service.listeners.add(tellEvent)
      const look = setInterval(() => {
        for (const one of organizations()) one.settle(one.clock.now())
      }, tick)
      const beat = setInterval(() => send(': here\n\n'), heartbeat)
      stop = () => {
        unfollow()
        service.listeners.delete(tellEvent)
        clearInterval(look)
        clearInterval(beat)
      }
    },
    cancel: () => stop(),
  })
}

function frame(type: string, data: object, id?: number): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}
