import { expect, test } from 'vitest'
import { testOrigin } from '#mocks/testing/client.ts'
import { createRuleTestClient, ruleResultOnMock } from '../testing/rule-result.ts'

/** The judgement of the rule on a client that sends these requests with its key. */
async function saidOf(sent: readonly (readonly [method: string, path: string])[], fault?: string) {
  const { mock } = createRuleTestClient(fault === undefined ? {} : { fault })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  for (const [method, path] of sent)
    await mock.fetch(new Request(`${testOrigin}/api/cli/${path}`, { method, headers, redirect: 'manual' }))
  const { outcome, findings } = ruleResultOnMock(mock, 'uses-known-routes')
  return findings[0]?.what ?? outcome
}

test.each([
  ['PUT', 'tasks', 'requested PUT /api/cli/tasks, which has GET and POST'],
  ['GET', 'task', 'requested GET /api/cli/task, which is no route'],
  ['GET', 'tasks/a/run?wait=1', 'requested GET /api/cli/tasks/a/run, which has POST'],
  ['HEAD', 'tasks', 'not_exercised'],
  ['OPTIONS', 'tasks', 'not_exercised'],
  ['GET', 'tasks/unknown', 'passed'],
])('%s %s is told from the routes of the API', async (method, path, said) => {
  expect(await saidOf([[method, path]])).toBe(said)
})

test.each([
  ['POST', 'passed'],
  ['GET', 'followed the 307 to its POST with a GET'],
])('a %s behind the 307 of a POST is compared with it', async (method, said) => {
  const sent = [
    ['POST', 'tasks'],
    [method, 'tasks?redirected=1'],
  ] as const
  expect(await saidOf(sent, 'createTask=redirect')).toBe(said)
})
