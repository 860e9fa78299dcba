/** Disturbances of one request of a run, whatever the service is like. */
import { createRandom } from '#mocks/core/random.ts'
import type { Middleware } from '../mutations/mutation.ts'
import type { Variation } from './variation.ts'

const lost = () => {
  throw new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) })
}
const refused = (status: number, error: string) =>
  Response.json({ error, message: 'Try again shortly.' }, { status, headers: { 'retry-after': '2' } })

/** ms for which a service that is slow at times makes a request wait. */
const pause = 1_500

const outage = 'out-of-service'

const kinds: Readonly<Record<string, Middleware>> = {
  'lost-on-its-way': async () => lost(),
  async 'answer-lost'({ request }, next) {
    await next(request)
    return lost()
  },
  [outage]: async () => refused(503, 'unavailable'),
  limited: async () => refused(429, 'rate_limited'),
  'stopped-by-a-gateway': async () =>
    new Response('<html>Bad Gateway</html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  async 'late-to-arrive'({ request, mock }, next) {
    mock.clock.advance(pause)
    return next(request)
  },
  async 'late-to-be-answered'({ request, mock }, next) {
    const answer = await next(request)
    mock.clock.advance(pause)
    return answer
  },
}

/** Requests of a run, about. */
const requests = 750

/** Draws a random disturbance of one request to the API: its answer is lost, refused or late. */
export function drawDisturbance(seed: string): Variation {
  const random = createRandom(`disturbance\u0000${seed}`)
  const all = Object.entries(kinds)
  const [kind, disturb] = all[random.word() % all.length] as (typeof all)[number]
  const at = 1 + (random.word() % requests)
  return {
    id: `${kind} at request ${at}`,
    title: `Something happens to request ${at}.`,
    allowed: 'RFC 9110 §9.2.2',
    ...(kind === outage && { warns: ['UNAVAILABLE-UNARRANGED'] }),
    mutate() {
      let count = 0
      return {
        middleware: (context, next) =>
          context.operation && ++count === at ? disturb(context, next) : next(context.request),
      }
    },
  }
}
