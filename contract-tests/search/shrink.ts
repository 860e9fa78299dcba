/** Tries lists of steps live until one shows a contradiction again, and leaves out what that does not need. */
import { field, items } from '#traffic/exchange.ts'
import { judge, type ModelViolation } from '../model/index.ts'
import { ddmin } from './ddmin.ts'
import type { AssumedLateness, Env } from './env.ts'
import type { Executor } from './executor.ts'
import type { Candidate } from './findings.ts'
import { replay } from './replay.ts'
import type { Context, Strategy } from './scope.ts'
import { callsOf, costOf, durationOf, payersOf, type Step } from './step.ts'
import { type Attempt, attemptsOf, doubtOf, isAboutKeys, isRace, nTimes } from './strategies.ts'
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

export class Shrinker {
  /** Requests that were sent. */
  requests = 0
  /** Replays show the violation each time, but not with waits: the service is late. */
  isLate = false
  /** What was seen often enough. */
  best: Candidate | undefined
  /** What was seen last. */
  seen: Candidate | undefined
  /** The numbers of steps that have not shown it. */
  readonly #missed: ReadonlySet<number>[] = []
  readonly #search: Search
  readonly #violation: ModelViolation
  /** Where steps are tried; undefined: where the search is. */
  readonly #envFor: ((steps: readonly Step[]) => Promise<Env>) | undefined
  /** The requirement that is wanted: of the violation, or of the first that a replay showed. */
  #requirement: string
  /** What is shown late does not show so after a wait. */
  readonly #isPrompt: boolean

  constructor(search: Search, violation: ModelViolation, envFor?: (steps: readonly Step[]) => Promise<Env>) {
    this.#search = search
    this.#violation = violation
    this.#envFor = envFor
    this.#requirement = violation.requirement
    this.#isPrompt = violation.requirement === 'LIST-PROMPT'
  }

