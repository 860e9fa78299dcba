/**
 * Conditions of triggers and named defects: what has happened, and what is remembered of it for each organization or
 * thing.
 */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { type Condition, isFailure, isTaken, type Occasion, type OccasionKind } from './occasion.ts'

/** Remembers a value for each organization, or for each of what `per` tells apart. */
export function rememberPer<T>(
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

/** Whenever something is so. */
export const when = (fires: (one: Occasion) => boolean): Condition => ({ create: () => ({ fires }) })

/** The id in the path of an occasion, as what memories are kept by. */
export const byId = ({ id }: Occasion) => id

/** A kind of event in the past of an organization, after which a defect shows. */
export interface PriorEvent {
  readonly id: string
  readonly occasionKind: OccasionKind
  readonly says: string
  readonly is: (one: Occasion) => boolean
}

/** Declares an event that a defect may depend on. */
export const priorEvent = (
  occasionKind: OccasionKind,
  id: string,
  says: string,
  is: (one: Occasion) => boolean = isTaken,
): PriorEvent => ({ id, occasionKind, says, is: (one) => one.occasionKind === occasionKind && is(one) })

/** Matches an occasion whose answer is a failure of this name. */
export const failedWith =
  (name: string) =>
  ({ answer }: Occasion) =>
    isFailure(answer) && answer.name === name

/** Matches the end of a run with this outcome. */
export const runEndedAs =
  (outcome: 'failed' | 'completed') =>
  ({ run }: Occasion) =>
    run?.outcome === outcome

/** Events after which a defect may begin to show. */
export const priorEvents = [
  priorEvent('runTask', 'run-402', 'a run was refused with 402', failedWith('no_credits')),
  priorEvent('runTask', 'run-404', 'a run of an unknown task', failedWith('not_found')),
  priorEvent(
    'runTask',
    'run-conflict',
    'a run was refused since the task was running',
    failedWith('conflict'),
  ),
  priorEvent('runTask', 'run-waits', 'a run had to wait', failedWith('busy')),
  priorEvent('end', 'failure', 'a run failed', runEndedAs('failed')),
  priorEvent('end', 'success', 'a run completed', runEndedAs('completed')),
  priorEvent('getTask', 'task-404', 'a read of an unknown task', failedWith('not_found')),
  priorEvent('getDocument', 'document-404', 'a read of an unknown document', failedWith('not_found')),
  priorEvent('generateCreative', 'creative', 'a creative'),
  priorEvent('generateCreative', 'creative-failed', 'a creative failed', failedWith('unavailable')),
  priorEvent('createKey', 'key-made', 'a key was made'),
  priorEvent('deleteKey', 'key-deleted', 'a key was deleted'),
  priorEvent('readNotification', 'mark', 'a notification was marked as read'),
  priorEvent('createDocument', 'document', 'a document was made'),
  priorEvent('listDocuments', 'documents-listed', 'documents were listed'),
  priorEvent('listTasks', 'tasks-listed', 'tasks were listed'),
] as const

/** The event in the past with an id. @throws Error if there is none. */
export function priorEventById(id: string): PriorEvent {
  const found = priorEvents.find((one) => one.id === id)
  if (!found) throw new Error(`no happening ${id}`)
  return found
}

/** A condition for requests to operations that arrive at once. */
export const amongConcurrent = (operations: readonly OperationId[], condition: Condition): Condition => ({
  ...condition,
  gathers: () => operations,
})

/** If two conditions are met. */
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

/** The next time for a thing to which something has happened. */
export const nextTimeAfter = (is: (one: Occasion) => boolean): Condition =>
  rememberPer(
    false,
    (isMarked, one, isOne) => is(one) || (isMarked && !isOne),
    (isMarked) => isMarked,
    byId,
  )

/** For a task whose run before ended so. */
export const rerunAfter = (outcome: 'failed' | 'completed'): Condition =>
  rememberPer<unknown>(
    undefined,
    (last, { occasionKind, run }) => (occasionKind === 'end' ? run?.outcome : last),
    (last) => last === outcome,
    byId,
  )

/** Holds for a task of which so many runs have ended, the last of them that long ago, ms. */
export const ranBefore = (times: number, ms: number): Condition =>
  rememberPer<readonly number[]>(
    [],
    (ends, { occasionKind, now }) => (occasionKind === 'end' ? [...ends, now] : ends),
    (ends, { now }) => ends.length >= times && now - (ends.at(-1) ?? now) >= ms,
    byId,
  )

/**
 * Condition that holds from `ms` after something began to happen, until an organization does the same with another
 * result.
 */
export const since = ({ occasionKind, is }: PriorEvent, ms: number): Condition =>
  rememberPer<number | undefined>(
    undefined,
    (first, one) => (one.occasionKind !== occasionKind ? first : is(one) ? (first ?? one.now) : undefined),
    (first, { now }) => now - (first ?? now) >= ms,
  )

/** By which key has created the thing that is asked for, or the newest where none is. */
export function byCreator(is: (creator: Occasion['key'], one: Occasion) => boolean): Condition {
  const made = ({ occasionKind, org }: Occasion) =>
    (occasionKind === 'createDocument' || occasionKind === 'getDocument' ? org.documents : org.tasks).newest(
      1,
    )[0]?.id ?? ''
  return rememberPer<Occasion['key']>(
    undefined,
    (creator, one) => (one.occasionKind.startsWith('create') && isTaken(one) ? one.key : creator),
    is,
    (one) => one.id || made(one),
  )
}

/** If another organization has asked for a run since. */
export const askedElsewhere: Condition = rememberPer<Organization | undefined>(
  undefined,
  (last, one) => (one.occasionKind === 'runTask' && isTaken(one) ? one.org : last),
  (last, { org }) => last !== undefined && last !== org,
  () => 'everybody',
)

/** Just after an operation did not find the same thing twice. */
export const missedTwice = (operation: OperationId): Condition =>
  rememberPer<readonly string[]>(
    [],
    (missed, { occasionKind, answer, id }) =>
      occasionKind !== operation ? missed : isFailure(answer) ? [...missed.slice(-1), id] : [],
    ([one, other]) => other !== undefined && one === other,
  )
