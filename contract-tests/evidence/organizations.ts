/** The second organization, for the requirements that keep organizations apart. */
import { field, idOf } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeOrgId, assumePresent } from '../harness/expect.ts'
import { workingKey } from './key-use.ts'
import { deleteKey, newKey } from './keys.ts'

/** What whoami answers to the second key. */
export const whoamiElsewhere = (t: TestContext) => t.evidence('other org', () => t.other.call('whoami'))

/** The id of the second key's organization. Continues only if it differs from that of the main key. */
export async function assumeOtherOrganization(t: TestContext): Promise<string> {
  const main = await t.orgId()
  const other = idOf(field(assumeAccepted(await whoamiElsewhere(t)).json, 'org', 'id'))
  if (assumePresent(other, 'org.id of the second key') !== main) return assumePresent(other, 'org.id')
  throw new NotExercised('both keys belong to one organization', '--other-api-key of a second organization')
}

/** A client of the second organization. */
export async function otherOrganization(t: TestContext): Promise<Client> {
  await assumeOtherOrganization(t)
  return t.other
}

/** A session of the second organization, known by the organization of a key that it creates. */
export const otherOrganizationSession = (t: TestContext) =>
  t.evidence('other session', async () => {
    const key = await newKey(t, t.name('Key'), t.otherSession)
    try {
      const { exchange } = await workingKey(t, key)
      if (assumeOrgId(exchange, 'org.id of the second session') === (await t.orgId()))
        throw new NotExercised(
          'both sessions belong to one organization',
          '--other-session-cookie of a second organization',
        )
    } finally {
      await deleteKey(t, key, t.otherSession)
    }
    return t.otherSession
  })
