/** Provider states that answer 2xx and do something else: the set-up is at fault, and no requirement is accused. */
import { expect, test } from 'vitest'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import type { Mutation } from './mutations/mutation.ts'
import { tryMutations } from './trial.ts'

/** Replaces some requests for provider states; a request without a replacement is passed on. */
const states = (change: (asked: { state: string; action: string }) => Response | undefined): Mutation => ({
  async middleware({ request }, next) {
    if (!request.url.endsWith('/states')) return next(request)
    const { url, method, headers } = request
    const body = await request.text()
    return change(JSON.parse(body)) ?? next(new Request(url, { method, headers, body }))
  },
})

const done = () => new Response(null, { status: 204 })

/** Keeps the counters of the rate limit. */
const keepsCounters: Mutation = {
  onOrganization(org) {
    org.limiter.clear = () => undefined
  },
}

test.each<[string, Mutation, RegExp]>([
  ['rate_limit keeps its counters', keepsCounters, /keeps its counters/],
  [
    'the teardown of rate_limit has no effect',
    states(({ state, action }) => (state === 'rate_limit' && action === 'teardown' ? done() : undefined)),
    /after the teardown of the state "rate_limit"/,
  ],
])('%s', async (_, mutation, reason) => {
  const { run, red } = await tryMutations([mutation], 'first')
  expect(red).toEqual([])
  const reasons = resultsOf(run, 'not_exercised').map((one) => one.reason ?? '')
  expect(reasons.some((one) => reason.test(one))).toBe(true)
})
