/** When drawn history defects show: how often, after what, by whom, together with what, how long ago, and of how many. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run } from '#mocks/core/resources.ts'
import {
  conditionWithMemory,
  idOfOccasion,
  type PriorEvent,
  priorEvents,
  statelessCondition,
} from './conditions.ts'
import {
  createLazyWeakLookup,
  type Effect,
  isUndeletedKey,
  keysCreatedThroughApi,
  type Occasion,
  type OccasionKind,
  type Trigger,
} from './occasion.ts'

/** A restriction of the occasions that a trigger counts, in words and as a test. */
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

const sessions = new Set<OccasionKind>(['createKey', 'listKeys', 'deleteKey'])
const isByKey = ({ on }: Effect) => on !== 'end' && !sessions.has(on)

/** True if a request carries a key that was created through the API. */
export const isByCreatedKey = ({ key }: Occasion) => key?.isFirst === false

/** A restriction for triggers that count: only requests that carry a key created through the API count. */
export const createdKeyRestriction: Narrowed = {
  id: 'by-created-key',
  says: ' by a created key',
  fits: isByKey,
  is: isByCreatedKey,
}

/** The restrictions with which `everyNthTime` counts occasions. */
const narrowed: readonly Narrowed[] = [
  anyOne,
  {
    id: 'waited',
    says: ' of those that had to wait',
    fits: ({ on, before }) => on === 'end' || (on === 'runTask' && !before),
    is: waited,
  },
  createdKeyRestriction,
]

/** Creates a trigger (when a history defect shows): every n-th time in an organization. */
export const everyNthTime = (n: number, only: Narrowed = anyOne): Trigger => ({
  id: `every-${n}${only.id && `-${only.id}`}`,
  says: `every ${ordinal(n)} time${only.says}`,
  kind: 'often',
  fits: only.fits,
  ...conditionWithMemory(
    0,
    (count, one, isOne) => count + Number(isOne && only.is(one)),
    (count, one) => only.is(one) && (count + 1) % n === 0,
  ),
})

/** The kinds of occasions that recur for one resource. */
const repeated: readonly OccasionKind[] = ['runTask', 'end', 'getTask', 'getDocument', 'readNotification']

/**
 * Creates a trigger (when a history defect shows): from the n-th time on for the same resource or, with `exactly`, only
 * the n-th time.
 */
export const fromNthTimePerResource = (n: number, exactly: boolean): Trigger => ({
  id: `${exactly ? 'nth' : 'from'}-${n}-of-one`,
  says: `the ${ordinal(n)} time${exactly ? '' : ' and later'} for the same thing`,
  kind: 'often',
  fits: ({ on, id }) => repeated.includes(on) && id !== 'mark-ignored',
  ...conditionWithMemory(
    0,
    (count, _, isOne) => count + Number(isOne),
    (count) => (exactly ? count + 1 === n : count + 1 >= n),
    idOfOccasion,
  ),
})

/**
 * Creates a trigger (when a history defect shows): the n-th time in a row, with no other request of the organization in
 * between.
 */
export const whenNthInRow = (n: number): Trigger => ({
  id: `${n}-in-a-row`,
  says: `the ${ordinal(n)} time in a row`,
  kind: 'often',
  fits: ({ on }) => !['end', 'runTask', 'whoami'].includes(on),
  create: (effect) =>
    conditionWithMemory(
      0,
      (count, { occasionKind }, isOne) =>
        isOne ? count + 1 : occasionKind !== effect.on && occasionKind !== 'end' ? 0 : count,
      (count) => (count + 1) % n === 0,
    ).create(effect),
})

/** Creates a trigger (when a history defect shows): the first time after an event that has happened `times` times. */
export const whenFirstAfter = ({ id, occasionKind, says, is }: PriorEvent, times: number): Trigger => ({
  id: `after-${id}${times > 1 ? `-${times}` : ''}`,
  says: `the first time after ${says}${times > 1 ? `, ${times} times` : ''}`,
  kind: 'between',
  // Each time begins anew: what is counted and what is affected must differ.
  fits: ({ on }) => times === 1 || on !== occasionKind,
  ...conditionWithMemory(
    0,
    (count, one, isOne) => (isOne ? 0 : count) + Number(is(one)),
    (count) => count >= times,
  ),
})

