/** A service that leaves bodies unread on kept-alive connections: that alone is accused. */
import { expect, test } from 'vitest'
import { resultsWithOutcome } from '../harness/outcome.ts'
import type { Middleware } from '../testing/middleware.ts'
import { runSuiteOnMock } from '../testing/run.ts'

/** After a 401, takes the unread body for the next request on the connection, and refuses that request. */
function leavesBodies(refusal: () => Response): Middleware {
  let isUnread = false
  return async ({ path, body, fresh }, next) => {
    if (isUnread && !fresh && path.startsWith('/api/cli/')) {
      isUnread = false
      return refusal()
    }
    const response = await next()
    isUnread ||= response.status === 401 && body !== undefined && !fresh
    return response
  }
}

test.each([
  ['of its server', () => new Response('<h1>Bad request syntax</h1>', { status: 400 })],
  [
    'of the API',
    () => Response.json({ error: 'invalid_request', message: 'This is no request.' }, { status: 400 }),
  ],
])('a 400 %s that differs on a new connection accuses the connection, and nothing else', async (_, refusal) => {
  const only = ['ANSWER-*', 'AUTH-MISSING-*', 'ACCEPTS-*', 'SHAPE-*', 'ERROR-*', 'INPUT-NULL-*']
  const between = leavesBodies(refusal)
  const { run } = await runSuiteOnMock({ extended: 'on', only, concurrency: 1 }, { between })
  const [accused, ...others] = resultsWithOutcome(run, 'failed', 'warned')
  expect(others).toEqual([])
  expect(accused?.requirement.id).toBe('ANSWER-IN-STEP')
  // The evidence before these three creates the task that the shifted request was about.
  const [refused, shifted, fresh] = accused?.evidence.slice(-3) ?? []
  expect([refused?.status, shifted?.status]).toEqual([401, 400])
  expect(fresh?.url).toBe(shifted?.url)
})
