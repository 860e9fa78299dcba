/** §5.2, §7: an organization's resources are nobody else's. Asked by a second organization. */
import type { OperationId } from '#contract/operation.ts'
import { routeOf } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import { NotExercised } from '../client/finding.ts'
import { throwIfAbsent, twin } from '../evidence/calls.ts'
import { expectSpent, readCredits } from '../evidence/credits.ts'
import { newNotification, notificationIds, notificationIn } from '../evidence/notifications.ts'
import { newDocument, newTask, readBack } from '../evidence/resources.ts'
import { isTaken, look, ordinaryRun } from '../evidence/runs.ts'
import type { TestContext } from '../harness/context.ts'
import {
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  needItems,
  refusals,
} from '../harness/expect.ts'
import { type Probe, probe, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, needs: ['other_key'] } as const

/** Sees that the second key is of another organization; else there is nothing to judge. */
async function stranger(t: TestContext) {
  const mine = await t.orgId()
  const theirs = await t.evidence('other org', async () =>
    idOf(field(needAccepted(await t.other.call('whoami')).json, 'org', 'id')),
  )
  if (need(theirs, 'org.id of the second key') === mine)
    throw new NotExercised('both keys are of one organization', '--other-api-key of a second organization')
  return t.other
}

function isListed(list: Exchange, id: string): boolean {
  return needItems(list).some((item) => idOf(field(item, 'id')) === id)
}

/** Ids may be counted for each organization: then the same id is something else elsewhere. */
function sameIds(id: string): NotExercised {
  return new NotExercised(`the other organization has something of its own with the id ${id}`)
}

/** What the other organization is answered when it asks for a task or document of ours. */
async function askForeign(t: TestContext, client: Client, operation: 'getTask' | 'getDocument') {
  const { id } = operation === 'getTask' ? await newTask(t) : await newDocument(t)
  await readBack(t, operation, id)
  const exchange = await client.call(operation, { id })
  const theirs = field(exchange.json, operation === 'getTask' ? 'task' : 'item')
  const same = isAccepted(exchange) && idOf(field(theirs, 'id')) === id
  if (same && !exchange.text.includes(t.runId)) throw sameIds(id)
  return { id, exchange }
}

/** Judges that a list of the other organization does not show something that was created here. */
function notListed(
  id: string,
  operation: OperationId,
  what: string,
  create: (t: TestContext) => Promise<{ id: string }>,
  query?: (t: TestContext) => Record<string, string>,
  more: Partial<Probe> = {},
): Requirement {
  return probe(
    id,
    'MUST',
    routeOf(operation).section,
    operation,
    `A ${what} is not in the list of another organization.`,
    async (t) => {
      const client = await stranger(t)
      const look = async () => needAccepted(await client.call(operation, query ? { query: query(t) } : {}))
      const before = await look()
      const { id } = await create(t)
      const after = await look()
      if (isListed(before, id)) throw sameIds(id)
      expectThat(!isListed(after, id), `items without ${id}`, 'it is among them', after)
    },
    { ...traits, ...more },
  )
}

/** A folder that both organizations may name. */
const folder = (t: TestContext) => ({ folder_id: `folder-${t.runId}` })

