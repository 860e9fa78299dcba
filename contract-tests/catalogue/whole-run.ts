/** Requirements on the whole traffic of a run of the suite, tested after all others. */

import type { OperationId } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import { DisturbedByOthers, NotExercised, rethrowUnlessNotExercised } from '../client/check-errors.ts'
import { retryAfterMs } from '../client/rate-limits.ts'
import {
  createKeyAfterDeletions,
  createKeysForDeletionTest,
  createKeyWithClient,
  deleteKeyTwice,
  sharedClientWithCreatedKey,
} from '../fixtures/key-use.ts'
import { createKey } from '../fixtures/keys.ts'
import { provokeRateLimit, sendUntilLimited, withRateLimitOfOne } from '../fixtures/limits.ts'
import { takeNewNotificationId } from '../fixtures/notifications.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { waitAfterRefusals } from '../fixtures/refusals.ts'
import {
  alreadyViolatedRequirement,
  assumeNoTaskRunByOthers,
  balanceMovedByOthersError,
  isTaskListedUnchanged,
  refusedRunsOfSuite,
  showsStartedTask,
} from '../fixtures/refused-runs.ts'
import { createTask, ownSuccessfulExchangesOf } from '../fixtures/resources.ts'
import { secondRunWithOtherKey } from '../fixtures/second-run.ts'
import { areTasksRunByOthers, isBalanceStillChanging } from '../fixtures/spending.ts'
import { sendRequestAsUnauthorized } from '../fixtures/unauthorized.ts'
import { assumePositiveControl, sendPositiveControl } from '../fixtures/valid-requests.ts'
import { bearerHeader, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumePresent, consequenceError, expectThat, shortJson } from '../harness/expect.ts'
import { createdIdIn, ruleAnchorOfOperation } from '../harness/operations.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import { rateLimitedCheckTraits } from './limits.ts'
import { createResourceAmongMany } from './long-lists.ts'
import { documentKindDefinition, type ResourceKindDefinition, taskKindDefinition } from './resource-kinds.ts'
import { consecutiveRuns } from './run-costs.ts'
import { assumeRunResponseField } from './runs.ts'

const writes = { writes: true, exclusive: true } as const

/** By prefix of a kind: requirements whose violations are explained if a created resource cannot be read. */
const readingExplains = {
  TASK: ['RUN-ENDS', 'RUN-FINISHED-STAYS', 'TASK-LISTED', 'TASK-LISTED-LAST'],
  DOC: ['DOC-ALL', 'DOC-LISTED-LAST'],
} as const

const readable = (kind: ResourceKindDefinition): Requirement => {
  const { prefix, name, create, read, shared } = kind
  return must(`${prefix}-READABLE`, '§4', read, writes)
    .tests(kind.fieldsRule, ruleAnchorOfOperation(read))
    .explains(...readingExplains[prefix])
    .states(`A created ${name} can be read by its id, and the response contains that id.`)
    .judged(async (t) => {
      const ids = [
        madeByDeletedKey(t, create) ?? (await shared(t)).id,
        (await createResourceAmongMany(t, kind)).id,
      ]
      for (const id of ids) await t.call(read, { id })
    })
}

/** The secrets of created keys that were deleted. */
function deletedSecrets(t: TestContext): string[] {
  const living = new Set(t.all.flatMap(({ keys }) => keys.map(({ secret }) => secret)))
  return t.secrets.map(({ secret }) => secret).filter((secret) => !living.has(secret))
}

/** The id of something that was created with a key which was deleted since. */
function madeByDeletedKey(t: TestContext, create: OperationId): string | undefined {
  const gone = new Set(deletedSecrets(t).map((secret) => bearerHeader(secret).authorization))
  const made = t.recorder.exchanges.find(
    (one) =>
      one.operation === create && hasSuccessStatus(one) && gone.has(one.requestHeaders.authorization ?? ''),
  )
  return made && createdIdIn(made)
}

