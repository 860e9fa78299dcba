/**
 * Conditions of triggers and named defects: what has happened, and what is remembered of it for each organization or
 * thing.
 */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import {
  type Condition,
  isHandlerFailure,
  isRequestAccepted,
  type Occasion,
  type OccasionKind,
} from './occasion.ts'

/**
 * A condition with a remembered value for each organization, or for each value of `per`: `next` updates it, `fires`
 * decides.
 */
export function conditionWithMemory<T>(
  start: T,
  next: (value: T, one: Occasion, isOne: boolean) => T,
  fires: (value: T, one: Occasion) => boolean,
  per: (one: Occasion) => unknown = ({ org }) => org,
): Condition {
  return {
    create() {
      const all = new Map<unknown, T>()
      const of = (one: Occasion) => all.get(per(one)) ?? start
      return {
        fires: (one) => fires(of(one), one),
        note: (one, isOne) => void all.set(per(one), next(of(one), one, isOne)),
      }
    },
  }
}

/** A condition without memory, which holds where `fires` says so. */
export const statelessCondition = (fires: (one: Occasion) => boolean): Condition => ({
  create: () => ({ fires }),
})

/**
 * The id of the resource that an occasion is about; as `per` of `conditionWithMemory`, it gives each resource a memory
 * of its own.
 */
export const idOfOccasion = ({ id }: Occasion) => id

/** A kind of event in the past of an organization, after which a history defect can show. */
export interface PriorEvent {
  readonly id: string
  readonly occasionKind: OccasionKind
  readonly says: string
  readonly is: (one: Occasion) => boolean
}

/** A kind of event after which a history defect can show. */
export const definePriorEvent = (
  occasionKind: OccasionKind,
  id: string,
  says: string,
  is: (one: Occasion) => boolean = isRequestAccepted,
): PriorEvent => ({ id, occasionKind, says, is: (one) => one.occasionKind === occasionKind && is(one) })

/** Creates the predicate that is true of occasions whose request was answered with the error of this name. */
export const createErrorAnswerPredicate =
  (name: string) =>
  ({ answer }: Occasion) =>
    isHandlerFailure(answer) && answer.name === name

/** Creates the predicate that holds where a run has this outcome. */
export const createRunOutcomePredicate =
  (outcome: 'failed' | 'completed') =>
  ({ run }: Occasion) =>
    run?.outcome === outcome

/** Every kind of event after which a history defect can show. */
export const priorEvents = [
  definePriorEvent(
    'runTask',
    'run-402',
    'a run was refused with 402',
    createErrorAnswerPredicate('no_credits'),
  ),
  definePriorEvent('runTask', 'run-404', 'a run of an unknown task', createErrorAnswerPredicate('not_found')),
  definePriorEvent(
    'runTask',
    'run-conflict',
    'a run was refused since the task was running',
    createErrorAnswerPredicate('conflict'),
  ),
  definePriorEvent('runTask', 'run-waits', 'a run had to wait', createErrorAnswerPredicate('busy')),
  definePriorEvent('end', 'failure', 'a run failed', createRunOutcomePredicate('failed')),
  definePriorEvent('end', 'success', 'a run completed', createRunOutcomePredicate('completed')),
  definePriorEvent(
    'getTask',
    'task-404',
    'a read of an unknown task',
    createErrorAnswerPredicate('not_found'),
  ),
  definePriorEvent(
    'getDocument',
    'document-404',
    'a read of an unknown document',
    createErrorAnswerPredicate('not_found'),
  ),
  definePriorEvent('generateCreative', 'creative', 'a creative'),
  definePriorEvent(
    'generateCreative',
    'creative-failed',
    'a creative failed',
    createErrorAnswerPredicate('unavailable'),
  ),
  definePriorEvent('createKey', 'key-made', 'a key was made'),
  definePriorEvent('deleteKey', 'key-deleted', 'a key was deleted'),
  definePriorEvent('readNotification', 'mark', 'a notification was marked as read'),
  definePriorEvent('createDocument', 'document', 'a document was made'),
  definePriorEvent('listDocuments', 'documents-listed', 'documents were listed'),
  definePriorEvent('listTasks', 'tasks-listed', 'tasks were listed'),
] as const

