/** §5.2, §5.4, §7: organizations are isolated from each other; tested with a second organization. */

import { routeOf } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, idAsText, isRunAccepted, valueAtPath } from '#traffic/exchange.ts'
import {
  DisturbedByOthers,
  NotExercised,
  rethrowUnlessNotExercised,
  Violation,
} from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import { readTask } from '../fixtures/awaited-runs.ts'
import { readCredits, withBalancesAround } from '../fixtures/credits.ts'
import { assumeNewKeyWorks, newKeyUsedAtOnce } from '../fixtures/key-use.ts'
import {
  expectUnreadChange,
  fourNewNotifications,
  markNotificationTwice,
} from '../fixtures/notification-story.ts'
import { areNotificationsAddedByOthers, unreadCountOf } from '../fixtures/notifications.ts'
import {
  otherOrganizationClient,
  otherOrganizationSessionClient,
  runForeignTask,
} from '../fixtures/organizations.ts'
import { waitAfterRefusals } from '../fixtures/refusals.ts'
import { expectTaskStatusKept } from '../fixtures/refused-runs.ts'
import { assumeRequestedItem, createDocument, sharedDocument, sharedTask } from '../fixtures/resources.ts'
import { ordinaryRun, requestRefusedRun } from '../fixtures/runs.ts'
import { areTasksRunByOthers, expectSpent } from '../fixtures/spending.ts'
import { assumePositiveControl, sharedLandingPage } from '../fixtures/valid-requests.ts'
import { bearerHeader, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumePresent, documentedRefusals, expectRefused } from '../harness/expect.ts'
import { ruleAnchorOfOperation } from '../harness/operations.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import type { RequirementId } from '../model/requirement-id.ts'

const traits = { writes: true, needs: ['other_key'] } as const
const notified = { ...traits, exclusive: true, needs: ['other_key', 'state:unread_notification'] } as const

/** The error for an id that both organizations use for resources of their own, as counted ids may be. */
function sameId(id: string): NotExercised {
  return new NotExercised(`the other organization has a resource of its own with the id ${id}`)
}

/** The lists of the other organization. Continues only if both were accepted. */
function assumeLists(lists: { readonly before: Exchange; readonly after: Exchange } | undefined) {
  const { before, after } = assumePresent(lists, 'the list of the other organization')
  return { before: assumeAccepted(before), after: assumeAccepted(after) }
}

/** True if a text contains one of the run's tags that the body of a request contained. */
const isMarkedLike = ({ run }: TestContext, text: string, { requestBody = '' }: Exchange) =>
  run.tagsIn(requestBody).some((tag) => text.includes(tag))

/** Reads the shared task or document as its owner, then as the other organization: both may get one cached answer. */
const readForeign = (t: TestContext, client: Client, operation: 'getTask' | 'getDocument') =>
  t.evidence(`foreign ${operation}`, () => takeForeign(t, client, operation))

async function takeForeign(t: TestContext, client: Client, operation: 'getTask' | 'getDocument') {
  const { id, exchange: made } = operation === 'getTask' ? await sharedTask(t) : await sharedDocument(t)
  const own = await t.call(operation, { id })
  assumeRequestedItem(own, id)
  const exchange = await client.call(operation, { id })
  if (exchange.status === 503) assumeAccepted(await client.call('whoami', { takes: [503] }))
  const theirs = valueAtPath(exchange.json, operation === 'getTask' ? 'task' : 'item')
  const same = hasSuccessStatus(exchange) && idAsText(valueAtPath(theirs, 'id')) === id
  if (same && !isMarkedLike(t, exchange.text, made)) throw sameId(id)
  return { id, own, exchange }
}

const ownOnly = ['organization-by-credential', 'organization-from-key'] as const

