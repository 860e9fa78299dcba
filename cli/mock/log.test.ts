/** One log line per request, for people or for programs, without secrets. */
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import type { RequestSummary } from '#mocks/pipeline/service.ts'
import { logLine } from './log.ts'

const exchange: RequestSummary = {
  operation: 'runTask',
  method: 'POST',
  path: '/api/cli/tasks/task_1/run',
  status: 402,
  error: 'no_credits',
  org_id: 'org_1',
  at: Date.UTC(2026, 2, 1, 9, 30, 15, 7),
  duration_ms: 0.123456,
}

test('the human line shows method, path, status, error, organization and duration', () => {
  expect(logLine(exchange, 'human')).toBe(
    '09:30:15.007 POST   /api/cli/tasks/task_1/run 402 no_credits org_1 0.12ms',
  )
})

test('a missing value is a dash', () => {
  const line = logLine({ ...exchange, error: null, org_id: null, status: 200 }, 'human')
  expect(line).toBe('09:30:15.007 POST   /api/cli/tasks/task_1/run 200 - - 0.12ms')
})

test('the JSON line is one object', () => {
  expect(JSON.parse(logLine(exchange, 'json'))).toEqual({
    time: '2026-03-01T09:30:15.007Z',
    operation: 'runTask',
    method: 'POST',
    path: '/api/cli/tasks/task_1/run',
    status: 402,
    error: 'no_credits',
    org_id: 'org_1',
    duration_ms: 0.12,
  })
})

test.each([
  'a\nb',
  'a\r\nb',
  'a\u2028b',
  'a\u001b[31mb',
  'a b',
  'a\u202eb',
  'a\u0000b',
])('a path cannot break the line: %j', (id) => {
  const line = logLine({ ...exchange, path: `/api/cli/tasks/${id}` }, 'human')
  expect(line.split(' ')).toHaveLength(
    '09:30:15.007 POST   path 402 no_credits org_1 0.12ms'.split(' ').length,
  )
  expect(line).toMatch(/^[\x20-\x7e]+$/)
  expect(logLine({ ...exchange, path: `/api/cli/tasks/${id}` }, 'json')).not.toContain('\n')
})

test('neither line contains a key, a cookie, a query or a body', async () => {
  const mock = createMock({ seed: 'log' })
  const lines: string[] = []
  mock.observe((one) => lines.push(logLine(one, 'human'), logLine(one, 'json')))
  const { apiKey, sessionCookie } = mock.credentials('hush-hush')
  const ask = async (path: string, init: RequestInit) =>
    mock.fetch(new Request(`http://mock.test/api/cli/${path}`, init))
  await ask('tasks?secret=hush-hush', { headers: { authorization: `Bearer ${apiKey}` } })
  const body = '{"name":"hush-hush"}'
  const response = await ask('keys', { method: 'POST', headers: { cookie: sessionCookie }, body })
  const { secret } = await response.json()
  await ask('nope', { headers: { authorization: `Bearer ${secret}` } })
  expect(lines).toHaveLength(6)
  for (const line of lines)
    for (const hidden of ['hush-hush', secret, 'wak_']) expect(line).not.toContain(hidden)
})