/** The kind of event with an id. @throws Error if there is none. */
export function priorEventById(id: string): PriorEvent {
  const found = priorEvents.find((one) => one.id === id)
  if (!found) throw new Error(`no happening ${id}`)
  return found
}

/**
 * A condition that sees all requests of the given operations that arrive at the same time: they wait for each other
 * before it is asked.
 */
export const withConcurrentRequestsGathered = (
  operations: readonly OperationId[],
  condition: Condition,
): Condition => ({
  ...condition,
  gathers: () => operations,
})

/** A condition that holds if two conditions hold. */
export const bothConditions = (one: Condition, other: Condition): Condition => ({
  create(effect) {
    const memories = [one.create(effect), other.create(effect)]
    return {
      fires: (occasion) => memories.every(({ fires }) => fires(occasion)),
      note(occasion, isOne) {
        for (const { note } of memories) note?.(occasion, isOne)
      },
    }
  },
})

/** A condition that holds the next time for a resource after an event has happened to it. */
export const nextTimeAfter = (is: (one: Occasion) => boolean): Condition =>
  conditionWithMemory(
    false,
    (isMarked, one, isOne) => is(one) || (isMarked && !isOne),
    (isMarked) => isMarked,
    idOfOccasion,
  )

/** A condition that holds for a task whose previous run had a given outcome. */
export const rerunAfter = (outcome: 'failed' | 'completed'): Condition =>
  conditionWithMemory<unknown>(
    undefined,
    (last, { occasionKind, run }) => (occasionKind === 'end' ? run?.outcome : last),
    (last) => last === outcome,
    idOfOccasion,
  )

/** A condition that holds for a task of which at least `times` runs have ended, the last of them at least `ms` ago. */
export const afterEndedRuns = (times: number, ms: number): Condition =>
  conditionWithMemory<readonly number[]>(
    [],
    (ends, { occasionKind, now }) => (occasionKind === 'end' ? [...ends, now] : ends),
    (ends, { now }) => ends.length >= times && now - (ends.at(-1) ?? now) >= ms,
    idOfOccasion,
  )

/**
 * A condition that holds in an organization once every occasion of a kind, such as a run request, has for `ms` been
 * the same event, such as a refusal; any other occasion of the kind ends it.
 */
export const afterUninterruptedEvents = ({ occasionKind, is }: PriorEvent, ms: number): Condition =>
  conditionWithMemory<number | undefined>(
    undefined,
    (first, one) => (one.occasionKind !== occasionKind ? first : is(one) ? (first ?? one.now) : undefined),
    (first, { now }) => now - (first ?? now) >= ms,
  )

/** A condition on the key that created the resource that a request names; if it names none, the newest resource. */
export function conditionOnCreatorKey(is: (creator: Occasion['key'], one: Occasion) => boolean): Condition {
  const made = ({ occasionKind, org }: Occasion) =>
    (occasionKind === 'createDocument' || occasionKind === 'getDocument' ? org.documents : org.tasks).newest(
      1,
    )[0]?.id ?? ''
  return conditionWithMemory<Occasion['key']>(
    undefined,
    (creator, one) =>
      ['createTask', 'createDocument'].includes(one.occasionKind) && isRequestAccepted(one)
        ? one.key
        : creator,
    is,
    (one) => one.id || made(one),
  )
}

/** A condition that holds if the last accepted run request came from another organization. */
export const afterRunOfOtherOrganization: Condition = conditionWithMemory<Organization | undefined>(
  undefined,
  (last, one) => (one.occasionKind === 'runTask' && isRequestAccepted(one) ? one.org : last),
  (last, { org }) => last !== undefined && last !== org,
  () => 'everybody',
)

/** A condition that holds right after an operation did not find the same resource twice. */
export const afterTwoNotFound = (operation: OperationId): Condition =>
  conditionWithMemory<readonly string[]>(
    [],
    (missed, { occasionKind, answer, id }) =>
      occasionKind !== operation ? missed : isHandlerFailure(answer) ? [...missed.slice(-1), id] : [],
    ([one, other]) => other !== undefined && one === other,
  )