const unique = ({ prefix, name, create, make, fieldsRule }: ResourceKindDefinition): Requirement =>
  must(`${prefix}-UNIQUE`, '§2', create, writes)
    .tests('ids', fieldsRule)
    .explains(
      ...(['LIST-IDS-UNIQUE', `${prefix}-CREATED-ONCE`, `${prefix}-LISTED-SAME`] as const),
      ...(prefix === 'TASK'
        ? (['RUN-KEEPS-TASK'] as const)
        : (['DOC-KEEPS-TITLE', 'DOC-UNFILED-ONLY'] as const)),
    )
    .states(`Each created ${name} has a unique id.`)
    .judged(async (t) => {
      while (ownSuccessfulExchangesOf(t, create).length < 2) await make(t)
    })

/** Creations, and the list that would show each. */
const creations = [
  ['TASK', 'task', 'createTask', 'listTasks'],
  ['DOCUMENT', 'document', 'createDocument', 'listDocuments'],
  ['KEY', 'key', 'createKey', 'listKeys'],
  ['LANDING-PAGE', 'landing page', 'createLandingPage', 'listLandingPages'],
] as const

/** Creations refused for want of a credential are not listed later either. */
const notCreated = creations.map(([id, name, create, list]) =>
  must(`AUTH-REFUSED-${id}`, '§5.3', create, { ...writes, needs: create === 'createKey' ? ['session'] : [] })
    .tests('unauthorized-first', 'error-unauthorized')
    .states(`A ${name} whose creation is rejected with 401 is not created.`)
    .judged((t) => listsAfterRefusal(t, create, list)),
)

/** A mark refused for want of a credential has no effect. */
const notMarked = must('AUTH-REFUSED-MARKING', '§5.3', 'readNotification', {
  ...writes,
  retryOnViolation: true,
})
  .tests('unauthorized-first', 'error-unauthorized')
  .states('A notification whose marking is rejected with 401 is not marked as read.')
  .judged(async (t) => {
    const isUnread = (item: unknown) => valueAtPath(item, 'read') === false
    const isShared = itemsOf(await sendPositiveControl(t, 'listNotifications')).some(isUnread)
    if (isShared || !t.states.mayOffer('unread_notification'))
      return listsAfterRefusal(t, 'readNotification', 'listNotifications')
    // The requests of others had nothing unread to mark.
    const id = await takeNewNotificationId(t)
    await t.call('listNotifications')
    await t.nobody.call('readNotification', { id })
    return [await t.call('listNotifications')]
  })

/** A deletion refused for want of a credential has no effect. */
const notDeleted = must('AUTH-REFUSED-DELETION', '§5.3', 'deleteKey', {
  ...writes,
  retryOnViolation: true,
  needs: ['session'],
})
  .tests('unauthorized-first', 'error-unauthorized')
  .states('A key whose deletion is rejected with 401 still works.')
  .judged(async (t) => {
    await assumePositiveControl(t.first ?? t, 'deleteKey')
    const { key, client } = await (t.run.exclusive ? createKeyWithClient(t) : sharedClientWithCreatedKey(t))
    const { status } = await t.nobody.call('deleteKey', { id: assumePresent(key.id, 'the id of the key') })
    if (status !== 401) throw consequenceError('AUTH-MISSING-deleteKey', 'it is not rejected')
    return [await client.call('whoami')]
  })

/** The lists read after a request without a credential was refused with 401. Continues only if it was refused. */
async function listsAfterRefusal(
  t: TestContext,
  operation: OperationId,
  list: OperationId,
): Promise<Exchange[]> {
  const { number, status } = await sendRequestAsUnauthorized(t, 'MISSING', operation)
  if (status !== 401) throw consequenceError(`AUTH-MISSING-${operation}`, 'it is not rejected')
  const shown = () =>
    t.recorder.exchanges.filter(
      (one) => one.operation === list && one.number > number && hasSuccessStatus(one),
    )
  const query = list === 'listDocuments' ? { all: '1' } : {}
  if (shown().length === 0) await (list === 'listKeys' ? t.session : t.main).call(list, { query })
  return shown()
}

/** Provokes a 429 if the run has seen none. */
async function provokeLimit(t: TestContext): Promise<void> {
  if (!t.recorder.exchanges.some(({ status }) => status === 429)) await provokeRateLimit(t)
}

/** Continues only if a task that never ran does not look started. */
async function assumeNewTasksIdle(t: TestContext): Promise<void> {
  const { id } = await createTask(t)
  if (showsStartedTask(assumeAccepted(await t.call('getTask', { id }))))
    throw consequenceError('TASK-NEW-UNFINISHED', 'a task that never ran looks as if it had')
}

