import { expect, test } from 'vitest'
import type { Exchange } from '#traffic/exchange.ts'
import { sampleExchange } from '../report/testing/sample.ts'
import { showsOtherClients } from './other-clients.ts'

const answer = (operation: 'listTasks' | 'createTask', json: unknown): Exchange => ({
  ...sampleExchange,
  operation,
  caller: 'main',
  status: 200,
  json,
  text: JSON.stringify(json),
})

const task = (id: string, created_at?: string) => ({ id, text: id, status: 'new', created_at })

test.each<[string, string | undefined, boolean]>([
  ['was there before the run', '2026-03-01T08:00:00Z', false],
  ['is newer than the first that the run made', '2026-03-01T10:00:00.001Z', true],
  ['carries no time', undefined, true],
])('a task that a list shows late is of another client unless its times say otherwise: it %s', (_, time, shows) => {
  const exchanges = [
    answer('listTasks', { items: [task('a', '2026-03-01T07:00:00Z')] }),
    answer('createTask', { task: task('own', '2026-03-01T09:00:00.000Z') }),
    answer('listTasks', { items: [task('own'), task('b', time)] }),
  ]
  expect(showsOtherClients(exchanges)).toBe(shows)
})