/** A requirement that the list of another organization does not contain what `create` makes. `what`: its kind. */
function notListed(
  id: RequirementId,
  operation: 'listTasks' | 'listDocuments' | 'listLandingPages',
  what: string,
  create: (t: TestContext) => Promise<unknown>,
  ...queries: readonly ((t: TestContext) => Record<string, string>)[]
): Requirement {
  return must(id, routeOf(operation).section, operation, traits)
    .tests(...ownOnly, 'list-contents', ruleAnchorOfOperation(operation))
    .states(`A ${what} does not appear in the list of another organization.`)
    .judged(async (t) => {
      const client = await otherOrganizationClient(t)
      await create(t)
      for (const query of queries.length > 0 ? queries : [() => ({})])
        assumeAccepted(await client.call(operation, { query: query(t) }))
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
    .tests(...ownOnly, 'error-not-found')
    .states(`Reading a ${what} of another organization returns 404 not_found.`)
    .judged(async (t) => [(await readForeign(t, await otherOrganizationClient(t), operation)).exchange]),
)

/** Requirements: an organization can neither read nor change what another one has. */
export const isolationRequirements: Requirement[] = [
  ...notReadable,

  must('ISOLATION-RUN-TASK', '§7', 'runTask', { ...traits, retryOnViolation: true, sharedCredits: 1 })
    .tests('organization-by-credential', 'organization-from-key', 'error-not-found')
    .states('Running a task of another organization returns 404 not_found and starts nothing.')
    .experiment('absence', async (t) => {
      t.budget.allow(1)
      const client = await otherOrganizationClient(t)
      const { id, own } = await readForeign(t, client, 'getTask')
      const { made: exchange, ...balance } = await withBalancesAround(t, async () => {
        const answer = await requestRefusedRun(client, { id })
        if (isRunAccepted(answer)) t.budget.spend(1)
        await waitAfterRefusals(t, answer)
        return answer
      })
      // A balance may show late that it is used up.
      const isUsedUp = async () => (await readCredits(t, client)) < 1 || undefined
      if (exchange.status === 402 && (await t.until(t.settings.consistency, isUsedUp)))
        throw new NotExercised(
          'the other organization has no credit for a run, and the service checks that first',
        )
      expectRefused(exchange, documentedRefusals.notFound)
      await expectTaskStatusKept(
        t,
        { status: valueAtPath(own.json, 'task', 'status') },
        await readTask(t, id),
        exchange,
      )
      await expectSpent(t, 0, balance, 'by the owner', exchange)
      const byKey =
        t.run.isFor('KEY-WORKS', 'ISOLATION-RUN-TASK') &&
        (await runForeignTask(t).catch(rethrowUnlessNotExercised))
      // KEY-WORKS judges a key that is refused everywhere; the credits may be gone, and the service unavailable.
      if (byKey && ![401, 402, 429, 503].includes(byKey.status))
        expectRefused(byKey, documentedRefusals.notFound)
    }),

  notListed('ISOLATION-LIST-TASKS', 'listTasks', 'task', sharedTask),
  notListed('ISOLATION-LIST-DOCUMENTS', 'listDocuments', 'document', sharedDocument, () => ({ all: '1' })),
  notListed(
    'ISOLATION-LIST-FILED',
    'listDocuments',
    'document of a folder',
    async (t) => {
      const { id } = await createDocument(t, folder(t))
      await assumePositiveControl(t, 'getDocument')
      await t.other.call('getDocument', { id })
    },
    folder,
    (t) => ({ ...folder(t), all: '1' }),
  ),
  // An empty text as a folder must not be a folder of all organizations.
  notListed('ISOLATION-LIST-UNFILED', 'listDocuments', 'document without a folder', (t) =>
    createDocument(t, { folder_id: '' }).catch(() => sharedDocument(t)),
  ),

  must('ISOLATION-LIST-NOTIFICATIONS', routeOf('listNotifications').section, 'listNotifications', notified)
    .tests('organization-by-credential', 'list-contents', 'list-notifications', 'organization-from-key')
    .explains('ISOLATION-UNREAD', 'NOTIFICATION-NEW-COUNTED')
    .states('A notification does not appear in the list of another organization.')
    .judged(async (t) => {
      await otherOrganizationClient(t)
      return [assumeLists((await fourNewNotifications(t)).elsewhere).after]
    }),

  notListed('ISOLATION-LIST-LANDING-PAGES', 'listLandingPages', 'landing page', sharedLandingPage),

  must('ISOLATION-UNREAD', '§5.2', 'listNotifications', { ...notified, retryOnViolation: true, cost: 1 })
    .tests('organization-by-credential', 'organization-from-key')
    .explains('NOTIFICATION-NEW-COUNTED', 'NOTIFICATION-READ-COUNT')
    .states('A notification does not change the unread count of another organization.')
    .experiment('absence', async (t) => {
      const client = await otherOrganizationClient(t)
      const { before, after } = assumeLists((await fourNewNotifications(t)).elsewhere)
      expectUnreadChange(before, after, 0, before, after)
      // Nor does one that a run brings.
      const run = await ordinaryRun(t).catch(rethrowUnlessNotExercised)
      const [earlier, later] = [run?.elsewhere?.before.notifications, run?.elsewhere?.after.notifications]
      if (!run || !earlier || !later || !hasSuccessStatus(earlier) || !hasSuccessStatus(later)) return
      const least = unreadCountOf(earlier)
      const most = unreadCountOf(later)
      if (most <= least) return
      const seen = new Violation(`unread: ${least}`, `unread: ${most}`, earlier, run.answer, later)
      const timeOf = (list: Exchange) => t.recorder.sentFor(list)?.sent.ms ?? 0
      const ms = 2 * (timeOf(later) - timeOf(earlier))
      if ((await areTasksRunByOthers(t)) || (await areNotificationsAddedByOthers(t, client, ms)))
        throw new DisturbedByOthers('notifications come without a request of the suite', seen)
      throw Object.assign(seen, { delta: most - least })
    }),

  must('ISOLATION-READ-NOTIFICATION', '§3.4', 'readNotification', { ...notified, runsInsteadOfState: 3 })
    .tests('organization-by-credential', 'notification-marking', 'organization-from-key')
    .explains('NOTIFICATION-NEW-COUNTED')
    .states('An organization cannot mark a notification of another organization as read.')
    .judged(async (t) => {
      const client = await otherOrganizationClient(t)
      const { older } = await markNotificationTwice(t)
      const id = assumePresent(older, 'a notification that is unread')
      await client.call('readNotification', { id })
      return [assumeAccepted(await t.call('listNotifications'))]
    }),

  must('ISOLATION-CREDITS', '§5.2', 'runTask', { ...traits, retryOnViolation: true, cost: 1 })
    .tests('organization-by-credential', 'organization-from-key')
    .explainsBalances('RUN-TWICE', 'LIMIT-REFUSED-RUN', 'UNAVAILABLE-RUN')
    .states('A run does not change the balance of another organization.')
    .experiment('balance', async (t) => {
      await otherOrganizationClient(t)
      const { answer, elsewhere } = await ordinaryRun(t)
      const known = (credits?: number) => assumePresent(credits, "the other organization's balance")
      const balances = {
        before: known(elsewhere?.before.credits),
        after: known(elsewhere?.after.credits),
        caller: t.other.caller,
      }
      await expectSpent(t, 0, balances, 'by the other organization', answer)
    }),
]

const byTheirSession = { writes: true, exclusive: true, needs: ['session', 'other_session'] } as const

/** Requirements: another organization can neither see nor delete the keys of an organization. */
export const keyIsolationRequirements: Requirement[] = [
  must('ISOLATION-LIST-KEYS', '§5.2', 'listKeys', byTheirSession)
    .tests('organization-by-credential', 'list-contents', 'organization-from-key')
    .states('A key does not appear in the list of another organization.')
    .judged(async (t) => {
      const session = await otherOrganizationSessionClient(t)
      await newKeyUsedAtOnce(t)
      assumeAccepted(await session.call('listKeys'))
    }),

  must('ISOLATION-DELETE-KEY', '§5.2', 'deleteKey', byTheirSession)
    .tests('organization-by-credential', 'organization-from-key')
    .states('An organization cannot delete a key of another organization.')
    .judged(async (t) => {
      const session = await otherOrganizationSessionClient(t)
      const { key, value } = await assumeNewKeyWorks(t)
      const client = t.as('created key', bearerHeader(value))
      // Another deletion may have ended it, which shows in a repetition.
      if (t.run.exclusive) assumeAccepted(await client.call('whoami'))
      await session.call('deleteKey', { id: assumePresent(key.id, 'id of the created key') })
      return [await client.call('whoami')]
    }),
]
