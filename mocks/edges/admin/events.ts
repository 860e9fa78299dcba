/** `/__admin/events`: requests and the events of organizations, as Server-Sent Events. */
import { z } from 'zod'
import type { OrganizationEvent } from '../../core/events.ts'
import type { RequestView } from '../../journal/view.ts'
import { viewEvent } from './clock.ts'
import { eventId, startOf } from './last-event.ts'
import { readerOf } from './requests.ts'
import { type ControlCall, control, queryOf } from './route.ts'

/** Interval at which due events are applied, real ms. */
const tick = 100
/** Interval of keep-alive comments, real ms. */
const heartbeat = 15_000
/** Text that a reader may leave unread before the stream is closed, bytes. */
const mostUnread = 16_000_000

const utf8 = new TextEncoder()

/** The route of the event stream. */
export const eventRoutes = [
  control({
    method: 'GET',
    path: '/events',
    summary:
      'Stream events: `request` for each request, and `run_started`, `run_ended`, `credit_reserved` and so on for its effects and those of time. A client that reconnects with `Last-Event-ID` receives the requests it missed; `restarted` comes first if numbers have begun again meanwhile. One that leaves 16 MB unread is told `behind`, and its stream ends.',
    query: queryOf({
      since: z.string().regex(/^\d+$/).optional().describe('Start after the request with this number.'),
    }),
    type: 'text/event-stream',
    run: (call) =>
      new Response(streamOf(call), {
        headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' },
      }),
  }),
]

/** Creates a stream that stops when its reader cancels. What it missed is written as it reads. */
function streamOf(call: ControlCall<unknown, { since?: string | undefined }>): ReadableStream<Uint8Array> {
  const { service, org, request, query } = call
  const { since, restarted } = startOf(service, request, query.since)
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
          for (const one of organizations()) one.settle(one.clock.now())
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
