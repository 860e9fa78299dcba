/** Connection faults as curl and in-process clients observe them. */
import { expect, test } from 'vitest'
import { clientOf } from '../testing/client.ts'
import { curl, listening } from '../testing/listening.ts'
import { frozenMock } from '../testing/mock.ts'

const exits: [string, number, string][] = [
  ['reset', 56, ''],
  ['lost', 56, ''],
  ['empty', 52, ''],
  ['truncate', 18, '{"taskId":"'],
  ['hang', 28, ''],
  ['malformed', 0, '{"taskId":"'],
  ['dribble 20ms', 0, '{"taskId":"'],
  ['stale', 0, '{"taskId":"'],
  ['503', 0, '{"error":"unavailable"'],
]

test.each(exits)('curl reports %s with exit code %i', async (fault, exit, begin) => {
  const mock = frozenMock({ fault: `runTask=${fault}` })
  const id = await clientOf(mock).newTask()
  const { url } = await listening(mock)
  const auth = `Authorization: Bearer ${mock.credentials().apiKey}`
  const limit = fault === 'hang' ? '0.05' : '5'
  const { code, out } = await curl('-X', 'POST', '-m', limit, '-H', auth, `${url}/api/cli/tasks/${id}/run`)
  expect([code, out.slice(0, begin.length)]).toEqual([exit, begin])
  if (fault === 'malformed' || fault === 'truncate') expect(() => JSON.parse(out)).toThrow()
})

test.each([
  'reset',
  'empty',
  'truncate',
  'hang',
  'dribble',
  'lost',
])('in process, %s is an immediately failed request', async (fault) => {
  const mock = frozenMock({ fault: `runTask=${fault}` })
  const { newTask, call } = clientOf(mock)
  const id = await newTask()
  const failure = await call('runTask', { id }).catch((error: Error) => error)
  expect(failure).toBeInstanceOf(TypeError)
  expect(failure).toMatchObject({ message: 'fetch failed' })
})
