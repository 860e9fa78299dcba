/** §5.2, §7: an organization's resources are nobody else's. Asked by a second organization. */
import type { OperationId } from '#contract/operation.ts'
import { routeOf } from '#contract/operation.ts'
import type { Client } from '../client.ts'
import { throwIfAbsent, twin } from '../evidence/calls.ts'
import { expectSpent, readCredits } from '../evidence/credits.ts'
import { newNotification, notificationIds, notificationIn } from '../evidence/notifications.ts'
import { newDocument, newTask, readBack } from '../evidence/resources.ts'
import { isTaken, look, ordinaryRun } from '../evidence/runs.ts'
import { type Exchange, field, idOf, isAccepted } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { type Probe, probe, type Requirement } from '../requirement.ts'
import { expectRefused, expectSame, expectThat, need, needAccepted, needItems, refusals } from '../words.ts'

const traits = { writes: true, needs: ['other_key'] } as const

/** Sees that the second key is of another organization; else there is nothing to judge. */
async function stranger(kit: Kit) {
  const mine = await kit.orgId()
  const theirs = await kit.evidence('other org', async () =>
    idOf(field(needAccepted(await kit.other.call('whoami')).json, 'org', 'id')),
  )
  if (need(theirs, 'org.id of the second key') === mine)
    throw new NotExercised('both keys are of one organization', '--other-api-key of a second organization')
  return kit.other
}

function isListed(list: Exchange, id: string): boolean {
  return needItems(list).some((item) => idOf(field(item, 'id')) === id)
}

/** Ids may be counted for each organization: then the same id is something else elsewhere. */
function sameIds(id: string): NotExercised {
  return new NotExercised(`the other organization has something of its own with the id ${id}`)
}

/** What the other organization is answered when it asks for a task or document of ours. */
async function askForeign(kit: Kit, client: Client, operation: 'getTask' | 'getDocument') {
  const { id } = operation === 'getTask' ? await newTask(kit) : await newDocument(kit)
  await readBack(kit, operation, id)
  const exchange = await client.call(operation, { id })
  const theirs = field(exchange.json, operation === 'getTask' ? 'task' : 'item')
  const same = isAccepted(exchange) && idOf(field(theirs, 'id')) === id
  if (same && !exchange.text.includes(kit.runId)) throw sameIds(id)
  return { id, exchange }
}

/** Judges that a list of the other organization does not show something that was created here. */
function notListed(
  id: string,
  operation: OperationId,
  what: string,
  create: (kit: Kit) => Promise<{ id: string }>,
  query?: (kit: Kit) => Record<string, string>,
  more: Partial<Probe> = {},
): Requirement {
  return probe(
    id,
    'MUST',
    routeOf(operation).section,
    operation,
    `A ${what} is not in the list of another organization.`,
    async (kit) => {
      const client = await stranger(kit)
      const look = async () => needAccepted(await client.call(operation, query ? { query: query(kit) } : {}))
      const before = await look()
      const { id } = await create(kit)
      const after = await look()
      if (isListed(before, id)) throw sameIds(id)
      expectThat(!isListed(after, id), `items without ${id}`, 'it is among them', after)
    },
    { ...traits, ...more },
  )
}

/** A folder that both organizations may name. */
const folder = (kit: Kit) => ({ folder_id: `folder-${kit.runId}` })

export const isolation: Requirement[] = [
  probe(
    'ISOLATION-GET-TASK',
    'MUST',
    '§7',
    'getTask',
    "Another organization's task is answered 404 not_found.",
    async (kit) => {
      const client = await stranger(kit)
      expectRefused((await askForeign(kit, client, 'getTask')).exchange, refusals.notFound)
    },
    traits,
  ),

  probe(
    'ISOLATION-GET-DOCUMENT',
    'MUST',
    '§7',
    'getDocument',
    "Another organization's document is answered 404 not_found.",
    async (kit) => {
      const client = await stranger(kit)
      expectRefused((await askForeign(kit, client, 'getDocument')).exchange, refusals.notFound)
    },
    traits,
  ),

  probe(
    'ISOLATION-RUN-TASK',
    'MUST',
    '§7',
    'runTask',
    "A run of another organization's task is answered 404 not_found and does not start.",
    async (kit) => {
      kit.budget.allow(1)
      const client = await stranger(kit)
      const { id } = await askForeign(kit, client, 'getTask')
      const [before, balance] = [await look(kit, id), await readCredits(kit)]
      const exchange = await client.call('runTask', { id })
      if (isTaken(exchange)) kit.budget.spend(1)
      if (exchange.status === 402 && (await readCredits(kit, client)) < 1)
        throw new NotExercised('the other organization has no credit to run with, and that was said first')
      expectRefused(exchange, refusals.notFound)
      expectSame((await look(kit, id)).status, before.status, 'task.status', exchange)
      await expectSpent(kit, 0, { before: balance, after: await readCredits(kit) }, 'by the owner', exchange)
    },
    { ...traits, alone: true, quiet: true },
  ),

  notListed('ISOLATION-LIST-TASKS', 'listTasks', 'task', newTask),
  notListed('ISOLATION-LIST-DOCUMENTS', 'listDocuments', 'document', newDocument, () => ({ all: '1' })),
  notListed(
    'ISOLATION-LIST-FILED',
    'listDocuments',
    'document of a folder',
    (kit) => newDocument(kit, folder(kit)),
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
    async (kit) => {
      const client = await stranger(kit)
      await twin(kit, 'listLandingPages')
      const name = kit.name('Site')
      const created = await kit.call('createLandingPage', { body: { business_name: name } })
      throwIfAbsent(kit, 'createLandingPage', created)
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
    async (kit) => {
      const client = await stranger(kit)
      const before = needAccepted(await client.call('listNotifications'))
      await newNotification(kit)
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
    async (kit) => {
      const client = await stranger(kit)
      const { id } = await newNotification(kit)
      const before = needAccepted(await kit.call('listNotifications'))
      const exchange = await client.call('readNotification', { id })
      const after = needAccepted(await kit.call('listNotifications'))
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
    async (kit) => {
      await stranger(kit)
      const { answer, others } = await ordinaryRun(kit)
      const [before, after] = need(others, "the other organization's balance")
      await expectSpent(kit, 0, { before, after }, 'by the other organization', answer)
    },
    { ...traits, alone: true, quiet: true, cost: 1 },
  ),
]
