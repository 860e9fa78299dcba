/** Tries lists of steps live until one shows a contradiction again, and leaves out what that does not need. */
import { field, items } from '#traffic/exchange.ts'
import { judge, type ModelViolation } from '../model/index.ts'
import { ddmin } from './ddmin.ts'
import type { AssumedLateness, Env } from './env.ts'
import type { Executor } from './executor.ts'
import type { Candidate } from './findings.ts'
import { replay } from './replay.ts'
import { type Context, type Strategy, scopeOf } from './scope.ts'
import { callsOf, costOf, durationOf, payersOf, type Step } from './step.ts'
import { type Attempt, attemptsOf, doubtOf, isRace, nTimes } from './strategies.ts'
import { awaited, comparesBalances, othersEnded, setAtFirst, withUnread } from './variants.ts'

/** How often a history must show the same before it accuses. */
export const enough = 2

/** What replays need of the search. */
export interface Search extends Context {
  readonly env: Env
  readonly executor: Executor
  /** An assumption by which steps are tried until they are few. */
  readonly lateness: AssumedLateness
  newTag(): string
}

/** Most requests that are sent, and most ms that they take. */
export interface Limits {
  readonly requests: number
  readonly ms: number
}

const most = {
  /** ms that a pause may last while the service is taken to show everything at once. */
  pause: 3_200,
  /** To make steps fewer: so many times as many requests as there are, and some more. */
  ddmin: { times: 8, more: 60, ms: 14_000 },
  /** Requests of a history that need not become fewer. */
  few: 6,
  confirm: { requests: 1_000, ms: 40_000 },
  /** How often what comes now and then is done, so that it comes. */
  again: 4,
  /** Steps whose answers are judged before they are sent again. */
  judged: 150,
  /** ms that a replay may wait longer so that what it shows counts at once. */
  brief: 400,
  /** Requests of what is tried again to find out whether the service is late. */
  short: 12,
} as const

/** What is left of limits. */
type Budget = (steps: readonly Step[]) => boolean

const numbersOf = (steps: readonly Step[]) =>
  new Set(steps.flatMap((step) => [step, ...callsOf(step)].map(({ at }) => at)))

/** The same without states. */
const sentIn = (steps: readonly Step[]) => numbersOf(steps.filter(({ kind }) => kind !== 'state'))

