/** §4, §7: requests for what does not exist: ids with unusual characters, size or encoding, and deleted resources. */

import type { OperationId } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, isRunAccepted } from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import type { CallOptions } from '../client/client.ts'
import { deleteOldestAndNewestKey } from '../fixtures/key-use.ts'
import { deleteKey } from '../fixtures/keys.ts'
import { markUnknownNotification } from '../fixtures/notification-story.ts'
import { createTask, ownSuccessfulExchangesOf, sharedTask } from '../fixtures/resources.ts'
import { requestRefusedRun } from '../fixtures/runs.ts'
import {
  idBeyondDoublePrecision,
  idEncodedTwice,
  idWithSecondLine,
  malformedIds,
  malformedIdsReachingRoutes,
  nearMissIds,
  oddIds,
} from '../fixtures/texts.ts'
import { assumePositiveControl, assumeSharedResourceRead } from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent } from '../harness/expect.ts'
import { createdIdIn, ruleAnchorOfOperation } from '../harness/operations.ts'
import { type CheckTraits, must, type Requirement } from '../harness/requirement.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import {
  documentKindDefinition,
  excludeCreditRefusals,
  type ResourceKindDefinition,
  requestUnknownIdAfterRead,
  taskKindDefinition,
} from './resource-kinds.ts'

/** An operation with an id in its path, and how it is tested with ids that do not exist. */
interface Identifying {
  readonly name: string
  readonly operation: OperationId
  /** Action in words, for the statement. */
  readonly doing: string
  readonly traits: CheckTraits
  readonly maySucceed?: true
  /** Malformed ids as they stand in a path, of which some resemble an existing one. */
  malformed?(t: TestContext): Promise<readonly string[]>
  /** Continues only if the operation works with an ordinary id. */
  control(t: TestContext): Promise<unknown>
  call(t: TestContext, ask: CallOptions): Promise<Exchange>
  /** Unusual ids, of which some resemble an existing one. */
  odd?(t: TestContext): Promise<readonly string[]>
}

const reads = ({ prefix, name, read, shared }: ResourceKindDefinition): Identifying => ({
  name: prefix,
  operation: read,
  doing: `Reading a ${name}`,
  traits: { writes: true },
  async malformed(t) {
    const { id } = await shared(t)
    return read === 'getTask'
      ? [...malformedIds, idEncodedTwice(id)]
      : [...malformedIdsReachingRoutes, idWithSecondLine(id)]
  },
  control: (t) => assumeSharedResourceRead(t, read),
  call: (t, ask) => t.call(read, ask),
  odd: async (t) => [...oddIds, await idOfOther(t, name), ...nearMissIds((await shared(t)).id)],
})

/**
 * A further unusual id: for documents the id of a task, which a document may have too; for tasks one beyond doubles.
 */
const idOfOther = async (t: TestContext, name: ResourceKindDefinition['name']): Promise<string> =>
  name === 'document' ? (await sharedTask(t)).id : idBeyondDoublePrecision

const identifying: readonly Identifying[] = [
  reads(taskKindDefinition),
  reads(documentKindDefinition),
  {
    name: 'RUN',
    operation: 'runTask',
    doing: 'Running a task',
    traits: { writes: true, retryOnViolation: true },
    async control(t) {
      const plain = await requestUnknownIdAfterRead(t, 'runTask', taskKindDefinition)
      assumePresent(isRunAccepted(plain) ? undefined : plain, 'a refusal of a run of an unknown task')
    },
    call: requestRefusedRun,
    odd: async (t) => [...oddIds, ...nearMissIds((await createTask(t)).id)],
  },
  {
    name: 'NOTIFICATION',
    operation: 'readNotification',
    doing: 'Marking a notification',
    traits: { writes: true, exclusive: true },
    maySucceed: true,
    async control(t) {
      if (t.states.mayOffer('unread_notification')) await assumePositiveControl(t, 'readNotification')
    },
    call: (t, ask) => t.call('readNotification', ask),
  },
  {
    name: 'KEY',
    operation: 'deleteKey',
    doing: 'Deleting a key',
    traits: { writes: true, exclusive: true, needs: ['session'] },
    maySucceed: true,
    control: (t) => assumePositiveControl(t, 'deleteKey'),
    call: (t, ask) => t.session.call('deleteKey', ask),
  },
]

/** The answers to requests with these ids, after the operation was shown to work with an ordinary id. */
async function ask(
  t: TestContext,
  { control, call }: Identifying,
  as: 'id' | 'rawId',
  ids: readonly string[],
) {
  await control(t)
  const answers: Exchange[] = []
  for (const id of ids) answers.push(await call(t, { [as]: id, invented: 'odd' }))
  const tasks = new Set(ownSuccessfulExchangesOf(t, 'createTask').map(createdIdIn))
  return excludeCreditRefusals(
    t,
    answers.filter((one) => !hasSuccessStatus(one) || !tasks.has(decodedPathId(one))),
  )
}

const ending = ({ maySucceed }: Identifying) =>
  `returns not found${maySucceed ? ', bad input or a success' : ' or bad input'}`

/** Requirements: ids with unusual characters are refused as unknown or bad input. */
export const oddIdRequirements: Requirement[] = [
  ...identifying.map((one) =>
    must(`${one.name}-ODD-ID` as RequirementId, '§7', one.operation, one.traits)
      .tests(
        'odd-input',
        'error-not-found',
        ...(one.operation === 'readNotification' ? [ruleAnchorOfOperation(one.operation)] : []),
      )
      .states(`${one.doing} with an unusual id, percent-encoded, ${ending(one)}.`)
      .judged(async (t) => ask(t, one, 'id', (await one.odd?.(t)) ?? oddIds), 'exchange'),
  ),
  ...identifying.map((one) =>
    must(`MALFORMED-ID-${one.operation}` as RequirementId, '§4', one.operation, one.traits)
      .tests('malformed-input', ruleAnchorOfOperation(one.operation))
      .states(
        `${one.operation} with an id that has a control character or cannot be decoded ${ending(one)}, or is refused by the server in front of it.`,
      )
      .judged(
        async (t) => ask(t, one, 'rawId', (await one.malformed?.(t)) ?? malformedIdsReachingRoutes),
        'exchange',
      ),
  ),
]

/** Requirements: unknown ids are answered 404. */
export const unknownIdRequirements: Requirement[] = [
  must('KEY-DELETE-AGAIN', '§7', 'deleteKey', { writes: true, exclusive: true, needs: ['session'] })
    .tests('delete-key', 'status-404')
    .states('Deleting a deleted key returns 404 not_found or a success.')
    .judged(async (t) => [await deleteKey(t, (await deleteOldestAndNewestKey(t))[0].key)], 'exchange'),

  must('NOTIFICATION-UNKNOWN', '§7', 'readNotification', { writes: true, exclusive: true })
    .tests('read-notification', 'status-404')
    .states('Marking an unknown notification as read returns 404 not_found or a success.')
    .judged(async (t) => {
      const { answer } = await markUnknownNotification(t)
      if (!hasSuccessStatus(answer) && t.states.mayOffer('unread_notification'))
        await assumePositiveControl(t, 'readNotification')
      return [answer]
    }, 'exchange'),
]
