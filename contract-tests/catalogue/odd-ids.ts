/** §4, §7: things that do not exist: ids with unusual characters, size or encoding, and what was deleted. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import { isStoppedBefore } from '#traffic/odd-input.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { CallOptions } from '../client/client.ts'
import { readCredits } from '../evidence/credits.ts'
import { deletedKeys } from '../evidence/key-use.ts'
import { deleteKey } from '../evidence/keys.ts'
import { notificationIds, sharedNotification } from '../evidence/notifications.ts'
import { newTask, unknownLike } from '../evidence/resources.ts'
import { isTaken, refusedRun } from '../evidence/runs.ts'
import { assumePositiveControl, assumeRead } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent, documentedFirst, expectRefused, refusals } from '../harness/expect.ts'
import { must, type Requirement, type Traits } from '../harness/requirement.ts'
import { document, refusesOddIds, task, unknownRequest } from './resource-kinds.ts'
import { malformedIds, malformedIdsEverywhere, nearIds, oddIds } from './texts.ts'

/** An operation with an id, and what it may answer to one that does not exist. */
interface Identifying {
  readonly operation: OperationId
  readonly traits: Traits
  readonly mayAccept?: true
  /** Shows first that it works with a usual id. */
  control(t: TestContext): Promise<unknown>
  call(t: TestContext, ask: CallOptions): Promise<Exchange>
}

const run: Identifying = {
  operation: 'runTask',
  traits: { writes: true, alone: true, quiet: true },
  async control(t) {
    const plain = await unknownRequest(t, 'runTask', task)
    assumePresent(isTaken(plain) ? undefined : plain, 'a refusal of a run of an unknown task')
  },
  call: refusedRun,
}

const reading: Identifying = {
  operation: 'readNotification',
  traits: { writes: true, alone: true },
  mayAccept: true,
  async control(t) {
    if (t.states.mayOffer('unread_notification')) await assumePositiveControl(t, 'readNotification')
  },
  call: (t, ask) => t.call('readNotification', ask),
}

const deletion: Identifying = {
  operation: 'deleteKey',
  traits: { writes: true, alone: true, needs: ['session'] },
  mayAccept: true,
  control: (t) => assumePositiveControl(t, 'deleteKey'),
  call: (t, ask) => t.session.call('deleteKey', ask),
}

/** Requires every request with one of these ids to be refused, or answered as one that has nothing to do. */
async function expectUnknown(
  t: TestContext,
  { operation, mayAccept, control, call }: Identifying,
  asks: readonly CallOptions[],
): Promise<void> {
  await control(t)
  const answers: Exchange[] = []
  for (const ask of asks) answers.push(await call(t, ask))
  for (const exchange of documentedFirst(answers)) {
    if (isStoppedBefore(exchange) || (mayAccept && isAccepted(exchange))) continue
    // A service may check the balance first.
    const atZero = operation === 'runTask' && exchange.status === 402 && (await readCredits(t)) < 1
    expectRefused(exchange, atZero ? refusals.noCredits : refusals.notFoundOrBadInput)
  }
}

const malformed = (of: Identifying, ids: readonly string[] = malformedIdsEverywhere): Requirement =>
  must(`MALFORMED-ID-${of.operation}`, '§4', of.operation, of.traits)
    .states(
      `${of.operation} with an id that has NUL or cannot be decoded returns not found${of.mayAccept ? ', bad input or a success' : ' or bad input'}, or is refused by the server in front of it.`,
    )
    .check((t) => {
      const asks = ids.map((rawId) => ({ rawId }))
      return expectUnknown(t, of, asks)
    })

const read = (operation: 'getTask' | 'getDocument'): Identifying => ({
  operation,
  traits: { writes: true },
  control: (t) => assumeRead(t, operation),
  call: (t, ask) => t.call(operation, ask),
})

const asks = oddIds.map((id) => ({ id }))

export const oddIdRefusals: Requirement[] = [
  refusesOddIds(task),
  refusesOddIds(document),

  must('RUN-ODD-ID', '§7', 'runTask', run.traits)
    .states('Running a task with an unusual id, percent-encoded, returns not found or bad input.')
    .check(async (t) => {
      const near = nearIds((await newTask(t)).id)
      return expectUnknown(t, run, [...asks, ...near.map((id) => ({ id }))])
    }),

  must('NOTIFICATION-ODD-ID', '§7', 'readNotification', reading.traits)
    .states(
      'Marking a notification with an unusual id, percent-encoded, returns not found, bad input or a success.',
    )
    .check((t) => expectUnknown(t, reading, asks)),

  must('KEY-ODD-ID', '§7', 'deleteKey', deletion.traits)
    .states('Deleting a key with an unusual id, percent-encoded, returns not found, bad input or a success.')
    .check((t) => expectUnknown(t, deletion, asks)),

  malformed(read('getTask'), malformedIds),
  malformed(read('getDocument')),
  malformed(run),
  malformed(reading),
  malformed(deletion),
]

/** Requires a success, not found or bad input. */
function expectGone(exchange: Exchange): void {
  if (!isAccepted(exchange)) expectRefused(exchange, refusals.notFoundOrBadInput, 'a success')
}

export const missingResources: Requirement[] = [
  must('KEY-DELETE-AGAIN', '§7', 'deleteKey', { writes: true, alone: true, needs: ['session'] })
    .states('Deleting a deleted key returns 404 not_found or a success.')
    .check(async (t) => {
      const [{ key }] = await deletedKeys(t)
      expectGone(await deleteKey(t, key))
    }),

  must('NOTIFICATION-UNKNOWN', '§7', 'readNotification', { writes: true, alone: true })
    .states('Marking an unknown notification as read returns 404 not_found or a success.')
    .check(async (t) => {
      const list = await assumePositiveControl(t, 'listNotifications')
      const shared =
        t.states.mayOffer('unread_notification') && (await sharedNotification(t).catch(() => undefined))
      const known = notificationIds(list)[0] ?? (shared || undefined)
      if (known === undefined)
        throw new NotExercised(
          'there is no notification whose id shows what an unknown id looks like',
          'the state "unread_notification", or an organization with notifications',
        )
      const exchange = await t.call('readNotification', { id: unknownLike(known) })
      if (!isAccepted(exchange) && t.states.mayOffer('unread_notification'))
        await assumePositiveControl(t, 'readNotification')
      expectGone(exchange)
    }),
]
