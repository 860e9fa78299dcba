/** A mock with requests in its journal. */
import { clientOf } from './client.ts'
import { frozenMock } from './mock.ts'

/** Creates a mock with requests of two organizations and of an unauthenticated caller. */
export async function busyMock() {
  const mock = frozenMock({ credits: 1 })
  const ada = clientOf(mock, 'ada')
  const id = await ada.newTask('first')
  await ada.call('runTask', { id })
  mock.clock.advance(10_000)
  await ada.call('runTask', { id: await ada.newTask('second') })
  await clientOf(mock, 'bob').call('getTask', { id })
  await ada.call('whoami', { as: 'nobody' })
  await ada.call('whoami', { headers: { prefer: 'code=503' } })
  return { mock, ada, id }
}
