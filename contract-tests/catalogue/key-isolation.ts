/** §5.2, §5.4: the keys of an organization are nobody else's. Asked by a session of a second organization. */

import { field, idOf } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import { workingKey } from '../evidence/key-use.ts'
import { deleteKey, entryIn, newKey } from '../evidence/keys.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { expectAccepted, expectSame, expectThat, need, needAccepted } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, needs: ['session', 'other_session'] } as const

/** Sees that a key that the second session makes is of another organization; else there is nothing to judge. */
const strangers = (t: TestContext) =>
  t.evidence('other session', async () => {
    const key = await newKey(t, t.name('Key'), t.otherSession)
    try {
      const { exchange } = await workingKey(t, key)
      const theirs = need(idOf(field(exchange.json, 'org', 'id')), 'org.id of the second session')
      if (theirs === (await t.orgId()))
        throw new NotExercised(
          'both sessions are of one organization',
          '--other-session-cookie of a second organization',
        )
    } finally {
      await deleteKey(t, key, t.otherSession)
    }
    return t.otherSession
  })

export const keyIsolation: Requirement[] = [
  probe(
    'ISOLATION-LIST-KEYS',
    'MUST',
    '§5.2',
    'listKeys',
    'A key is not in the list of another organization.',
    async (t) => {
      const session = await strangers(t)
      const { name } = await newKey(t)
      const list = needAccepted(await session.call('listKeys'))
      const entry = entryIn(list, { id: undefined, name })
      expectThat(entry === undefined, `keys without "${name}"`, 'it is among them', list)
    },
    traits,
  ),

  probe(
    'ISOLATION-DELETE-KEY',
    'MUST',
    '§5.2',
    'deleteKey',
    'Another organization cannot delete a key.',
    async (t) => {
      const session = await strangers(t)
      const key = await newKey(t)
      const { value, exchange } = await workingKey(t, key)
      const org = need(idOf(field(exchange.json, 'org', 'id')), 'org.id of the created key')
      await session.call('deleteKey', { id: need(key.id, 'id of the created key') })
      const after = expectAccepted(await t.as('created key', bearer(value)).call('whoami'))
      expectSame(idOf(field(after.json, 'org', 'id')), org, 'org.id', after)
    },
    traits,
  ),
]
