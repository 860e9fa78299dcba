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
 * Creates a condition that remembers a value for each organization, or for each value of `per`: `next` updates it at
 * each occasion (a handled request or the end of a run), and `fires` decides by it.
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

/** Creates a condition without memory, which is met whenever `fires` returns true. */
export const statelessCondition = (fires: (one: Occasion) => boolean): Condition => ({
  create: () => ({ fires }),
})

/**
 * The id of the resource that an occasion (a handled request or the end of a run) concerns. As `per` of
 * `conditionWithMemory`, it gives each resource a memory of its own.
 */
export const idOfOccasion = ({ id }: Occasion) => id

/**
 * A kind of event, such as a failed run, after which a history defect (a defect that depends on earlier events) can
 * show.
 */
export interface PriorEvent {
  readonly id: string
  readonly occasionKind: OccasionKind
  readonly says: string
  readonly is: (one: Occasion) => boolean
}

/** Declares a kind of event after which a history defect can show. */
export const definePriorEvent = (
  occasionKind: OccasionKind,
  id: string,
  says: string,
  is: (one: Occasion) => boolean = isRequestAccepted,
): PriorEvent => ({ id, occasionKind, says, is: (one) => one.occasionKind === occasionKind && is(one) })

/** Creates a predicate that is true of occasions whose request was answered with the failure of this name. */
export const createErrorAnswerPredicate =
  (name: string) =>
  ({ answer }: Occasion) =>
    isHandlerFailure(answer) && answer.name === name

/** Creates a predicate that is true of occasions whose run has this outcome. */
export const createRunOutcomePredicate =
  (outcome: 'failed' | 'completed') =>
  ({ run }: Occasion) =>
    run?.outcome === outcome

/** All kinds of events after which a history defect (a defect that depends on earlier events) can show. */
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

/** Finds the kind of event with an id. @throws Error if there is none. */
export function priorEventById(id: string): PriorEvent {
  const found = priorEvents.find((one) => one.id === id)
  if (!found) throw new Error(`no happening ${id}`)
  return found
}

/**
 * Makes a condition wait for simultaneous requests: those of the given operations that arrive at the same time wait for
 * each other before the condition is checked.
 */
export const withConcurrentRequestsGathered = (
  operations: readonly OperationId[],
  condition: Condition,
): Condition => ({
  ...condition,
  gathers: () => operations,
})

/** Combines two conditions into one that is met if both are. */
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

/** Creates a condition that is met the next time for a resource, after an event has happened to it. */
export const nextTimeAfter = (is: (one: Occasion) => boolean): Condition =>
  conditionWithMemory(
    false,
    (isMarked, one, isOne) => is(one) || (isMarked && !isOne),
    (isMarked) => isMarked,
    idOfOccasion,
  )

/** Creates a condition that is met for a task whose previous run had a given outcome. */
export const rerunAfter = (outcome: 'failed' | 'completed'): Condition =>
  conditionWithMemory<unknown>(
    undefined,
    (last, { occasionKind, run }) => (occasionKind === 'end' ? run?.outcome : last),
    (last) => last === outcome,
    idOfOccasion,
  )

/**
 * Creates a condition that is met for a task of which at least `times` runs have ended, the last of them at least `ms`
 * ago.
 */
export const afterEndedRuns = (times: number, ms: number): Condition =>
  conditionWithMemory<readonly number[]>(
    [],
    (ends, { occasionKind, now }) => (occasionKind === 'end' ? [...ends, now] : ends),
    (ends, { now }) => ends.length >= times && now - (ends.at(-1) ?? now) >= ms,
    idOfOccasion,
  )

/**
 * Creates a condition that is met in an organization if for `ms` all occasions of one kind, such as run requests, have
 * been the given event, such as a refusal. Any other occasion of that kind starts the time anew.
 */
export const afterUninterruptedEvents = ({ occasionKind, is }: PriorEvent, ms: number): Condition =>
  conditionWithMemory<number | undefined>(
    undefined,
    (first, one) => (one.occasionKind !== occasionKind ? first : is(one) ? (first ?? one.now) : undefined),
    (first, { now }) => now - (first ?? now) >= ms,
  )

/**
 * Creates a condition on the key that created the resource which a request names or, if it names none, the newest
 * resource.
 */
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

/** A condition that is met if the last accepted run request came from another organization. */
export const afterRunOfOtherOrganization: Condition = conditionWithMemory<Organization | undefined>(
  undefined,
  (last, one) => (one.occasionKind === 'runTask' && isRequestAccepted(one) ? one.org : last),
  (last, { org }) => last !== undefined && last !== org,
  () => 'everybody',
)

/** Creates a condition that is met right after an operation failed twice in a row for the same resource. */
export const afterTwoNotFound = (operation: OperationId): Condition =>
  conditionWithMemory<readonly string[]>(
    [],
    (missed, { occasionKind, answer, id }) =>
      occasionKind !== operation ? missed : isHandlerFailure(answer) ? [...missed.slice(-1), id] : [],
    ([one, other]) => other !== undefined && one === other,
  )