/** Continues only if nobody else runs tasks or changes the balance. */
async function assumeNobodyElseRuns(owner: TestContext): Promise<void> {
  await assumeNoTaskRunByOthers(owner)
  if (hasSeenOtherClients(owner) || (await isBalanceStillChanging(owner))) throw balanceMovedByOthersError()
}

/** By status: how to have another run refused with it. */
const rejecting: Readonly<Record<number, (t: TestContext, id: string) => Promise<Exchange>>> = {
  401: (t, id) => t.nobody.call('runTask', { id }),
  429: (t, id) =>
    withRateLimitOfOne(t, async () => {
      await sendUntilLimited(() => t.call('whoami', { takes: [429] }))
      return t.call('runTask', { id, takes: [429] })
    }),
  503: (t, id) => t.during('unavailable', {}, () => t.call('runTask', { id, takes: [503] })),
}

/**
 * The id of a new task whose run is refused with the same status and does not start within 1 s; undefined: otherwise.
 */
async function idleAgain(t: TestContext, { status }: Exchange): Promise<string | undefined> {
  const { id } = await createTask(t)
  const exchange = await rejecting[status]?.(t, id).catch(rethrowUnlessNotExercised)
  if (exchange?.status !== status) return undefined
  await t.target.sleep(1_000)
  return showsStartedTask(await t.call('getTask', { id })) ? undefined : id
}

