/**
 * Checks that need the organization alone, but not the clock: each queue has a part of it to itself, and queues run
 * side by side. Only what passes there counts; the rest is repeated alone.
 */
import type { Check } from '../harness/requirement.ts'
import type { RequirementPattern } from '../model/requirement-id.ts'
import { areNotificationsProvidedByRuns, matchesPattern } from './selection.ts'

interface Queue {
  /** Tests the second organization, if there is one, while the first goes on. */
  readonly isSecond?: true
  /** Ids of checks that run at the same time, since none changes what another one compares. */
  readonly together?: readonly RequirementPattern[]
  /** Ids of checks that run one after the other, once those of `together` are done. */
  readonly inOrder: readonly RequirementPattern[]
  /** Ids of checks that follow those of `inOrder` if they need what runs bring. */
  readonly byRun?: readonly RequirementPattern[]
}

const queues: readonly Queue[] = [
  {
    inOrder: [
      'KEY-*',
      'MALFORMED-ID-deleteKey',
      'LEFTOVER-createKey',
      'AUTH-QUERY',
      'ISOLATION-LIST-KEYS',
      'ISOLATION-DELETE-KEY',
    ],
  },
  // The balance and the agent.
  {
    together: [
      'FREE-*',
      'CREDITS-REFUSED-RUN',
      'RUN-UNKNOWN',
      'RUN-ODD-ID',
      'MALFORMED-ID-runTask',
      'LEFTOVER-createTask',
      'LEFTOVER-createDocument',
      'ISOLATION-RUN-TASK',
      'AUTH-REFUSED-RUN',
    ],
    // Tasks are listed and created for the first time since generations took their credits.
    inOrder: [
      'ISOLATION-CREDITS',
      'RUN-ACCEPTED',
      'RUN-TWICE',
      'CREATIVE-ACCEPTED',
      'CREATIVE-COSTS-ONE',
      'CREATIVE-REF*',
      'CREATIVE-*',
      'CREDITS-IN-*',
      'INPUT-*',
      'NO-CREDITS-*',
      'CREDITS-ATOMIC',
      'CREDITS-RUN-COSTS-ONE',
      'RUN-LISTED-STATUS',
      'RUN-BESIDE',
      'RUN-LISTED*',
      'CREDITS-REFUND-OTHER',
      'CREATIVE-COSTS-AT-ONCE',
      'RUN-*',
    ],
  },
  // Failing and waiting runs, limits and outages. What was refused would show once the first ones are done.
  {
    isSecond: true,
    inOrder: [
      'UNAVAILABLE-CODE',
      'UNAVAILABLE-OVER',
      'LIMIT-OTHER-KEY',
      'LIMIT-SAME-ORGANIZATION',
      'AUTH-REFUSED-DELETION',
      'LIMIT-CODE',
      'LIMIT-REFUSED-MARKING',
      'LIMIT-REFUSED-LANDING-PAGE',
      'LIMIT-WAITED-OUT',
      'LIMIT-NOT-BEFORE',
      'UNAVAILABLE-*',
      'LIMIT-REFUSED-*',
      'LIMIT-whoami',
      'LIMIT-list*',
      'LIMIT-get*',
      'LIMIT-create*',
      'LIMIT-read*',
      'LIMIT-generateCreative',
      'CREDITS-REFUND',
      'CREDITS-REFUND-AGAIN',
      'CREDITS-REFUND-EACH',
      'CREDITS-REFUND-ONCE',
      'CREDITS-FAILED-FINISHED',
      'BUSY-*',
      'LIMIT-*',
    ],
  },
  {
    inOrder: [
      'TASK-*',
      'DOC-*',
      'LANDING-PAGE-LISTED',
      'ISOLATION-LIST-NOTIFICATIONS',
      'ISOLATION-READ-NOTIFICATION',
      'NOTIFICATION-*',
      'MALFORMED-ID-readNotification',
    ],
  },
]

/** Queues of checks that look at the whole run, so that they come last. */
const lastQueues: readonly Queue[] = [
  { inOrder: ['KEY-UNIQUE', 'KEY-ID-UNIQUE', 'KEY-STAYS-DEAD', 'KEY-DELETED-PROMPT'] },
  // Runs that are tried again leave the credits to others. By now they have brought notifications.
  {
    inOrder: [
      'RUN-REFUSED-LATER',
      'RUN-OK',
      'CREDITS-RESERVED',
      'CREDITS-PROMPT',
      'KEY-CREDITS',
      'ISOLATION-UNREAD',
      'NOTIFICATION-READ',
      'NOTIFICATION-READ-ONE',
      'PATH-RUN-ONCE',
    ],
    byRun: ['NOTIFICATION-*', 'ISOLATION-READ-NOTIFICATION', 'ACCEPTS-readNotification'],
  },
  // Lists may fail over odd texts, so those come last.
  {
    together: [
      'AUTH-STABLE-ORGANIZATION',
      'AUTH-REFUSED-TASK',
      'AUTH-REFUSED-DOCUMENT',
      'AUTH-REFUSED-KEY',
      'AUTH-REFUSED-LANDING-PAGE',
      'AUTH-REFUSED-MARKING',
      'LIMIT-RETRY-AFTER',
      'RUN-ID-UNIQUE',
    ],
    inOrder: ['*-LISTED-LAST', 'LIST-PROMPT', '*-READABLE', 'TASK-UNIQUE', 'DOC-UNIQUE', 'ODD-*'],
  },
]

/**
 * Checks that run in one queue, while other queues run at the same time. `second`: in the second organization;
 * `together`: at the same moment; `inOrder`: one after the other.
 */
export interface CheckQueue {
  readonly second: boolean
  readonly together: readonly Check[]
  readonly inOrder: readonly Check[]
}

/** The checks of a run that start once those of the phase before have ended. */
export interface CheckPhase {
  readonly checks: readonly Check[]
  readonly queues: readonly CheckQueue[]
  /**
   * True if its checks judge the earlier traffic of the run, which repeating them would change: a violation counts at
   * once unless its check is one that is retried.
   */
  readonly looksBack: boolean
}

/**
 * Sorts checks into two phases, the second of which judges the traffic of the first; an exclusive check that is in no
 * queue runs alone.
 */
export function planPhases(selected: readonly Check[]): [CheckPhase, CheckPhase] {
  const last = lastQueues.flatMap(({ together = [], inOrder }) => [...together, ...inOrder])
  const isLast = (check: Check) =>
    areNotificationsProvidedByRuns(check) || last.some((pattern) => matchesPattern(check.id, pattern))
  const [early, late] = [selected.filter((one) => !isLast(one)), selected.filter(isLast)]
  return [
    { checks: early, queues: planQueues(queues, early), looksBack: false },
    { checks: late, queues: planQueues(lastQueues, late), looksBack: true },
  ]
}

function planQueues(wanted: readonly Queue[], checks: readonly Check[]): CheckQueue[] {
  const left = new Set(checks.filter(({ exclusive }) => exclusive))
  const take = (patterns: readonly RequirementPattern[] = []) => {
    const taken = patterns.flatMap((pattern) => [...left].filter((one) => matchesPattern(one.id, pattern)))
    for (const one of taken) left.delete(one)
    return [...new Set(taken)]
  }
  return wanted.map(({ isSecond = false, together, inOrder, byRun }) => ({
    second: isSecond,
    together: take(together),
    inOrder: [...take(inOrder), ...take(byRun)],
  }))
}