/**
 * Creates a trigger (when a history defect shows): the first time after `times` requests that were refused with a
 * status before any handler; 400 includes 422.
 */
export const whenFirstAfterStatus = (
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

/**
 * Creates a trigger (when a history defect shows): while a run is active (`load` 1), or one is active and another waits
 * (2).
 */
export const whileRunning = (load: number): Trigger => ({
  id: `while-${load}-runs`,
  says: load === 1 ? 'while a run goes on' : 'while a run goes on and another one waits',
  kind: 'between',
  fits: ({ id }) => id !== 'document-charged',
  create: ({ on }) => ({
    // The answered run request itself is part of the load.
    fires: ({ org, answer }) => org.agent.load >= load + (on === 'runTask' && answer !== undefined ? 1 : 0),
  }),
})

/** Creates a trigger (when a history defect shows): at the end of a run during which an event happened. */
export const whenEventDuringRun = ({ id, says, is }: PriorEvent): Trigger => ({
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

/** A trigger: at the end of a run whose task was read n times meanwhile. */
const watchedTimes = (n: number): Trigger => ({
  id: `looked-at-${n}-times`,
  says: `if its task was read ${n} times meanwhile`,
  kind: 'often',
  fits: ({ on }) => on === 'end',
  ...conditionWithMemory(
    0,
    (looks, { occasionKind, run }) =>
      looks + Number(occasionKind === 'getTask' && run !== undefined && !run.ended),
    (looks, { run }) => run !== undefined && looks >= n,
    ({ run }) => run,
  ),
})

/** The number of resources of a kind that an organization has. */
const counts = {
  tasks: (org: Organization) => org.tasks.size,
  documents: (org: Organization) => org.documents.size,
  keys: (org: Organization) => keysCreatedThroughApi(org).filter(isUndeletedKey).length,
  'unread notifications': (org: Organization) => org.notifications.unread,
} as const

/** Creates a trigger (when a history defect shows): while an organization has more than n new resources of a kind. */
export const whileMoreThanNewResources = (n: number, kind: keyof typeof counts): Trigger => ({
  id: `more-than-${n}-${kind.replace(' ', '-')}`,
  says: `with more than ${n} new ${kind}`,
  kind: 'many',
  create() {
    const first = createLazyWeakLookup((): { n?: number } => ({}))
    const since = (org: Organization) => {
      const start = first(org)
      start.n ??= counts[kind](org)
      return counts[kind](org) - start.n
    }
    return { fires: ({ org }) => since(org) > n, note: ({ org }) => void since(org) }
  },
})

/**
 * Creates a trigger (when a history defect shows): for simultaneous requests, except the first `rank` of them.
 * `partner`: only if a request of this operation is among them.
 */
export const whenConcurrentWithOthers = (rank: number, partner?: OperationId): Trigger => ({
  id: `at-once-${rank}${partner ? `-${partner}` : ''}`,
  says: `for each after the ${ordinal(rank)} of those that arrive at once${partner ? `, if ${partner} is one of them` : ''}`,
  kind: 'at once',
  // Only requests with the same credential are gathered.
  fits: ({ on }) => on !== 'end' && on !== partner && !(partner && sessions.has(on)),
  gathers: ({ on }) => [on as OperationId, ...(partner ? [partner] : [])],
  ...statelessCondition(({ place }) => place.rank >= rank && (!partner || place.operations.has(partner))),
})

/** Creates a trigger (when a history defect shows): when the resource that a request names is at least `ms` old. */
export const whenResourceOlderThan = (ms: number): Trigger => ({
  id: `older-than-${ms}`,
  says: `for what is older than ${ms / 1_000} s`,
  kind: 'long ago',
  fits: ({ on }) =>
    ['runTask', 'end', 'getTask', 'getDocument', 'readNotification', 'deleteKey'].includes(on),
  create: () => ({
    fires({ org, others, id, now }) {
      // The requested resource may be of another organization.
      const things = [org, ...others].flatMap(
        (one) =>
          one.tasks.get(id) ?? one.documents.get(id) ?? one.notifications.get(id) ?? one.keys.get(id) ?? [],
      )
      return things.some((thing) => now - thing.created_at >= ms)
    },
  }),
})

/** A trigger: when the organization has done nothing of the kind for `ms`. */
const rested = (ms: number): Trigger => ({
  id: `after-${ms}-of-rest`,
  says: `the first time after ${ms / 1_000} s without one`,
  kind: 'long ago',
  ...conditionWithMemory<number | undefined>(
    undefined,
    (last, { now }, isOne) => (isOne ? now : last),
    (last, { now }) => now - (last ?? now) >= ms,
  ),
})

/** A trigger (when a history defect shows): when the request carries a key created through the API. */
export const whenByCreatedKey: Trigger = {
  id: 'by-created-key',
  says: 'if a created key asks',
  kind: 'whom',
  fits: isByKey,
  ...statelessCondition(isByCreatedKey),
}

/** A trigger: when a request carries another key than the occasion before. */
const byNextKey: Trigger = {
  ...whenByCreatedKey,
  id: 'by-next-key',
  says: 'if another key asks than the last time',
  ...conditionWithMemory<string | undefined>(
    undefined,
    (last, { key }, isOne) => (isOne && key ? key.id : last),
    (last, { key }) => last !== undefined && last !== key?.id,
  ),
}

/** A trigger: the first time after another organization did something, `times` times. */
const afterOther = ({ id, says, is }: PriorEvent, times: number): Trigger => ({
  id: `after-other-${id}-${times}`,
  says: `the first time after, in another organization, ${says}${times > 1 ? `, ${times} times` : ''}`,
  kind: 'whom',
  create() {
    const count = createLazyWeakLookup(() => ({ n: 0 }))
    return {
      fires: ({ org }) => count(org).n >= times,
      note(one, isOne) {
        if (isOne) count(one.org).n = 0
        if (is(one)) for (const org of one.others) count(org).n++
      },
    }
  },
})

/** All triggers that history defects are generated from: when the wrong behaviour shows. */
export const triggers: readonly Trigger[] = [
  ...[2, 3, 4, 5, 6].flatMap((n) =>
    narrowed.slice(0, n > 3 ? 1 : undefined).map((only) => everyNthTime(n, only)),
  ),
  ...[2, 3, 4].flatMap((n) => [fromNthTimePerResource(n, true), fromNthTimePerResource(n, false)]),
  ...[3, 5].map(whenNthInRow),
  ...priorEvents.flatMap((one) => [whenFirstAfter(one, 1), whenFirstAfter(one, 2)]),
  whenFirstAfterStatus(400, 'createTask', 1),
  whenFirstAfterStatus(400, 'createDocument', 2),
  whenFirstAfterStatus(401, undefined, 2),
  ...[1, 2].map(whileRunning),
  ...priorEvents.map(whenEventDuringRun),
  ...[2, 4].map(watchedTimes),
  ...[10, 40].map((n) => whileMoreThanNewResources(n, 'tasks')),
  ...[10, 30].map((n) => whileMoreThanNewResources(n, 'documents')),
  ...[2, 5].map((n) => whileMoreThanNewResources(n, 'keys')),
  ...[3, 8].map((n) => whileMoreThanNewResources(n, 'unread notifications')),
  ...[1, 2].map((rank) => whenConcurrentWithOthers(rank)),
  ...(['runTask', 'createTask', 'whoami', 'generateCreative', 'createDocument'] as const).map((one) =>
    whenConcurrentWithOthers(1, one),
  ),
  ...[1_000, 2_500].map(whenResourceOlderThan),
  ...[1_500, 3_000].map(rested),
  whenByCreatedKey,
  byNextKey,
  ...priorEvents.map((one) => afterOther(one, 1)),
]
