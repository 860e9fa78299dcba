/** What destroys something can be taken back: its notice offers that for ten seconds. */
import { change } from './address.ts'
import { control } from './calls.ts'
import { attempt, notify } from './notices.ts'
import { organization } from './overview.ts'

/** Brings back what an action destroyed. */
type Undo = () => Promise<unknown>

/**
 * Runs an action; the notice of its success can undo it. `keep`: keeps what the action destroys, before it does, and
 * returns what brings it back. `done`: the notice, unless the action returns one. Returns whether the action succeeded.
 */
export const undoable = (
  what: string,
  keep: () => Promise<Undo> | Undo,
  action: () => unknown,
  done = '',
): Promise<boolean> =>
  attempt(what, async () => {
    const undo = await keep()
    const org = organization.peek()?.org_id
    const said = await action()
    const back = async () => {
      await undo()
      change({ org }, { quiet: true })
    }
    notify(
      'done',
      typeof said === 'string' ? said : done,
      () => void attempt(`Undo: ${what}`, back, `Undone: ${what}`),
    )
  })

/** Keeps the state of an organization, or of the whole mock. */
export async function keepState(org_id?: string): Promise<Undo> {
  const file = await control('GET /state', { query: { org_id } })
  return () => control('POST /restore', { body: { file } })
}
