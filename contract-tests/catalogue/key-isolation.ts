/** §5.2, §5.4: the keys of an organization are nobody else's. Asked by a session of a second organization. */

import { workingKey } from '../evidence/key-use.ts'
import { deleteKey, entryIn, newKey } from '../evidence/keys.ts'
import { field, idOf } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import { bearer, type Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectAccepted, expectSame, expectThat, need, needAccepted } from '../words.ts'

const traits = { writes: true, alone: true, needs: ['session', 'other_session'] } as const

/** Sees that a key that the second session makes is of another organization; else there is nothing to judge. */
const strangers = (kit: Kit) =>
  kit.evidence('other session', async () => {
    const key = await newKey(kit, kit.name('Key'), kit.otherSession)
    try {
      const { exchange } = await workingKey(kit, key)
      const theirs = need(idOf(field(exchange.json, 'org', 'id')), 'org.id of the second session')
      if (theirs === (await kit.orgId()))
        throw new NotExercised(
          'both sessions are of one organization',
          '--other-session-cookie of a second organization',
        )
    } finally {
      await deleteKey(kit, key, kit.otherSession)
    }
    return kit.otherSession
  })

export const keyIsolation: Requirement[] = [
  probe(
    'ISOLATION-LIST-KEYS',
    'MUST',
    '§5.2',
    'listKeys',
    'A key is not in the list of another organization.',
    async (kit) => {
      const session = await strangers(kit)
      const { name } = await newKey(kit)
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
    async (kit) => {
      const session = await strangers(kit)
      const key = await newKey(kit)
      const { value, exchange } = await workingKey(kit, key)
      const org = need(idOf(field(exchange.json, 'org', 'id')), 'org.id of the created key')
      await session.call('deleteKey', { id: need(key.id, 'id of the created key') })
      const after = expectAccepted(await kit.as('created key', bearer(value)).call('whoami'))
      expectSame(idOf(field(after.json, 'org', 'id')), org, 'org.id', after)
    },
    traits,
  ),
]
