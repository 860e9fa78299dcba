/** The usual ways to count requests against a limit: each may serve more than a fixed window does, and none is accused. */
import { expect, test } from 'vitest'
import type { RateLimit } from '#mocks/core/resources.ts'
import { overrideRateLimitWait } from './mutations/rules.ts'
import { tryMutations } from './trial.ts'

/** Limits requests by a function of the earlier ones that were served (ms, oldest first) and the limit; it returns the ms to wait. */
const countedBy = (waitFor: (served: readonly number[], rule: RateLimit, now: number) => number) => () => {
  const known = new Map<string, { rule: RateLimit; served: number[] }>()
  return overrideRateLimitWait((rule, { credential, at }) => {
    const before = known.get(credential)
    const served = before?.rule === rule ? before.served : []
    known.set(credential, { rule, served })
    const wait = waitFor(served, rule, at)
    if (wait <= 0) served.push(at)
    return wait
  })
}

/** Counts the requests of the last window. */
const slidingLog = countedBy((served, { limit, window_ms }, now) => {
  const first = served.filter((at) => at > now - window_ms).at(-limit)
  return first === undefined ? 0 : first + window_ms - now
})

/** Counts by windows of the clock, and that before in proportion to how much of it is in the last window. */
const slidingCounter = countedBy((served, { limit, window_ms }, now) => {
  const current = Math.floor(now / window_ms)
  const countOf = (window: number) => served.filter((at) => Math.floor(at / window_ms) === window).length
  const share = 1 - (now / window_ms - current)
  return countOf(current - 1) * share + countOf(current) + 1 <= limit ? 0 : 2 * window_ms
})

/** Refills a bucket of tokens evenly. */
const tokenBucket = countedBy((served, { limit, window_ms }, now) => {
  const perToken = window_ms / limit
  let [tokens, last] = [limit, now]
  for (const at of served) {
    tokens = Math.min(limit, tokens + Math.max(0, at - last) / perToken) - 1
    last = at
  }
  tokens = Math.min(limit, tokens + (now - last) / perToken)
  return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * perToken)
})

const ways = { slidingLog, slidingCounter, tokenBucket }

test.each(
  Object.entries(ways),
)('%s accuses nobody, with a second organization or without', async (_, count) => {
  for (const settings of [{}, { otherApiKey: '' }]) {
    const { red, suspected, faults } = await tryMutations([count()], 'first', settings)
    expect({ red, suspected, faults }).toEqual({ red: [], suspected: [], faults: [] })
  }
})
