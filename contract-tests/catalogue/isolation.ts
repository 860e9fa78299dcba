/** §5.2, §7: an organization's resources are nobody else's. Asked by a second organization. */
import type { OperationId } from '#contract/operation.ts'
import { routeOf } from '#contract/operation.ts'
import {
  newDocument,
  newTask,
  notificationIds,
  notificationIn,
  unreadNotification,
} from '../evidence/resources.ts'
import { isTaken, look, ordinaryRun } from '../evidence/runs.ts'
import { type Exchange, field, idOf, items } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectRefused, expectSame, expectThat, need, needAccepted, refusals } from '../words.ts'

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
  return items(list).some((item) => idOf(field(item, 'id')) === id)
}

/** Judges that a list of the other organization does not show something that was created here. */
function notListed(
  id: string,
  operation: OperationId,
  what: string,
  create: (kit: Kit) => Promise<{ id: string }>,
  query?: Record<string, string>,
): Requirement {
  return probe(
    id,
    'MUST',
    routeOf(operation).section,
    operation,
    `A ${what} is not in the list of another organization.`,
    async (kit) => {
      const client = await stranger(kit)
      const created = await create(kit)
      const list = needAccepted(await client.call(operation, query ? { query } : {}))
      expectThat(!isListed(list, created.id), `items without ${created.id}`, 'it is among them', list)
    },
    traits,
  )
}

export const isolation: Requirement[] = [
  probe(
    'ISOLATION-GET-TASK',
    'MUST',
    '§7',
    'getTask',
    "Another organization's task is answered 404 not_found.",
    async (kit) => {
      const client = await stranger(kit)
      expectRefused(await client.call('getTask', { id: (await newTask(kit)).id }), refusals.notFound)
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
      expectRefused(await client.call('getDocument', { id: (await newDocument(kit)).id }), refusals.notFound)
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
      const { id } = await newTask(kit)
      const before = await look(kit, id)
      const exchange = await client.call('runTask', { id })
      if (isTaken(exchange)) kit.budget.spend(1)
      expectRefused(exchange, refusals.notFound)
      expectSame((await look(kit, id)).status, before.status, 'task.status', exchange)
    },
    { ...traits, alone: true },
  ),

  notListed('ISOLATION-LIST-TASKS', 'listTasks', 'task', newTask),
  notListed('ISOLATION-LIST-DOCUMENTS', 'listDocuments', 'document', newDocument, { all: '1' }),

  probe(
    'ISOLATION-LIST-NOTIFICATIONS',
    'MUST',
    '§4 Notifications',
    'listNotifications',
    'A notification is not in the list of another organization.',
    async (kit) => {
      const client = await stranger(kit)
      const { id } = await unreadNotification(kit)
      const list = needAccepted(await client.call('listNotifications'))
      expectThat(!isListed(list, id), `items without ${id}`, 'it is among them', list)
    },
    { ...traits, alone: true, needs: ['other_key', 'state:unread_notification'] },
  ),

  probe(
    'ISOLATION-READ-NOTIFICATION',
    'MUST',
    '§3.4',
    'readNotification',
    'Another organization cannot mark a notification as read.',
    async (kit) => {
      const client = await stranger(kit)
      await kit.states.setup('unread_notification', { org_id: await kit.orgId() })
      const before = needAccepted(await kit.call('listNotifications'))
      const id = notificationIds(before).find((one) => field(notificationIn(before, one), 'read') === false)
      const exchange = await client.call('readNotification', { id: need(id, 'an unread notification') })
      const after = needAccepted(await kit.call('listNotifications'))
      expectThat(
        field(notificationIn(after, id as string), 'read') !== true,
        'read: false',
        'read: true',
        exchange,
        after,
      )
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
      expectSame(after, before, 'credits of the other organization', answer)
    },
    { ...traits, alone: true, quiet: true, cost: 1 },
  ),
]
