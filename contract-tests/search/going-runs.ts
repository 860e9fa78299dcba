/** The runs that the search has started, and when to look at them: how long runs take is learned. */
import type { ModelViolation } from '../model/index.ts'
import type { CallStep, Tenant } from './step.ts'

/** How a run is awaited. Times in ms on the clock of the target. */
interface Awaited {
  /** When it was accepted: a task may run again before its end was seen. */
  readonly since: number
  /** When it was looked at first, and how many were going then. */
  readonly from: number
  readonly going: number
  /** How long it may take from then on. */
  readonly within: number
  /** Until the next look. */
  pause: number
  /** And from there until the one after it. */
  next: number
  /** How long it had been going at the last look; undefined: there was none. */
  seen?: number
}

/** First guess how long a run takes, and the shortest and longest pause between two looks, ms. */
const pauses = { first: 40, shortest: 10, longest: 1_000 } as const
/** How much later each look is than the one before: the second, as a share of a run, and the others. */
const later = { second: 0.2, others: 1.5 } as const
/** How many times as long as runs took lately one takes that is taken for lost. */
const muchLonger = 4
/** How fast the estimate follows: down where a run is over at the first look, and towards what was seen otherwise. */
const learning = { down: 0.9, seen: 0.3 } as const

export type RunTimes = ReturnType<typeof newRunTimes>

export const newRunTimes = () => ({
  /** How long runs took lately, ms. */
  run: pauses.first as number,
  /** How long any run may take before it is taken for lost, ms. */
  unusual: 1_000,
  /** When paid work was last made to fail, ms on the clock of the target. */
  failed: Number.NEGATIVE_INFINITY,
})

/** A run that was accepted, and is not known to be over. */
interface Accepted {
  readonly tenant: Tenant
  /** That of its task. */
  readonly id: string
  /** When, ms on the clock of the target. */
  readonly at: number
  /** The number of its request; undefined: its answer was lost. */
  readonly by: number | undefined
  /** How many were going before it. */
  readonly ahead: number
  /** The numbers of its request and of those of runs that went on at the same time. */
  readonly beside: number[]
  /** It is taken for lost: what shows that, the request that looks at it again, and until when it may end after all. */
  lost?: Lost
}

interface Lost {
  readonly overdue: ModelViolation
  readonly look: CallStep
  /** ms on the clock of the target. */
  readonly deadline: number
}

export function createGoingRuns(runTimes: RunTimes) {
  /** By organization and task. */
  const accepted = new Map<string, Accepted>()
  /** By the step that awaits it. */
  const steps = new Map<number, Awaited>()
  const runOf = (tenant: Tenant, id: string) => accepted.get(`${tenant} ${id}`)
  const goingOf = (tenant: Tenant) => [...accepted.values()].filter((one) => one.tenant === tenant)

  /** A run took at most `most` ms, and longer than `least`; undefined: it may have been over long before. */
  function learn(most: number, least: number | undefined): void {
    const { run } = runTimes
    const next =
      least === undefined
        ? Math.min(run, most) * learning.down
        : run + ((least + most) / 2 - run) * learning.seen
    runTimes.run = Math.min(next, pauses.longest)
  }

  /** The run is not waited for any more. */
  function giveUp(at: number, tenant: Tenant, id: string): void {
    accepted.delete(`${tenant} ${id}`)
    steps.delete(at)
  }

  return {
    giveUp,
    accept(tenant: Tenant, id: string, now: number, by: number | undefined): void {
      const going = goingOf(tenant)
      const own = by === undefined ? [] : [by]
      for (const { beside } of going) beside.push(...own)
      const beside = [...going.flatMap((one) => one.by ?? []), ...own]
      accepted.set(`${tenant} ${id}`, { tenant, id, at: now, by, ahead: going.length, beside })
    },
    /** Whether a run takes much longer than others did. */
    isUnusual: ({ from, going }: Awaited, now: number) =>
      now - from >= Math.max(runTimes.unusual, muchLonger * runTimes.run * (1 + going)),
    /** Those that are not known to have ended, nor taken for lost. */
    get all(): Accepted[] {
      return [...accepted.values()].filter(({ lost }) => lost === undefined)
    },
    /** The runs that are taken for lost. */
    get lost(): Lost[] {
      return [...accepted.values()].flatMap(({ lost }) => lost ?? [])
    },
    /** How a step awaits the run of a task; undefined: none is going. `isFirst`: it has not looked yet. */
    await(at: number, tenant: Tenant, id: string, now: number, runTimeout: number) {
      const run = runOf(tenant, id)
      const known = steps.get(at)
      if (run === undefined || run.lost) return undefined
      if (known?.since === run.at) return { awaited: known, isFirst: false }
      const going = goingOf(tenant).length
      const within = runTimeout * (1 + going)
      const pause = Math.max(1, runTimes.run * (1 + run.ahead) - (now - run.at))
      const next = runTimes.run * later.second
      const awaited: Awaited = { since: run.at, from: now, going, within, pause, next }
      steps.set(at, awaited)
      return { awaited, isFirst: true }
    },
    /** The run goes on: the next pause is longer. */
    goesOn(awaited: Awaited, now: number): void {
      awaited.seen = now - awaited.since
      awaited.pause = Math.min(Math.max(awaited.next, pauses.shortest), pauses.longest)
      awaited.next = awaited.pause * later.others
    },
    /** The run is over. */
    end(at: number, tenant: Tenant, id: string, now: number): undefined {
      const run = runOf(tenant, id)
      if (run?.ahead === 0) learn(now - run.at, steps.get(at)?.seen)
      giveUp(at, tenant, id)
    },
    /** The requests of a run and of those that went on at the same time. */
    besideOf: (tenant: Tenant, id: string): readonly number[] => runOf(tenant, id)?.beside ?? [],
    /** The run is taken for lost: it is not waited for, but others may still be behind it. */
    lose(at: number, tenant: Tenant, id: string, lost: Lost): void {
      const run = runOf(tenant, id)
      if (run) run.lost = lost
      steps.delete(at)
    },
  }
}
