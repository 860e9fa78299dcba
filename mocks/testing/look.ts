/** A client for the tests of strict-client mode: it asks for a bit of everything. */
import type { Mock } from '../app.ts'
import { type Heard, speaker } from './speaker.ts'

/** Takes a look at everything, and answers what came. */
export async function look(mock: Mock, name?: string) {
  const { ask, newTask } = speaker(mock, name)
  const created = await ask('createTask', { body: { text: 'a' } })
  const id = String(created.body.task?.id)
  const heard = {
    created,
    whoami: await ask('whoami'),
    ran: await ask('runTask', { id }),
    early: await ask('getTask', { id }),
    listed: await ask('listTasks'),
    invalid: await ask('createTask', { body: { text: 1 } }),
    limited: await ask('whoami', { headers: { prefer: 'code=429' } }),
    failed: await ask('whoami', { headers: { prefer: 'code=500' } }),
    key: await ask('createKey', { body: { name: 'CI' } }),
    second: await ask('runTask', { id: await newTask() }),
  }
  mock.clock.advance(2_000)
  return { ...heard, later: await ask('getTask', { id }) }
}

export type Seen = Awaited<ReturnType<typeof look>>

/** What is told of a task; empty where nothing is. */
export const taskIn = ({ body }: Pick<Heard, 'body'>): Record<string, unknown> => body.task ?? {}
