/** §4, §8.2: what stands in front of a service: it pays for a run twice, demands a length, or holds requests up. */
import type { HandlerCall } from '#mocks/handlers/views.ts'
import { combineMutations, type Middleware, type Mutation } from '../mutations/mutation.ts'
import { callBeforeHandling } from '../mutations/rules.ts'
import { type Defect, defectsOfTable } from './defect.ts'

/** Sends a run request again that got no answer, a number of times at most, as gateways do on connections that they reuse. */
const resending =
  (most: number): Middleware =>
  async ({ request, operation }, next) => {
    if (operation !== 'runTask') return next(request)
    for (let sent = 0; ; sent++) {
      const answer = await next(request.clone()).catch((error) => {
        if (sent >= most) throw error
      })
      if (answer) return answer
    }
  }

/** A mutation that does something to the organization of a run whose answer is lost. */
function afterLostRun(effect: (call: HandlerCall) => void): Mutation {
  let last: HandlerCall | undefined
  return combineMutations(
    callBeforeHandling('runTask', (call) => {
      last = call
    }),
    {
      middleware: ({ request, operation }, next) =>
        next(request).catch((error) => {
          if (operation === 'runTask' && last) effect(last)
          throw error
        }),
    },
  )
}

/** Passes on one request after the other: the next one waits until the body of the last one has arrived. */
function oneBodyAtATime(): Middleware {
  let last: Promise<unknown> = Promise.resolve()
  return async ({ request }, next) => {
    const before = last
    const { promise, resolve } = Promise.withResolvers<void>()
    last = promise
    await before
    const body = await request.arrayBuffer().finally(resolve)
    return next(body.byteLength === 0 ? request : new Request(request, { body }))
  }
}

/**
 * Deliberate defects on the way to the service: paid requests are repeated, lost answers charged wrongly, a length is
 * demanded, bodies hold each other up.
 */
export const proxyDefects: readonly Defect[] = defectsOfTable({
  'PATH-RUN-ONCE': {
    'path-resends-run: A gateway sends a run request again whose answer was lost.': () => ({
      middleware: resending(1),
    }),
    'path-resends-short-run: A gateway sends a run request again whose answer was lost, and the first run is over by then.':
      () => ({ options: { runDuration: 0 }, middleware: resending(1) }),
    'path-resends-thrice: A gateway sends a run request up to three more times.': () => ({
      middleware: resending(3),
    }),
  },
  'CREDITS-LOST-ANSWER': {
    'path-refunds-lost-run: A run whose answer nobody takes is refunded, and goes on.': () =>
      afterLostRun(({ org, now }) => org.ledger.topUp(1, now)),
    'path-charges-lost-run-twice: A run whose answer nobody takes is charged once more, as if it came again.':
      () => afterLostRun(({ org, now }) => org.ledger.topUp(-1, now)),
  },
  'PATH-NO-LENGTH': {
    'path-demands-length: A POST without a body and without a length is refused with 411.': () => ({
      middleware: async ({ request }, next) =>
        request.method === 'POST' && request.body === null && !request.headers.has('content-length')
          ? new Response('<h1>411 Length Required</h1>', {
              status: 411,
              headers: { 'content-type': 'text/html' },
            })
          : next(request),
    }),
  },
  'PATH-SLOW-BODY': {
    'path-one-body-at-a-time: While the body of a request arrives, the next one waits.': () => ({
      middleware: oneBodyAtATime(),
    }),
  },
})
