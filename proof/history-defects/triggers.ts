/** When history defects show: how often, after what, by whom, together with what, how long ago, and of how many. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run } from '#mocks/core/resources.ts'
import { isLiving, made, perOne } from './memory.ts'
import {
  type Deed,
  type Effect,
  isFailure,
  isTaken,
  type Memory,
  type Occasion,
  type Trigger,
} from './occasion.ts'

/** A kind of occasion, in words and as a test. */
interface Narrowed {
  readonly id: string
  readonly says: string
  readonly fits: (effect: Effect) => boolean
  readonly is: (one: Occasion) => boolean
}

const ordinal = (n: number) => ['', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth'][n] ?? `${n}th`

const anyOne: Narrowed = { id: '', says: '', fits: () => true, is: () => true }
const waited = ({ run }: Occasion) =>
  run !== undefined && (run.started_at === null || run.started_at > run.accepted_at)

/** What may be counted of runs alone. */
export const narrowed: readonly Narrowed[] = [
  anyOne,
  {
    id: 'waited',
    says: ' of those that had to wait',
    fits: ({ on, before }) => on === 'end' || (on === 'runTask' && !before),
    is: waited,
  },
  {
    id: 'by-created-key',
    says: ' by a created key',
    fits: ({ on }) => on !== 'end' && !sessions.has(on),
    is: ({ key }) => key?.isFirst === false,
  },
]
const sessions = new Set<Deed>(['createKey', 'listKeys', 'deleteKey'])

/** Remembers a value for each organization, or for each of what `per` tells apart. */
function remembering<T>(
  start: T,
  next: (value: T, one: Occasion, isOne: boolean) => T,
  fires: (value: T, one: Occasion) => boolean,
  per: (one: Occasion) => unknown = ({ org }) => org,
): Memory {
  const all = new Map<unknown, T>()
  const of = (one: Occasion) => all.get(per(one)) ?? start
  return {
    fires: (one) => fires(of(one), one),
    note: (one, isOne) => void all.set(per(one), next(of(one), one, isOne)),
  }
}

const byId = ({ id }: Occasion) => id

/** Every n-th time in an organization. */
export const every = (n: number, only: Narrowed = anyOne): Trigger => ({
  id: `every-${n}${only.id && `-${only.id}`}`,
  says: `every ${ordinal(n)} time${only.says}`,
  kind: 'often',
  fits: only.fits,
  create: () =>
    remembering(
      0,
      (count, one, isOne) => count + Number(isOne && only.is(one)),
      (count, one) => only.is(one) && (count + 1) % n === 0,
    ),
})

/** Things that one asks about more than once. */
const repeated: readonly Deed[] = ['runTask', 'end', 'getTask', 'getDocument', 'readNotification']

/** From the n-th time on for one thing; `exactly`: then only. */
export const nthOfOne = (n: number, exactly: boolean): Trigger => ({
  id: `${exactly ? 'nth' : 'from'}-${n}-of-one`,
  says: `the ${ordinal(n)} time${exactly ? '' : ' and later'} for the same thing`,
  kind: 'often',
  fits: ({ on, id }) => repeated.includes(on) && id !== 'mark-ignored',
  create: () =>
    remembering(
      0,
      (count, _, isOne) => count + Number(isOne),
      (count) => (exactly ? count + 1 === n : count + 1 >= n),
      byId,
    ),
})

/** The n-th time in a row, with nothing else of the organization between. */
export const inRow = (n: number): Trigger => ({
  id: `${n}-in-a-row`,
  says: `the ${ordinal(n)} time in a row`,
  kind: 'often',
  fits: ({ on }) => !['end', 'runTask', 'whoami'].includes(on),
  create: ({ on }) =>
    remembering(
      0,
      (count, { deed }, isOne) => (isOne ? count + 1 : deed !== on && deed !== 'end' ? 0 : count),
      (count) => (count + 1) % n === 0,
    ),
})

/** Something that happens before. */
interface Happening {
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
): Happening => ({
  id,
  deed,
  says,
  is: (one) => one.deed === deed && is(one),
})
export const answered =
  (name: string) =>
  ({ answer }: Occasion) =>
    isFailure(answer) && answer.name === name

const happenings: readonly Happening[] = [
  did('runTask', 'run-402', 'a run was refused with 402', answered('no_credits')),
  did('runTask', 'run-404', 'a run of an unknown task', answered('not_found')),
  did('runTask', 'run-conflict', 'a run was refused since the task was running', answered('conflict')),
  did('runTask', 'run-waits', 'a run had to wait', answered('busy')),
  did('end', 'failure', 'a run failed', ({ run }) => run?.outcome === 'failed'),
  did('end', 'success', 'a run completed', ({ run }) => run?.outcome === 'completed'),
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
]

/** The first time after something else; `times`: how often that must have happened. */
export const after = ({ id, deed, says, is }: Happening, times: number): Trigger => ({
  id: `after-${id}${times > 1 ? `-${times}` : ''}`,
  says: `the first time after ${says}${times > 1 ? `, ${times} times` : ''}`,
  kind: 'between',
  // Each time begins anew: what is counted and what is affected must differ.
  fits: ({ on }) => times === 1 || on !== deed,
  create: () =>
    remembering(
      0,
      (count, one, isOne) => (isOne ? 0 : count) + Number(is(one)),
      (count) => count >= times,
    ),
})

/** After a request with a status that no handler decides. */
export const afterRefusal = (
  status: 400 | 401,
  operation: OperationId | undefined,
  times: number,
): Trigger => ({
  id: `after-${status}-${operation ?? 'any'}-${times}`,
  says: `the first time after ${times === 1 ? 'a' : times} ${status} of ${operation ?? 'any request'}`,
  kind: 'between',
  create() {
    let n = 0
    return {
      fires: () => n >= times,
      note(_, isOne) {
        if (isOne) n = 0
      },
      refused(asked, answer) {
        if ((answer === status || (status === 400 && answer === 422)) && (!operation || asked === operation))
          n++
      },
    }
  },
})

/** While runs go on. */
export const whileRunning = (load: number): Trigger => ({
  id: `while-${load}-runs`,
  says: load === 1 ? 'while a run goes on' : 'while a run goes on and another one waits',
  kind: 'between',
  fits: ({ id }) => id !== 'document-charged',
  create: ({ on }) => ({
    // The request itself is accepted by then.
    fires: ({ org, answer }) => org.agent.load >= load + (on === 'runTask' && answer !== undefined ? 1 : 0),
  }),
})

/** If something else was done while the run went on. */
export const meanwhile = ({ id, says, is }: Happening): Trigger => ({
  id: `meanwhile-${id}`,
  says: `if meanwhile ${says}`,
  kind: 'between',
  fits: ({ on }) => on === 'end',
  create() {
    const disturbed = new WeakSet<Run>()
    return {
      fires: ({ run }) => run !== undefined && disturbed.has(run),
      note(one) {
        if (!is(one)) return
        for (const { run } of one.org.tasks.newest(30))
          if (run && !run.ended && run !== one.run) disturbed.add(run)
      },
    }
  },
})

/** If its task was read n times before it ended. */
const watchedTimes = (n: number): Trigger => ({
  id: `looked-at-${n}-times`,
  says: `if its task was read ${n} times meanwhile`,
  kind: 'often',
  fits: ({ on }) => on === 'end',
  create: () =>
    remembering(
      0,
      (looks, { deed, run }) => looks + Number(deed === 'getTask' && run !== undefined && !run.ended),
      (looks, { run }) => run !== undefined && looks >= n,
      ({ run }) => run,
    ),
})

/** What there may be many of. */
const counts = {
  tasks: (org: Organization) => org.tasks.size,
  documents: (org: Organization) => org.documents.size,
  keys: (org: Organization) => made(org).filter(isLiving).length,
  'unread notifications': (org: Organization) => org.notifications.unread,
} as const

/** While there are more than so many of a kind than there were at first. */
export const moreThan = (n: number, kind: keyof typeof counts): Trigger => ({
  id: `more-than-${n}-${kind.replace(' ', '-')}`,
  says: `with more than ${n} new ${kind}`,
  kind: 'many',
  create() {
    const first = perOne((): { n?: number } => ({}))
    const since = (org: Organization) => {
      const start = first(org)
      start.n ??= counts[kind](org)
      return counts[kind](org) - start.n
    }
    return { fires: ({ org }) => since(org) > n, note: ({ org }) => void since(org) }
  },
})

/** For requests after so many of those that arrived at once; `with`: together with another operation. */
export const atOnce = (rank: number, partner?: OperationId): Trigger => ({
  id: `at-once-${rank}${partner ? `-${partner}` : ''}`,
  says: `for each after the ${ordinal(rank)} of those that arrive at once${partner ? `, if ${partner} is one of them` : ''}`,
  kind: 'at once',
  // Only requests with the same credential are gathered.
  fits: ({ on }) => on !== 'end' && on !== partner && !(partner && sessions.has(on)),
  gathers: ({ on }) => [on as OperationId, ...(partner ? [partner] : [])],
  create: () => ({ fires: ({ place }) => place.rank >= rank && (!partner || place.operations.has(partner)) }),
})

/** When something is that old. */
export const older = (ms: number): Trigger => ({
  id: `older-than-${ms}`,
  says: `for what is older than ${ms / 1_000} s`,
  kind: 'long ago',
  fits: ({ on }) =>
    ['runTask', 'end', 'getTask', 'getDocument', 'readNotification', 'deleteKey'].includes(on),
  create: () => ({
    fires({ org, others, id, now }) {
      // What is asked for may be of another organization.
      const things = [org, ...others].flatMap(
        (one) =>
          one.tasks.get(id) ?? one.documents.get(id) ?? one.notifications.get(id) ?? one.keys.get(id) ?? [],
      )
      return things.some((thing) => now - thing.created_at >= ms)
    },
  }),
})

/** When the organization has done nothing of the kind for that long. */
const rested = (ms: number): Trigger => ({
  id: `after-${ms}-of-rest`,
  says: `the first time after ${ms / 1_000} s without one`,
  kind: 'long ago',
  create: () =>
    remembering<number | undefined>(
      undefined,
      (last, { now }, isOne) => (isOne ? now : last),
      (last, { now }) => now - (last ?? now) >= ms,
    ),
})

/** When a created key asks. */
export const byCreatedKey: Trigger = {
  id: 'by-created-key',
  says: 'if a created key asks',
  kind: 'whom',
  fits: ({ on }) => on !== 'end' && !sessions.has(on),
  create: () => ({ fires: ({ key }) => key?.isFirst === false }),
}

/** When another key asks than before. */
const byNextKey: Trigger = {
  ...byCreatedKey,
  id: 'by-next-key',
  says: 'if another key asks than the last time',
  create: () =>
    remembering<string | undefined>(
      undefined,
      (last, { key }, isOne) => (isOne && key ? key.id : last),
      (last, { key }) => last !== undefined && last !== key?.id,
    ),
}

/** After another organization did something. */
const afterOther = ({ id, says, is }: Happening, times: number): Trigger => ({
  id: `after-other-${id}-${times}`,
  says: `the first time after, in another organization, ${says}${times > 1 ? `, ${times} times` : ''}`,
  kind: 'whom',
  create() {
    const count = perOne(() => ({ n: 0 }))
    return {
      fires: ({ org }) => count(org).n >= times,
      note(one, isOne) {
        if (isOne) count(one.org).n = 0
        if (is(one)) for (const org of one.others) count(org).n++
      },
    }
  },
})

/** Whenever something is so. */
export const when = (is: (one: Occasion) => boolean, says: string): Trigger => ({
  id: 'when',
  says,
  kind: 'many',
  create: () => ({ fires: is }),
})

/** If something is so of requests to operations that arrive at once. */
export const crowded = (
  operations: readonly OperationId[],
  is: (one: Occasion) => boolean,
  says: string,
): Trigger => ({ ...when(is, says), gathers: () => operations })

/** If two triggers fire. */
export const both = (one: Trigger, other: Trigger): Trigger => ({
  ...one,
  says: `${one.says} and ${other.says}`,
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
export const marked = (is: (one: Occasion) => boolean, says: string): Trigger => ({
  ...when(is, says),
  create: () =>
    remembering(
      false,
      (isMarked, one, isOne) => is(one) || (isMarked && !isOne),
      (isMarked) => isMarked,
      byId,
    ),
})

/** For a task whose run before ended so. */
export const rerunAfter = (outcome: 'failed' | 'completed'): Trigger => ({
  ...when(() => true, `if the run before ${outcome}`),
  create: () =>
    remembering<unknown>(
      undefined,
      (last, { deed, run }) => (deed === 'end' ? run?.outcome : last),
      (last) => last === outcome,
      byId,
    ),
})

/** For a task of which so many runs have ended, the last of them that long ago, ms. */
export const ranBefore = (times: number, ms: number): Trigger => ({
  ...when(() => true, `after ${times} runs of the task, ${ms / 1_000} s after the last`),
  create: () =>
    remembering<readonly number[]>(
      [],
      (ends, { deed, now }) => (deed === 'end' ? [...ends, now] : ends),
      (ends, { now }) => ends.length >= times && now - (ends.at(-1) ?? now) >= ms,
      byId,
    ),
})

/** That long after something began to happen, ms, until an organization does the same with another result. */
export const since = ({ deed, is, says }: Happening, ms: number): Trigger => ({
  ...when(is, `${ms / 1_000} s after ${says}`),
  create: () =>
    remembering<number | undefined>(
      undefined,
      (first, one) => (one.deed !== deed ? first : is(one) ? (first ?? one.now) : undefined),
      (first, { now }) => now - (first ?? now) >= ms,
    ),
})

/** By which key has created the thing that is asked for, or the newest where none is. */
export const byCreator = (
  is: (creator: Occasion['key'], one: Occasion) => boolean,
  says: string,
): Trigger => ({
  ...when(() => true, says),
  create() {
    const made = ({ deed, org }: Occasion) =>
      (deed === 'createDocument' || deed === 'getDocument' ? org.documents : org.tasks).newest(1)[0]?.id ?? ''
    return remembering<Occasion['key']>(
      undefined,
      (creator, one) => (one.deed.startsWith('create') && isTaken(one) ? one.key : creator),
      is,
      (one) => one.id || made(one),
    )
  },
})

/** If another organization has asked for a run since. */
export const askedElsewhere: Trigger = {
  ...when(() => true, 'if another organization has asked for a run since'),
  create: () =>
    remembering<Organization | undefined>(
      undefined,
      (last, one) => (one.deed === 'runTask' && isTaken(one) ? one.org : last),
      (last, { org }) => last !== undefined && last !== org,
      () => 'everybody',
    ),
}

/** Just after an operation did not find the same thing twice. */
export const missedTwice = (operation: OperationId): Trigger => ({
  ...when(() => true, 'just after an unknown one was asked for twice'),
  create: () =>
    remembering<readonly string[]>(
      [],
      (missed, { deed, answer, id }) =>
        deed !== operation ? missed : isFailure(answer) ? [...missed.slice(-1), id] : [],
      ([one, other]) => other !== undefined && one === other,
    ),
})

/** Something that happens, by its id. */
export function happening(id: string): Happening {
  const found = happenings.find((one) => one.id === id)
  if (!found) throw new Error(`no happening ${id}`)
  return found
}

/** Every trigger that defects are drawn from. */
export const triggers: readonly Trigger[] = [
  ...[2, 3, 4, 5, 6].flatMap((n) => narrowed.slice(0, n > 3 ? 1 : undefined).map((only) => every(n, only))),
  ...[2, 3, 4].flatMap((n) => [nthOfOne(n, true), nthOfOne(n, false)]),
  ...[3, 5].map(inRow),
  ...happenings.flatMap((one) => [after(one, 1), after(one, 2)]),
  afterRefusal(400, 'createTask', 1),
  afterRefusal(400, 'createDocument', 2),
  afterRefusal(401, undefined, 2),
  ...[1, 2].map(whileRunning),
  ...happenings.map(meanwhile),
  ...[2, 4].map(watchedTimes),
  ...[10, 40].map((n) => moreThan(n, 'tasks')),
  ...[10, 30].map((n) => moreThan(n, 'documents')),
  ...[2, 5].map((n) => moreThan(n, 'keys')),
  ...[3, 8].map((n) => moreThan(n, 'unread notifications')),
  ...[1, 2].map((rank) => atOnce(rank)),
  ...(['runTask', 'createTask', 'whoami', 'generateCreative', 'createDocument'] as const).map((one) =>
    atOnce(1, one),
  ),
  ...[1_000, 2_500].map(older),
  ...[1_500, 3_000].map(rested),
  byCreatedKey,
  byNextKey,
  ...happenings.map((one) => afterOther(one, 1)),
]