/** Requirements that hold for everything that a run has created and read. */
export const wholeTrafficRequirements: Requirement[] = [
  readable(taskKindDefinition),
  readable(documentKindDefinition),
  unique(taskKindDefinition),
  unique(documentKindDefinition),

  must('KEY-UNIQUE', '§2', 'createKey', { ...writes, needs: ['session'] })
    .tests('key-secret')
    .explains(
      'KEY-DELETED-DEAD',
      'KEY-LAST-USED',
      'AUTH-ORGANIZATION',
      'AUTH-STABLE-ORGANIZATION',
      'ISOLATION-*',
    )
    .states('Each created key has a unique secret.')
    .judged(async (t) => {
      while (t.secrets.length < 2) await createKey(t)
    }),

  must('KEY-ID-UNIQUE', '§2', 'listKeys', { ...writes, needs: ['session'] })
    .tests('ids', 'key-id')
    .explains('LIST-IDS-UNIQUE', 'LIST-PROMPT', 'KEY-DELETED-DEAD')
    .states('Each listed key has a unique id.')
    .judged(async (t) => {
      await createKeyAfterDeletions(t)
      await createKeysForDeletionTest(t)
    }),

  must('KEY-STAYS-DEAD', '§5.3', 'deleteKey', { ...writes, needs: ['session'] })
    .tests('deleted-key')
    .explains('KEY-DELETED-UNLISTED')
    .states('A deleted key stays invalid when other keys are created and deleted.')
    .judged(async (t) => {
      const later = await createKeyAfterDeletions(t)
      await deleteKeyTwice(t, later.key)
      if (!later.isNamesake) await deleteKeyTwice(t, await createKey(t, later.key.name))
      const refused = t.recorder.exchanges.filter(({ status }) => status === 401)
      const keys = new Set(refused.map(({ requestHeaders }) => requestHeaders.authorization))
      const gone = deletedSecrets(t)
        .map(bearerHeader)
        .filter(({ authorization }) => keys.has(authorization))
      assumePresent(gone[0], 'a deleted key that was refused')
      return Promise.all(gone.map((credentials) => t.as('created key', credentials).call('whoami')))
    }),

  must('RUN-ID-UNIQUE', '§2', 'runTask', { ...writes, cost: 2 })
    .tests('ids', 'run-names-itself')
    .states('Each run has a unique runId (second variant).')
    .judged(async (t) => assumeRunResponseField((await secondRunWithOtherKey(t)).answer, 'runId')),

  must('RUN-REFUSED-LATER', '§3.2', 'runTask', writes)
    .tests('run-already-active')
    .explainsBalances('ISOLATION-CREDITS')
    .states('A run that was rejected does not happen later.')
    .experiment('absence', async (t) => {
      const seen = () => t.all.flatMap((one) => refusedRunsOfSuite(one).map((run) => [one, ...run] as const))
      if (!seen().some(([, , { status }]) => status === 401))
        await t.nobody.call('runTask', { id: (await createTask(t)).id })
      const twice = t.run.wants('RUN-TWICE')
        ? await consecutiveRuns(t).catch(rethrowUnlessNotExercised)
        : undefined
      const { again, back } = twice ?? {}
      const goesOn = back?.status === 'in_progress' && !back.finished
      if (goesOn && (hasSeenOtherClients(t) || (await areTasksRunByOthers(t))))
        throw new DisturbedByOthers(`${decodedPathId(back.exchange)} runs again: somebody else may run it`)
      expectThat(!goesOn, 'finished: true, as before', 'in_progress again', again, back?.exchange)
      const refusals = seen()
      if (refusals.length === 0) throw new NotExercised('no run of an existing task was rejected')
      await waitAfterRefusals(t, ...refusals.map(([, , refusal]) => refusal))
      const lists = new Map<TestContext, Exchange>()
      for (const { 0: owner } of refusals)
        if (!lists.has(owner)) lists.set(owner, await owner.call('listTasks'))
      const listOf = (owner: TestContext) => lists.get(owner) as Exchange
      for (const [owner, id, exchange] of refusals) {
        const ofSame = owner.recorder.exchanges.filter(
          (one) => one.operation === 'runTask' && decodedPathId(one) === id,
        )
        if (ofSame.some((one) => alreadyViolatedRequirement(t, one) !== undefined)) continue
        if (isTaskListedUnchanged(owner, listOf(owner), id)) continue
        const read = await owner.call('getTask', { id })
        if (showsStartedTask(read)) {
          if (t.settings.shared) throw new DisturbedByOthers(`${id} ran: somebody else may have run it`)
          await assumeNewTasksIdle(t)
          await assumeNobodyElseRuns(owner)
          const isSame = (one: TestContext, other: string, { status }: Exchange) =>
            one === owner && other !== id && status === exchange.status
          const alike = refusals.find(
            (one) => isSame(...one) && isTaskListedUnchanged(owner, listOf(owner), one[1]),
          )
          const other = alike?.[1] ?? (await idleAgain(owner, exchange))
          if (other !== undefined)
            throw new DisturbedByOthers(`${id} ran, and ${other} did not, which was rejected alike`)
        }
        const { status } = Object(valueAtPath(read.json, 'task'))
        const shown = `status ${shortJson(status)}, finished: ${shortJson(valueAtPath(read.json, 'finished'))}`
        expectThat(!showsStartedTask(read), 'a task that neither runs nor has run', shown, exchange, read)
      }
      const known = refusals.map(([, , refusal]) => alreadyViolatedRequirement(t, refusal))
      const [first] = known
      if (first && known.every((one) => one !== undefined))
        throw consequenceError(first, 'every rejected run is a violation already')
    }),

  ...notCreated,
  notMarked,
  notDeleted,

  must('AUTH-STABLE-ORGANIZATION', '§5.2', 'whoami', { exclusive: true })
    .tests('organization-by-credential', 'org-id', 'organization-from-key')
    .states('whoami returns the same org.id for the same key every time.')
    .judged(async (t) => {
      while (ownSuccessfulExchangesOf(t, 'whoami').length < 2) assumeAccepted(await t.call('whoami'))
    }),

  must('LIMIT-RETRY-AFTER', '§8.1', null, rateLimitedCheckTraits)
    .tests('limits-everywhere', 'error-rate-limited', 'status-429', 'rate-limit')
    .states('Every 429 response has a Retry-After header in seconds or as an HTTP date (RFC 9110 §10.2.3).')
    .judged(provokeLimit, ({ exchanges }) => {
      // A recorder may leave out all headers.
      const isWhole = exchanges.some(({ headers }) => Object.keys(headers).length > 1)
      const limited = exchanges.filter(({ status }) => status === 429 && isWhole)
      if (limited.length === 0) throw new NotExercised('no 429 response was seen')
      for (const exchange of limited) {
        const { 'retry-after': value, date } = exchange.headers
        const wanted = 'a Retry-After header with whole seconds or an HTTP date'
        expectThat(
          retryAfterMs(value, date) !== undefined,
          wanted,
          value ?? 'no Retry-After header',
          exchange,
        )
      }
    }),
]
