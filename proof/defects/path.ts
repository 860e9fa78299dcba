/** §8.2: what stands in front of a service and pays for a run twice. */
import type { Middleware } from '../mutations/mutation.ts'
import { type Defect, defectsOf } from './defect.ts'

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

/** Defects of servers in front of the service. */
export const path: readonly Defect[] = defectsOf({
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
})
