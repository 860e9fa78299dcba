/** `/__admin/stream`: what a page shows live, as Server-Sent Events of which each stands for many requests. */
import { z } from 'zod'
import { Feed, type Frame } from '../../control/live/feed.ts'
import { eventId, startOf } from './last-event.ts'
import { type ControlCall, control, queryOf } from './route.ts'

/** Interval between messages, real ms. */
const tick = 100
/** Interval between overviews, in ticks. */
const overviewTicks = 3
/** Interval of heartbeats, in ticks: a page says within two seconds that nothing comes any more. */
const heartbeatTicks = 10
/** Text that a reader may leave unread before it is told less often, bytes. */
const mostUnread = 1_000_000

const utf8 = new TextEncoder()

/** The route of the live stream. */
export const streamRoutes = [
  control({
    method: 'GET',
    path: '/stream',
    summary:
      'Stream what a page shows, at most ten messages a second: `hello`, `requests` (one line each), `overview` (what changed), `gap` (requests that the journal no longer has), `restarted` (numbers begin again) and `here` (every second). A client that reconnects with `Last-Event-ID` continues there.',
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

/** Creates a stream that stops when its reader cancels. */
function streamOf(call: ControlCall<unknown, { since?: string | undefined }>): ReadableStream<Uint8Array> {
  const { service, org, request, query } = call
  const { since, restarted } = startOf(service, request, query.since)
  /** Looked up each time, since a reset recreates organizations. */
  const organization = () => org && (service.tenants.byId(org.id) ?? org)
  const feed = new Feed(service, organization, since)
  let timer: NodeJS.Timeout | undefined
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const send = (frame: Frame) =>
          controller.enqueue(
            utf8.encode(
              `id: ${eventId(service, feed.told)}\nevent: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`,
            ),
          )
        send(feed.hello())
        if (restarted) send({ event: 'restarted', data: {} })
        for (const frame of [...feed.overview(), ...feed.requests()]) send(frame)
        let ticks = 0
        timer = setInterval(() => {
          ticks++
          if ((controller.desiredSize ?? 0) <= 0) return
          if (ticks % heartbeatTicks === 0) controller.enqueue(utf8.encode('event: here\ndata: {}\n\n'))
          for (const frame of feed.requests()) send(frame)
          if (ticks % overviewTicks === 0) for (const frame of feed.overview()) send(frame)
        }, tick)
      },
      cancel: () => clearInterval(timer),
    },
    { highWaterMark: mostUnread, size: (bytes) => bytes?.length ?? 0 },
  )
}