  /** What strategies take. */
  attemptsOf(tried: readonly Strategy[]): Iterable<Attempt> {
    const longest = this.#isAssumed || this.#isPrompt ? most.pause : this.#search.env.gaps.longest
    return attemptsOf(tried, this.#search, this.#violation, longest)
  }

  /** Tries until the steps of one attempt, or fewer, have shown the violation often enough. */
  async shrink(attempts: Iterable<Attempt>, limits: Limits): Promise<boolean> {
    const budget = this.#budget(limits)
    for (const { steps: list, taken } of attempts) {
      const steps = this.#certain(this.#envFor ? this.#begun(list) : list)
      const first = await this.#see(steps, budget)
      if (!first) continue
      if (await this.#settle(first, taken)) return true
      if (this.isLate) return false
      this.seen = undefined
      const often = await this.#see(
        nTimes(first.steps, most.again, () => this.#search.next()),
        budget,
      )
      if (often && (await this.#settle(often, new Set()))) return true
      this.seen = undefined
    }
    return false
  }

  /** Leaves out what a contradiction does not need, and sees the rest often enough; otherwise all of it. */
  async #settle(first: Candidate, taken: Attempt['taken']): Promise<boolean> {
    const { times, more, ms } = most.ddmin
    const budget = this.#budget({ requests: times * costOf(first.steps) + more, ms })
    const shown: Candidate[] = []
    const shows = async (steps: readonly Step[]) => {
      const left = shown.at(-1) ?? first
      if (!budget(steps) || costOf(left.steps) <= most.few) return undefined
      const sent = sentIn(steps)
      if (this.#missed.some((one) => sent.isSubsetOf(one)) || !this.#objects(left, steps)) return false
      const one = await this.#see(steps, budget)
      if (one) shown.push(one)
      return one !== undefined
    }
    await ddmin(first.steps, shows, doubtOf(this.#search, this.#violation, taken))
    for (const one of [...shown.slice(-2).toReversed(), first]) if (await this.#confirm(one)) return true
    const [smallest = first] = shown.slice(-1)
    this.isLate =
      smallest.times === 0 &&
      this.#isAssumed &&
      costOf(smallest.steps) <= most.short &&
      (await this.#isSteady(smallest, budget))
    return false
  }

  /** Whether the answers to fewer steps contradict each other, too, as they came: otherwise these are not sent. */
  #objects({ shown: { executor, wire, violation } }: Candidate, steps: readonly Step[]): boolean {
    if (violation.rule === 'run-ends' || steps.length > most.judged) return true
    const numbers = numbersOf(steps)
    const events = wire.history.filter(({ id }) => numbers.has(executor.stepOf(id) ?? Number.NaN))
    const { env, executor: own } = this.#search
    const { consistency, runTimeout } = env.t.settings
    // That a list is late is known only where it may be.
    const times =
      violation.requirement === 'LIST-PROMPT'
        ? { consistency, runTimeout }
        : { consistency: 0, runTimeout: 0 }
    const { violations } = judge(events, { ...times, finalStatuses: own.state.finalStatuses })
    return violations.some(({ requirement }) => requirement === violation.requirement)
  }

  /** Whether steps show the violation again; what was certain is seen again anyway. */
  async #isSteady({ steps, times }: Candidate, budget: Budget): Promise<boolean> {
    if (times > 0) return true
    if (await this.#see(steps, budget)) return true
    return this.#isRace(steps) && (await this.#see(steps, budget)) !== undefined
  }

  /** Sees steps often enough; where they rest on an assumption, with waits that make them certain. */
  async #confirm(given: Candidate): Promise<boolean> {
    if (given.times > 0 || !this.#isAssumed) return this.#seeOften(given.steps, given.times)
    const inRow = setAtFirst(given.steps, this.#violation.rule)
    if (inRow && (await this.#seeOften(this.#awaited(inRow), 0))) return true
    return this.#seeOften(this.#awaited(given.steps), 0)
  }

  /** Sees steps until it is often enough; `known`: how often they were seen already. */
  async #seeOften(steps: readonly Step[], known: number): Promise<boolean> {
    const { env } = this.#search
    const budget = this.#budget(most.confirm)
    for (let [times, missed] = [known, 0]; ; ) {
      // Refunds of what failed before may still come.
      const until = comparesBalances(this.#violation.rule) ? env.runTimes.failed + env.gaps.settled : 0
      const { target } = env.t
      if (!this.#envFor) await target.sleep(Math.min(Math.max(0, until - target.now()), env.end.left))
      const shown = await this.#see(steps, budget, true)
      if (shown) times++
      else missed++
      if (shown && times >= enough) this.best = { ...shown, steps, times }
      if (this.best) return true
      if (missed > (times > 0 || this.#isRace(steps) ? 1 : 0)) return false
    }
  }

  /** Tries steps if the budget allows. `isSettled`: no assumption is made. Returns what showed the violation. */
  async #see(steps: readonly Step[], budget: Budget, isSettled = false): Promise<Candidate | undefined> {
    const search = this.#search
    if (!budget(steps) || !search.env.creditSource.allows(payersOf(steps))) return undefined
    const env = (await this.#envFor?.(steps)) ?? search.env
    const done = await replay(
      env,
      steps,
      search.newTag(),
      this.#requirement,
      search.executor.state.finalStatuses,
      {
        lateness: isSettled || !this.#isAssumed ? undefined : search.lateness,
        deletes: isAboutKeys(search, this.#violation),
      },
    )
    this.requests += done.requests
    const { violation, isCertain } = done
    if (!violation && !isSettled) this.#missed.push(sentIn(steps))
    if (!violation) return undefined
    // Another requirement counts until one is seen, and once more if only that is certain.
    const isOpen = !this.seen || (isCertain && this.seen.times === 0)
    if (violation.requirement !== this.#requirement && !isOpen) return undefined
    this.#requirement = violation.requirement
    const upTo = done.log.entries.map(({ step }) => step)
    this.seen = { steps: upTo, shown: { ...done, violation }, times: isCertain ? 1 : 0 }
    return this.seen
  }

  /** Steps with the waits that make certain what they show, where these are brief. */
  #certain(steps: readonly Step[]): readonly Step[] {
    if (this.#isPrompt) return steps.filter(({ kind }) => kind !== 'wait')
    if (this.#violation.rule === 'run-ends') return othersEnded(steps, () => this.#search.next())
    const all = this.#awaited(steps)
    return !this.#isAssumed || durationOf(all) - durationOf(steps) <= most.brief ? all : steps
  }

  /** Steps with the notifications that were there, which nobody has where nobody was. */
  #begun(steps: readonly Step[]): readonly Step[] {
    const { executor, next } = this.#search
    const unread = (at: number) => {
      const answer = executor.answers.get(at)
      return (answer ? items(answer) : []).filter((one) => field(one, 'read') === false).length
    }
    return withUnread(steps, unread, next)
  }

  #awaited(steps: readonly Step[]): readonly Step[] {
    const { env, executor, next } = this.#search
    const settled = awaited(steps, this.#violation.rule, env.gaps, next, executor.state.finalStatuses)
    return this.#violation.rule === 'run-ends' ? othersEnded(settled, next) : settled
  }

  #isRace(steps: readonly Step[]): boolean {
    return isRace(this.#search, this.#violation, steps)
  }

  get #isAssumed(): boolean {
    return this.#search.lateness.isAssumed
  }

  /** What is left of limits from now on; where nothing is assumed, replays wait as long as the service may be late. */
  #budget({ requests, ms }: Limits): Budget {
    const { env } = this.#search
    const { target } = env.t
    const [before, until] = [this.requests, target.now() + ms + (this.#isAssumed ? 0 : 3 * env.gaps.settled)]
    return (steps) =>
      costOf(steps) <= requests - (this.requests - before) &&
      durationOf(steps) <= Math.min(until - target.now(), env.end.left) &&
      env.end.left > 0
  }
}
