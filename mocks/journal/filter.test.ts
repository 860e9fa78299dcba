import { expect, test } from 'vitest'
import { createMock } from '../index.ts'
import { requestFilter } from './filter.ts'

/** Returns whether a filter matches the path of a request. */
async function finds(pathname: string, path: string): Promise<boolean> {
  const mock = createMock()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  await mock.fetch(new Request(`http://mock.invalid${pathname}`, { headers }))
  return mock.journal.count({ path }) === 1
}

test.each([
  ['/api/cli/tasks', '/api/cli/tasks', true],
  ['/api/cli/tasks', '*', true],
  ['/api/cli/tasks/abc', '/api/cli/tasks/*', true],
  ['/api/cli/tasks', '/api/cli/tasks/*', false],
  ['/api/cli/tasks', '/api/*/tasks', true],
  ['/api/cli/tasks', '/api/*/task', false],
  ['/api/cli/tasks', '*tasks*tasks', false],
  ['/api/cli/tasks/a.b', '/api/cli/tasks/a?b', false],
  ['/api/cli/aba', '/api/cli/ab*ba', false],
])('%s matches %s: %s', async (pathname, path, found) => {
  expect(await finds(pathname, path)).toBe(found)
})

test('a filter with many stars is fast', async () => {
  expect(await finds(`/api/cli/tasks/${'a'.repeat(300)}`, `/api/cli/tasks/${'a*'.repeat(40)}b`)).toBe(false)
  expect(requestFilter.safeParse({ path: '*'.repeat(10_000) }).success).toBe(true)
})
