/** The second organization, for the requirements that keep organizations apart. */
import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeOrgId, assumePresent, assumeRefused, refusals } from '../harness/expect.ts'
import { assumeOwnKey, spareClient, workingKey } from './key-use.ts'
import { deleteKey, newKey } from './keys.ts'
import { sharedTask } from './resources.ts'
import { isTaken } from './runs.ts'

/** What whoami answers to the second key while the first one asks the same: equal requests must not share an answer. */
export const whoamiElsewhere = (t: TestContext) =>
  t.evidence('other org', async () => {
    const [, answer] = await Promise.all([t.call('whoami'), t.other.call('whoami')])
    return answer
  })

/** The id of the second key's organization. Continues only if it differs from that of the main key. */
export async function assumeOtherOrganization(t: TestContext): Promise<string> {
  const other = idOf(field(assumeAccepted(await whoamiElsewhere(t)).json, 'org', 'id'))
  const main = await t.orgId()
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
    const second = t.all.find((one) => one !== t)
    // Not while a limit or an outage is in force there.
    const shown = second && (await t.run.otherOrganization.read(() => spareClient(second)))
    const exchange = shown?.exchange ?? (await whoamiOfNewKey(t))
    if (assumeOrgId(exchange, 'org.id of the second session') === (await t.orgId()))
      throw new NotExercised(
        'both sessions belong to one organization',
        '--other-session-cookie of a second organization',
      )
    return t.otherSession
  })

/** What whoami answers to a key that the second session creates, and that is deleted. */
async function whoamiOfNewKey(t: TestContext): Promise<Exchange> {
  const key = await newKey(t, t.name('Key'), t.otherSession)
  try {
    return (await workingKey(t, key)).exchange
  } finally {
    await deleteKey(t, key, t.otherSession)
  }
}

/** The response to a created key that runs a task of the second organization. Continues only if it cannot read that: ids may be alike. */
export const foreignRun = (t: TestContext) =>
  t.evidence('foreign run', async () => {
    const { value } = await assumeOwnKey(t)
    await assumeOtherOrganization(t)
    const second = t.all.find((one) => one !== t)
    const owner = assumePresent(second, 'the second organization under test')
    // Not while a limit or an outage is in force there.
    const { id } = await t.run.otherOrganization.read(() => sharedTask(owner))
    const client = t.as('created key', bearer(value))
    assumeRefused(await client.call('getTask', { id }), refusals.notFound)
    const exchange = await client.call('runTask', { id })
    if (isTaken(exchange)) t.budget.spend(1)
    return exchange
  })
