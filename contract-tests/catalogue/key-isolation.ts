/** §5.2, §5.4: the keys of an organization are isolated; tested with a session of a second organization. */

import { field, idOf } from '#traffic/exchange.ts'
import { assumeUsedKey, usedKey } from '../evidence/key-use.ts'
import { otherOrganizationSession } from '../evidence/organizations.ts'
import { bearer } from '../harness/context.ts'
import { assumeAccepted, assumeOrgId, assumePresent, expectAccepted, expectSame } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, needs: ['session', 'other_session'] } as const

export const keyIsolation: Requirement[] = [
  must('ISOLATION-LIST-KEYS', '§5.2', 'listKeys', traits)
    .states('A key does not appear in the list of another organization.')
    .judged(async (t) => {
      const session = await otherOrganizationSession(t)
      await usedKey(t)
      assumeAccepted(await session.call('listKeys'))
    }),

  must('ISOLATION-DELETE-KEY', '§5.2', 'deleteKey', traits)
    .states('An organization cannot delete a key of another organization.')
    .check(async (t) => {
      const session = await otherOrganizationSession(t)
      const { key, value } = await assumeUsedKey(t)
      // Another deletion may have ended it.
      const before = assumeAccepted(await t.as('created key', bearer(value)).call('whoami'))
      const org = assumeOrgId(before, 'org.id of the created key')
      const deletion = await session.call('deleteKey', { id: assumePresent(key.id, 'id of the created key') })
      const after = expectAccepted(await t.as('created key', bearer(value)).call('whoami'), deletion)
      expectSame(idOf(field(after.json, 'org', 'id')), org, 'org.id', deletion, after)
    }),
]
