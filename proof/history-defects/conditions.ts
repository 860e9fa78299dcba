/** What triggers and named defects depend on: what has happened, and what is remembered of it for each organization or thing. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { type Condition, type Deed, isFailure, isTaken, type Occasion } from './occasion.ts'

/** Remembers a value for each organization, or for each of what `per` tells apart. */
export function remembering<T>(
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

export const byId = ({ id }: Occasion) => id

/** Something that happens before. */
export interface Happening {
  readonly id: string
  readonly deed: Deed
  readonly says: string
  readonly is: (one: Occasion) => boolean
}

export const did = (
  deed: Deed,
  id: string,
  says: string,
  is: (one: Occasion) => boolean = isTaken,
): Happening => ({ id, deed, says, is: (one) => one.deed === deed && is(one) })

export const answered =
  (name: string) =>
  ({ answer }: Occasion) =>
    isFailure(answer) && answer.name === name

/** What failed or completed, at the end of a run. */
export const ended =
  (outcome: 'failed' | 'completed') =>
  ({ run }: Occasion) =>
    run?.outcome === outcome

export const happenings = [
  did('runTask', 'run-402', 'a run was refused with 402', answered('no_credits')),
  did('runTask', 'run-404', 'a run of an unknown task', answered('not_found')),
  did('runTask', 'run-conflict', 'a run was refused since the task was running', answered('conflict')),
  did('runTask', 'run-waits', 'a run had to wait', answered('busy')),
  did('end', 'failure', 'a run failed', ended('failed')),
  did('end', 'success', 'a run completed', ended('completed')),
  did('getTask', 'task-404', 'a read of an unknown task', answered('not_found')),
  did('getDocument', 'document-404', 'a read of an unknown document', answered('not_found')),
  did('generateCreative', 'creative', 'a creative'),
  did('generateCreative', 'creative-failed', 'a creative failed', answered('unavailable')),
  did('createKey', 'key-made', 'a key was made'),
  did('deleteKey', 'key-deleted', 'a key was deleted'),
  did('readNotification', 'mark', 'a notification was marked as read'),
  did('createDocument', 'document', 'a document was made'),
  did('listDocuments', 'documents-listed', 'documents were listed'),
  did('listTasks', 'tasks-listed', 'tasks were listed'),
] as const

/** Something that happens, by its id. @throws Error if there is none. */
export function happening(id: string): Happening {
  const found = happenings.find((one) => one.id === id)
  if (!found) throw new Error(`no happening ${id}`)
  return found
}

/** A condition for requests to operations that arrive at once. */
export const crowded = (operations: readonly OperationId[], condition: Condition): Condition => ({
  ...condition,
  gathers: () => operations,
})

/** If two conditions are met. */
export const both = (one: Condition, other: Condition): Condition => ({
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
export const marked = (is: (one: Occasion) => boolean): Condition =>
  remembering(
    false,
    (isMarked, one, isOne) => is(one) || (isMarked && !isOne),
    (isMarked) => isMarked,
    byId,
  )

/** For a task whose run before ended so. */
export const rerunAfter = (outcome: 'failed' | 'completed'): Condition =>
  remembering<unknown>(
    undefined,
    (last, { deed, run }) => (deed === 'end' ? run?.outcome : last),
    (last) => last === outcome,
    byId,
  )

/** For a task of which so many runs have ended, the last of them that long ago, ms. */
export const ranBefore = (times: number, ms: number): Condition =>
  remembering<readonly number[]>(
    [],
    (ends, { deed, now }) => (deed === 'end' ? [...ends, now] : ends),
    (ends, { now }) => ends.length >= times && now - (ends.at(-1) ?? now) >= ms,
    byId,
  )

/** That long after something began to happen, ms, until an organization does the same with another result. */
export const since = ({ deed, is }: Happening, ms: number): Condition =>
  remembering<number | undefined>(
    undefined,
    (first, one) => (one.deed !== deed ? first : is(one) ? (first ?? one.now) : undefined),
    (first, { now }) => now - (first ?? now) >= ms,
  )

/** By which key has created the thing that is asked for, or the newest where none is. */
export function byCreator(is: (creator: Occasion['key'], one: Occasion) => boolean): Condition {
  const made = ({ deed, org }: Occasion) =>
    (deed === 'createDocument' || deed === 'getDocument' ? org.documents : org.tasks).newest(1)[0]?.id ?? ''
  return remembering<Occasion['key']>(
    undefined,
    (creator, one) => (one.deed.startsWith('create') && isTaken(one) ? one.key : creator),
    is,
    (one) => one.id || made(one),
  )
}

/** If another organization has asked for a run since. */
export const askedElsewhere: Condition = remembering<Organization | undefined>(
  undefined,
  (last, one) => (one.deed === 'runTask' && isTaken(one) ? one.org : last),
  (last, { org }) => last !== undefined && last !== org,
  () => 'everybody',
)

/** Just after an operation did not find the same thing twice. */
export const missedTwice = (operation: OperationId): Condition =>
  remembering<readonly string[]>(
    [],
    (missed, { deed, answer, id }) =>
      deed !== operation ? missed : isFailure(answer) ? [...missed.slice(-1), id] : [],
    ([one, other]) => other !== undefined && one === other,
  )