/** Tries to show a violation again; `envFor`: where steps are tried, undefined: where the search is. */
export function shrinkerFor(
  search: Search,
  violation: ModelViolation,
  envFor?: (steps: readonly Step[]) => Promise<Env>,
) {
  const { env, executor, lateness, next } = search
  const { rule } = violation
  const { target, settings } = env.t
  /** The numbers of steps that have not shown it. */
  const missed: ReadonlySet<number>[] = []
  /** The requirement that is wanted: of the violation, or of the first that a replay showed. */
  let { requirement } = violation
  /** What is shown late does not show so after a wait. */
  const isPrompt = requirement === 'LIST-PROMPT'
  /** Where it matters which key asks, replays begin without the keys of earlier ones. */
  const deletes = scopeOf(search, violation, true).isAboutKeys

  const shrinker = {
    /** Requests that were sent. */
    requests: 0,
    /** Replays show the violation each time, but not with waits: the service is late. */
    isLate: false,
    /** What was seen often enough. */
    best: undefined as Candidate | undefined,
    /** What was seen last. */
    seen: undefined as Candidate | undefined,
    /** Tries until the steps that one strategy takes, or fewer, have shown the violation often enough. */
    async shrink(tried: readonly Strategy[], limits: Limits): Promise<boolean> {
      const budget = budgetOf(limits)
      const longest = lateness.isAssumed || isPrompt ? most.pause : env.gaps.longest
      for (const { steps: list, taken } of attemptsOf(tried, search, violation, longest)) {
        const first = await see(certain(envFor ? begun(list) : list), budget)
        if (!first) continue
        if (await settle(first, taken)) return true
        if (shrinker.isLate) return false
        shrinker.seen = undefined
        const often = await see(nTimes(first.steps, most.again, next), budget)
        if (often && (await settle(often, new Set()))) return true
        shrinker.seen = undefined
      }
      return false
    },
  }
  return shrinker

  /** Leaves out what a contradiction does not need, and sees the rest often enough; otherwise all of it. */
  async function settle(first: Candidate, taken: Attempt['taken']): Promise<boolean> {
    const { times, more, ms } = most.ddmin
    const budget = budgetOf({ requests: times * costOf(first.steps) + more, ms })
    const shown: Candidate[] = []
    const shows = async (steps: readonly Step[]) => {
      const left = shown.at(-1) ?? first
      if (!budget(steps) || costOf(left.steps) <= most.few) return undefined
      const sent = sentIn(steps)
      if (missed.some((one) => sent.isSubsetOf(one)) || !objects(left, steps)) return false
      const one = await see(steps, budget)
      if (one) shown.push(one)
      return one !== undefined
    }
    await ddmin(first.steps, shows, doubtOf(search, violation, taken))
    for (const one of [...shown.slice(-2).toReversed(), first]) if (await confirm(one)) return true
    const [smallest = first] = shown.slice(-1)
    shrinker.isLate =
      smallest.times === 0 &&
      lateness.isAssumed &&
      costOf(smallest.steps) <= most.short &&
      (await isSteady(smallest, budget))
    return false
  }

  /** Whether the answers to fewer steps contradict each other, too, as they came: otherwise these are not sent. */
  function objects({ shown }: Candidate, steps: readonly Step[]): boolean {
    const wanted = shown.violation
    if (wanted.rule === 'run-ends' || steps.length > most.judged) return true
    const numbers = numbersOf(steps)
    const events = shown.wire.history.filter(({ id }) => numbers.has(shown.executor.stepOf(id) ?? Number.NaN))
    // That a list is late is known only where it may be.
    const { consistency, runTimeout } =
      wanted.requirement === 'LIST-PROMPT' ? settings : { consistency: 0, runTimeout: 0 }
    const { finalStatuses } = executor.state
    const { violations } = judge(events, { consistency, runTimeout, finalStatuses })
    return violations.some((one) => one.requirement === wanted.requirement)
  }

  /** Whether steps show the violation again; what was certain is seen again anyway. */
  async function isSteady({ steps, times }: Candidate, budget: Budget): Promise<boolean> {
    if (times > 0 || (await see(steps, budget))) return true
    return isRace(search, violation, steps) && (await see(steps, budget)) !== undefined
  }

  /** Sees steps often enough; where they rest on an assumption, with waits that make them certain. */
  async function confirm({ steps, times }: Candidate): Promise<boolean> {
    if (times > 0 || !lateness.isAssumed) return seeOften(steps, times)
    const inRow = setAtFirst(steps, rule)
    return (inRow !== undefined && (await seeOften(withWaits(inRow), 0))) || seeOften(withWaits(steps), 0)
  }

  /** Sees steps until it is often enough; `known`: how often they were seen already. */
  async function seeOften(steps: readonly Step[], known: number): Promise<boolean> {
    const budget = budgetOf(most.confirm)
    for (let [times, failed] = [known, 0]; ; ) {
      // Refunds of what failed before may still come.
      const until = comparesBalances(rule) ? env.runTimes.failed + env.gaps.settled : 0
      if (!envFor) await target.sleep(Math.min(Math.max(0, until - target.now()), env.end.left))
      const shown = await see(steps, budget, true)
      if (shown) times++
      else failed++
      if (shown && times >= enough) shrinker.best = { ...shown, steps, times }
      if (shrinker.best) return true
      if (failed > (times > 0 || isRace(search, violation, steps) ? 1 : 0)) return false
    }
  }

  /** Tries steps if the budget allows. `isSettled`: no assumption is made. Returns what showed the violation. */
  async function see(
    steps: readonly Step[],
    budget: Budget,
    isSettled = false,
  ): Promise<Candidate | undefined> {
    if (!budget(steps) || !env.creditSource.allows(payersOf(steps))) return undefined
    const done = await replay(
      (await envFor?.(steps)) ?? env,
      steps,
      search.newTag(),
      requirement,
      executor.state.finalStatuses,
      { lateness: isSettled || !lateness.isAssumed ? undefined : lateness, deletes },
    )
    shrinker.requests += done.requests
    const { violation: shown, isCertain } = done
    if (!shown && !isSettled) missed.push(sentIn(steps))
    if (!shown) return undefined
    // Another requirement counts until one is seen, and once more if only that is certain.
    const isOpen = !shrinker.seen || (isCertain && shrinker.seen.times === 0)
    if (shown.requirement !== requirement && !isOpen) return undefined
    requirement = shown.requirement
    const upTo = done.log.entries.map(({ step }) => step)
    shrinker.seen = { steps: upTo, shown: { ...done, violation: shown }, times: isCertain ? 1 : 0 }
    return shrinker.seen
  }

  /** Steps with the waits that make certain what they show, where these are brief. */
  function certain(steps: readonly Step[]): readonly Step[] {
    if (isPrompt) return steps.filter(({ kind }) => kind !== 'wait')
    if (rule === 'run-ends') return othersEnded(steps, next)
    const all = withWaits(steps)
    return !lateness.isAssumed || durationOf(all) - durationOf(steps) <= most.brief ? all : steps
  }

  /** Steps with the notifications that were there, which nobody has where nobody was. */
  function begun(steps: readonly Step[]): readonly Step[] {
    const unread = (at: number) => {
      const answer = executor.answers.get(at)
      return (answer ? items(answer) : []).filter((one) => field(one, 'read') === false).length
    }
    return withUnread(steps, unread, next)
  }

  /** Steps with the waits that make certain what they show. */
  function withWaits(steps: readonly Step[]): readonly Step[] {
    const settled = awaited(steps, rule, env.gaps, next, executor.state.finalStatuses)
    return rule === 'run-ends' ? othersEnded(settled, next) : settled
  }

  /** What is left of limits from now on; where nothing is assumed, replays wait as long as the service may be late. */
  function budgetOf({ requests, ms }: Limits): Budget {
    const before = shrinker.requests
    const until = target.now() + ms + (lateness.isAssumed ? 0 : 3 * env.gaps.settled)
    return (steps) =>
      costOf(steps) <= requests - (shrinker.requests - before) &&
      durationOf(steps) <= Math.min(until - target.now(), env.end.left) &&
      env.end.left > 0
  }
}
