/** §5.2, §7: organizations are isolated from each other; tested with a second organization. */
import type { OperationId } from '#contract/operation.ts'
import { routeOf } from '#contract/operation.ts'
import { field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import { expectSpent, readCredits } from '../evidence/credits.ts'
import { newNotification, notificationIds } from '../evidence/notifications.ts'
import { otherOrganization } from '../evidence/organizations.ts'
import { newDocument, newLandingPage, newTask, readBack } from '../evidence/resources.ts'
import { isTaken, ordinaryRun, readTask, soon } from '../evidence/runs.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import {
  assumeAccepted,
  assumeItems,
  assumePresent,
  expectRefused,
  expectSame,
  expectThat,
  itemIn,
  refusals,
} from '../harness/expect.ts'
import { must, type Requirement, type Traits } from '../harness/requirement.ts'

const traits = { writes: true, needs: ['other_key'] } as const
const notified = { ...traits, alone: true, needs: ['other_key', 'state:unread_notification'] } as const

/** Ids may be counted per organization: the same id may be something else in another one. */
function sameId(id: string): NotExercised {
  return new NotExercised(`the other organization has a resource of its own with the id ${id}`)
}

/** Reads a new task or document as the other organization. */
async function readForeign(t: TestContext, client: Client, operation: 'getTask' | 'getDocument') {
  const { id } = operation === 'getTask' ? await newTask(t) : await newDocument(t)
  await readBack(t, operation, id)
  const exchange = await client.call(operation, { id })
  const theirs = field(exchange.json, operation === 'getTask' ? 'task' : 'item')
  const same = isAccepted(exchange) && idOf(field(theirs, 'id')) === id
  if (same && !exchange.text.includes(t.runId)) throw sameId(id)
  return { id, exchange }
}

/** The list of another organization does not contain what is created here. */
function notListed(
  id: string,
  operation: OperationId,
  what: string,
  create: (t: TestContext) => Promise<{ id: string }>,
  query: (t: TestContext) => Record<string, string> | undefined = () => undefined,
  more: Traits = traits,
): Requirement {
  return must(id, routeOf(operation).section, operation, more)
    .states(`A ${what} does not appear in the list of another organization.`)
    .check(async (t) => {
      const client = await otherOrganization(t)
      const readList = async () => {
        const wanted = query(t)
        return assumeAccepted(await client.call(operation, wanted ? { query: wanted } : {}))
      }
      const before = await readList()
      const { id } = await create(t)
      const after = await readList()
      if (itemIn(before, id) !== undefined) throw sameId(id)
      expectThat(itemIn(after, id) === undefined, `items without ${id}`, 'the list contains it', after)
    })
}

/** A folder name that both organizations may use. */
const folder = (t: TestContext) => ({ folder_id: `folder-${t.runId}` })

const notReadable = (
  [
    ['TASK', 'task', 'getTask'],
    ['DOCUMENT', 'document', 'getDocument'],
  ] as const
).map(([name, what, operation]) =>
  must(`ISOLATION-GET-${name}`, '§7', operation, traits)
    .states(`Reading a ${what} of another organization returns 404 not_found.`)
    .check(async (t) => {
      const client = await otherOrganization(t)
      expectRefused((await readForeign(t, client, operation)).exchange, refusals.notFound)
    }),
)

export const isolation: Requirement[] = [
  ...notReadable,

  must('ISOLATION-RUN-TASK', '§7', 'runTask', { ...traits, alone: true, quiet: true })
    .states('Running a task of another organization returns 404 not_found and starts nothing.')
    .check(async (t) => {
      t.budget.allow(1)
      const client = await otherOrganization(t)
      const { id } = await readForeign(t, client, 'getTask')
      const [before, balance] = [await readTask(t, id), await readCredits(t)]
      const exchange = await client.call('runTask', { id })
      if (isTaken(exchange)) t.budget.spend(1)
      if (exchange.status === 402 && (await readCredits(t, client)) < 1)
        throw new NotExercised(
          'the other organization has no credit for a run, and the service checks that first',
        )
      expectRefused(exchange, refusals.notFound)
      await t.target.sleep(soon)
      const after = await readTask(t, id)
      expectSame(after.status, before.status, 'task.status', exchange, after.exchange)
      await expectSpent(t, 0, { before: balance, after: await readCredits(t) }, 'by the owner', exchange)
    }),

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
  notListed(
    'ISOLATION-LIST-NOTIFICATIONS',
    'listNotifications',
    'notification',
    newNotification,
    undefined,
    notified,
  ),

  must('ISOLATION-LIST-LANDING-PAGES', routeOf('listLandingPages').section, 'listLandingPages', traits)
    .states('A landing page does not appear in the list of another organization.')
    .check(async (t) => {
      const client = await otherOrganization(t)
      await assumePositiveControl(t, 'listLandingPages')
      const { name } = await newLandingPage(t)
      const list = assumeAccepted(await client.call('listLandingPages'))
      const listed = assumeItems(list).some((item) => JSON.stringify(item).includes(name))
      expectThat(!listed, `items without "${name}"`, 'the list contains it', list)
    }),

  must('ISOLATION-UNREAD', '§5.2', 'listNotifications', { ...notified, quiet: true })
    .states('A notification does not change the unread count of another organization.')
    .check(async (t) => {
      const client = await otherOrganization(t)
      const before = assumeAccepted(await client.call('listNotifications'))
      await newNotification(t)
      const after = assumeAccepted(await client.call('listNotifications'))
      const [first, second] = [before, after].map((list) =>
        assumePresent(field(list.json, 'unread'), 'unread'),
      )
      const known = notificationIds(before)
      if (notificationIds(after).some((id) => !known.includes(id)))
        throw new NotExercised('the list of the other organization contains a new notification')
      expectSame(second, first, 'unread', before, after)
    }),

  must('ISOLATION-READ-NOTIFICATION', '§3.4', 'readNotification', notified)
    .states('An organization cannot mark a notification of another organization as read.')
    .check(async (t) => {
      const client = await otherOrganization(t)
      const { id } = await newNotification(t)
      const before = assumeAccepted(await t.call('listNotifications'))
      const exchange = await client.call('readNotification', { id })
      const after = assumeAccepted(await t.call('listNotifications'))
      const [first, second] = [before, after].map((list) => field(itemIn(list, id), 'read'))
      expectThat(first !== false || second !== true, 'read: false', 'read: true', exchange, after)
    }),

  must('ISOLATION-CREDITS', '§5.2', 'runTask', { ...traits, alone: true, quiet: true, cost: 1 })
    .states('A run does not change the balance of another organization.')
    .check(async (t) => {
      await otherOrganization(t)
      const { answer, otherBalance } = await ordinaryRun(t)
      const [before, after] = assumePresent(otherBalance, "the other organization's balance")
      await expectSpent(t, 0, { before, after }, 'by the other organization', answer)
    }),
]
