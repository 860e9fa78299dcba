/** A client for tests of quirks: it sends a representative set of requests. */
import type { Mock } from '../app.ts'
import { type RawResponse, rawClient } from './raw-client.ts'

/** Sends the requests and returns the responses. */
export async function probe(mock: Mock, name?: string) {
  const { call, newTask } = rawClient(mock, name)
  const created = await call('createTask', { body: { text: 'a' } })
  const id = String(created.body.task?.id)
  const responses = {
    created,
    whoami: await call('whoami'),
    ran: await call('runTask', { id }),
    early: await call('getTask', { id }),
    listed: await call('listTasks'),
    invalid: await call('createTask', { body: { text: 1 } }),
    limited: await call('whoami', { headers: { prefer: 'code=429' } }),
    failed: await call('whoami', { headers: { prefer: 'code=500' } }),
    key: await call('createKey', { body: { name: 'CI' } }),
    second: await call('runTask', { id: await newTask() }),
  }
  mock.clock.advance(2_000)
  return { ...responses, later: await call('getTask', { id }) }
}

/** The responses of a probe. */
export type ProbeResult = Awaited<ReturnType<typeof probe>>

/** Returns the task in a response; an empty object if there is none. */
export const taskIn = ({ body }: Pick<RawResponse, 'body'>): Record<string, unknown> => body.task ?? {}