export const isolation: Requirement[] = [
  probe(
    'ISOLATION-GET-TASK',
    'MUST',
    '§7',
    'getTask',
    "Another organization's task is answered 404 not_found.",
    async (t) => {
      const client = await stranger(t)
      expectRefused((await askForeign(t, client, 'getTask')).exchange, refusals.notFound)
    },
    traits,
  ),

  probe(
    'ISOLATION-GET-DOCUMENT',
    'MUST',
    '§7',
    'getDocument',
    "Another organization's document is answered 404 not_found.",
    async (t) => {
      const client = await stranger(t)
      expectRefused((await askForeign(t, client, 'getDocument')).exchange, refusals.notFound)
    },
    traits,
  ),

  probe(
    'ISOLATION-RUN-TASK',
    'MUST',
    '§7',
    'runTask',
    "A run of another organization's task is answered 404 not_found and does not start.",
    async (t) => {
      t.budget.allow(1)
      const client = await stranger(t)
      const { id } = await askForeign(t, client, 'getTask')
      const [before, balance] = [await look(t, id), await readCredits(t)]
      const exchange = await client.call('runTask', { id })
      if (isTaken(exchange)) t.budget.spend(1)
      if (exchange.status === 402 && (await readCredits(t, client)) < 1)
        throw new NotExercised('the other organization has no credit to run with, and that was said first')
      expectRefused(exchange, refusals.notFound)
      expectSame((await look(t, id)).status, before.status, 'task.status', exchange)
      await expectSpent(t, 0, { before: balance, after: await readCredits(t) }, 'by the owner', exchange)
    },
    { ...traits, alone: true, quiet: true },
  ),

  notListed('ISOLATION-LIST-TASKS', 'listTasks', 'task', newTask),
  notListed('ISOLATION-LIST-DOCUMENTS', 'listDocuments', 'document', newDocument, () => ({ all: '1' })),
  notListed(
    'ISOLATION-LIST-FILED',
    'listDocuments',
    'document of a folder',
    (t) => newDocument(t, folder(t)),
    folder,
  ),
  notListed('ISOLATION-LIST-UNFILED', 'listDocuments', 'document without a folder', newDocument),

  notListed('ISOLATION-LIST-NOTIFICATIONS', 'listNotifications', 'notification', newNotification, undefined, {
    alone: true,
    needs: ['other_key', 'state:unread_notification'],
  }),

  probe(
    'ISOLATION-LIST-LANDING-PAGES',
    'MUST',
    routeOf('listLandingPages').section,
    'listLandingPages',
    'A landing page is not in the list of another organization.',
    async (t) => {
      const client = await stranger(t)
      await twin(t, 'listLandingPages')
      const name = t.name('Site')
      const created = await t.call('createLandingPage', { body: { business_name: name } })
      throwIfAbsent(t, 'createLandingPage', created)
      needAccepted(created)
      const list = needAccepted(await client.call('listLandingPages'))
      const listed = needItems(list).some((item) => JSON.stringify(item).includes(name))
      expectThat(!listed, `items without "${name}"`, 'it is among them', list)
    },
    traits,
  ),

  probe(
    'ISOLATION-UNREAD',
    'MUST',
    '§5.2',
    'listNotifications',
    'A notification does not raise the unread of another organization.',
    async (t) => {
      const client = await stranger(t)
      const before = needAccepted(await client.call('listNotifications'))
      await newNotification(t)
      const after = needAccepted(await client.call('listNotifications'))
      const [then, now] = [before, after].map((list) => need(field(list.json, 'unread'), 'unread'))
      const known = notificationIds(before)
      if (notificationIds(after).some((id) => !known.includes(id)))
        throw new NotExercised('another notification came to the other organization, or ours is in its list')
      expectSame(now, then, 'unread', before, after)
    },
    { ...traits, alone: true, quiet: true, needs: ['other_key', 'state:unread_notification'] },
  ),

  probe(
    'ISOLATION-READ-NOTIFICATION',
    'MUST',
    '§3.4',
    'readNotification',
    'Another organization cannot mark a notification as read.',
    async (t) => {
      const client = await stranger(t)
      const { id } = await newNotification(t)
      const before = needAccepted(await t.call('listNotifications'))
      const exchange = await client.call('readNotification', { id })
      const after = needAccepted(await t.call('listNotifications'))
      const [then, now] = [before, after].map((list) => field(notificationIn(list, id), 'read'))
      expectThat(then !== false || now !== true, 'read: false', 'read: true', exchange, after)
    },
    { ...traits, alone: true, needs: ['other_key', 'state:unread_notification'] },
  ),

  probe(
    'ISOLATION-CREDITS',
    'MUST',
    '§5.2',
    'runTask',
    "A run leaves another organization's balance as it was.",
    async (t) => {
      await stranger(t)
      const { answer, others } = await ordinaryRun(t)
      const [before, after] = need(others, "the other organization's balance")
      await expectSpent(t, 0, { before, after }, 'by the other organization', answer)
    },
    { ...traits, alone: true, quiet: true, cost: 1 },
  ),
]
