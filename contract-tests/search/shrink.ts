/** Tries a contradiction again live, in a fresh context, and leaves out what it does not need. */
import type { State } from '../model/index.ts'
import type { AssumedLateness } from './assumed-lateness.ts'
import { type Candidate, isFew, type Shown, type Shrunk } from './candidate.ts'
import { ladderFor, listsOf, type Rung } from './ladder.ts'
import { complete, lessen, middling } from './lessen.ts'
import { type Budget, brief, type Limits, most, racing, short, worthwhile } from './limits.ts'
import { isRace, type Origin } from './origin.ts'
import { awaited, comparesBalances } from './pauses.ts'
import { costOf, durationOf } from './replay.ts'
import { type Slices, slicesOf } from './slice.ts'
import { briefest, promptGaps, type Stage, withShort } from './stage.ts'
import type { Step } from './step.ts'
import { enough, Trials } from './trials.ts'

export class Shrinker {
  /** Replays show the violation each time, but not with waits: the service is late. */
  isLate = false
  /** As it was, and with the pauses of the assumption. */
  readonly #given: Origin
  readonly #origin: Origin
  /** The lists of steps, by their pauses and bursts. */
  readonly #slices = new Map<string, Slices | undefined>()
  readonly #trials: Trials
  /** What is shown late does not show so after a wait. */
  readonly #isPrompt: boolean

  /** `lateness`: an assumption by which steps are tried until they are few. */
  constructor(
    stage: Stage,
    endings: State['endings'],
    newTag: () => string,
    given: Origin,
    lateness: AssumedLateness,
  ) {
    this.#given = given
    const { requirement } = given.violation
    this.#isPrompt = requirement === 'LIST-PROMPT'
    const isPrompt = lateness.isAssumed || this.#isPrompt
    this.#origin = isPrompt ? { ...given, gaps: { ...given.gaps, ...promptGaps } } : given
    const deletes = this.#cut()?.isAboutKeys === true
    this.#trials = new Trials(stage, endings, newTag, { requirement, lateness, deletes })
  }

  /** Tries few steps; `requests`: most that may be sent to see it for the first time. */
  async tryFew(requests: number = most.few.requests): Promise<Shrunk> {
    return this.#shrink(ladderFor(this.#origin.violation.rule).few, { ...most.few, requests })
  }

  /** Tries many. `attempt`: how often another contradiction of the requirement was tried, from 0. */
  async tryMany(attempt: number): Promise<Shrunk> {
    const { many } = ladderFor(this.#origin.violation.rule)
    return this.#shrink(many[attempt % many.length] ?? [], most.many)
  }

  async #shrink(rungs: readonly Rung[], limits: Limits): Promise<Shrunk> {
    const unsteady = await this.#climb(rungs, limits)
    if (unsteady) await this.#confirmAll(unsteady)
    const { best, requests } = this.#trials
    const { steps = this.#cut()?.cited ?? [], times = 0, shown } = best ?? {}
    return { steps, times, requests, shown }
  }

  /** The lists of steps that a rung takes one of; undefined: the steps of the contradiction are not known. */
  #cut({ slow, bursts }: Pick<Rung, 'slow' | 'bursts'> = {}): Slices | undefined {
    const name = `${slow} ${bursts}`
    if (!this.#slices.has(name)) {
      const { gaps } = this.#origin
      const kept = slow ? { ...gaps, shortest: briefest } : withShort(gaps)
      this.#slices.set(name, slicesOf({ ...this.#origin, gaps: kept }, bursts))
    }
    return this.#slices.get(name)
  }

  /** Tries lists of steps until one shows the violation twice. Returns the largest that showed it now and then. */
  async #climb(rungs: readonly Rung[], limits: Limits): Promise<Candidate | undefined> {
    let budget = this.#trials.budget(limits)
    let unsteady: Candidate | undefined
    for (const list of this.#lists(rungs, () => budget())) {
      const steps = this.#certain(list)
      const tries = costOf(steps) <= racing && isRace(this.#origin, steps) ? 2 : 1
      let isShown: boolean | undefined = false
      for (let i = 0; i < tries && !isShown; i++) isShown = await this.#trials.try(steps, budget)
      if (!isShown) continue
      const { ms } = budget()
      const candidate = this.#trials.candidates.at(-1) as Candidate
      const isSettled = await this.#settle(candidate)
      this.isLate = isSettled === false && (await this.#comesWithoutWaits(candidate))
      if (isSettled || this.isLate) return undefined
      if (!unsteady || costOf(unsteady.tried) < costOf(candidate.tried)) unsteady = candidate
      this.#trials.release()
      budget = this.#trials.budget({ requests: budget().requests, ms, waits: 0 })
    }
    return unsteady
  }

  /** Whether steps show the violation again; what was certain is seen again anyway, and without long waits. */
  async #isSteady({ steps, times }: Candidate): Promise<boolean> {
    if (times > 0) return true
    const budget = this.#trials.budget(most.few)
    for (let i = 0; i < (isRace(this.#origin, steps) ? 2 : 1); i++)
      if (await this.#trials.try(steps, budget)) return true
    return false
  }

  /** Whether a short history that was not seen again with waits shows the violation each time without. */
  async #comesWithoutWaits(candidate: Candidate): Promise<boolean> {
    const { steps, times } = candidate
    if (times > 0 || costOf(steps) > short || !this.#trials.lateness) return false
    return this.#isSteady(candidate)
  }

  /** The lists of rungs, each once; the likely ones first. */
  *#lists(rungs: readonly Rung[], budget: Budget): Generator<readonly Step[]> {
    const all = this.#cut()
    if (!all) return
    // Where requests were sent at once, that matters.
    const isAtOnce = isRace(this.#origin, all.cited)
    const keepsBurst = ({ bursts, slice }: Rung) => bursts === 'together' && slice !== 'things'
    const rankOf = (rung: Rung) => (isAtOnce && keepsBurst(rung) ? -1 : rungs.indexOf(rung))
    const known = new Set<string>()
    for (const rung of rungs.toSorted((a, b) => rankOf(a) - rankOf(b))) {
      const { requests, ms } = budget()
      const once = { requests: requests / 2, ms }
      for (const steps of listsOf(rung, this.#cut(rung) ?? all, once, this.#origin)) {
        const key = steps.map((step) => (step.kind === 'wait' ? `${step.ms}` : JSON.stringify(step))).join()
        if (steps.length > 0 && !known.has(key)) yield steps
        known.add(key)
      }
    }
  }

  /** Leaves out what a contradiction does not need, and sees the rest twice; undefined: it comes now and then only. */
  async #settle(first: Candidate): Promise<boolean | undefined> {
    const { candidates } = this.#trials
    const begin = candidates.indexOf(first)
    if (!(await this.#isSteady(first))) return undefined
    const requests = Math.max(most.lessen.least, costOf(first.steps))
    const budget = this.#trials.budget({ ...most.lessen, requests })
    while (await this.#trySlices(budget));
    const last = () => candidates.at(-1) as Candidate
    await lessen(
      last().steps,
      (steps) => this.#trials.try(steps, budget),
      () => isFew(last()),
    )
    const smallest = candidates
      .slice(begin + 1)
      .toReversed()
      .slice(0, most.confirm)
    for (const candidate of smallest) if (await this.#confirm(candidate)) return true
    return this.#confirm(first)
  }

  /** Sees half or all steps of a candidate twice: those after the contradiction too, where every n-th time shows it. */
  async #confirmAll(candidate: Candidate): Promise<void> {
    const all = candidate.tried
    const half = complete(all.slice(Math.floor(all.length / 2)))
    for (const steps of comparesBalances(this.#given.violation.rule) ? [all] : [half, all]) {
      if (!(await this.#confirm({ ...candidate, steps, times: 0 }))) continue
      const shown = this.#trials.best
      if (shown) shown.steps = shown.tried
      return
    }
  }

  /** Tries the slices of what was shown last that are smaller than that; false: none shows it. */
  async #trySlices(budget: Budget): Promise<boolean> {
    const last = this.#trials.candidates.at(-1) as Candidate
    if (costOf(last.steps) <= middling.most) return false
    for (const steps of this.#sliced(last.shown))
      if (costOf(steps) < worthwhile * costOf(last.steps) && (await this.#trials.try(steps, budget)))
        return true
    return false
  }

  /** The slices of a contradiction that a replay has shown, fewest first. */
  #sliced({ play, log, violation }: Shown): readonly (readonly Step[])[] {
    const stepOf = (event: number) => play.stepOf(event)
    const gaps = withShort(this.#origin.gaps)
    const slices = slicesOf({ ...this.#origin, gaps, log, stepOf, violation }, 'apart')
    return slices ? [slices.cited, slices.kindred, slices.things, slices.akin] : []
  }

  /** Steps with the waits that make certain what they show, where these are brief. */
  #certain(steps: readonly Step[]): readonly Step[] {
    if (this.#isPrompt) return steps.filter(({ kind }) => kind !== 'wait')
    if (!this.#trials.lateness) return steps
    const all = this.#awaited(steps)
    return durationOf(all) - durationOf(steps) <= brief ? all : steps
  }

  /** Sees a candidate twice; where that rests on an assumption, with waits that make it certain. */
  async #confirm({ steps, times }: Candidate): Promise<boolean> {
    const isCertain = times > 0 || !this.#trials.lateness
    return this.#seeTwice(isCertain ? steps : this.#awaited(steps))
  }

  #awaited(steps: readonly Step[]): readonly Step[] {
    const { violation, gaps, next } = this.#given
    return awaited(steps, violation.rule, gaps, next, this.#trials.endings)
  }

  async #seeTwice(steps: readonly Step[]): Promise<boolean> {
    const { stage } = this.#trials
    const budget = this.#trials.budget(most.many, true)
    const times = () => this.#trials.timesOf(steps)
    const tries = enough - times() + 1
    const mostMissed = isRace(this.#origin, steps) ? 2 : 1
    const { violation, gaps } = this.#given
    for (let i = 0; i < tries && times() < enough; i++) {
      // Refunds of what failed before may still come.
      const until = comparesBalances(violation.rule) ? stage.pace.failed + gaps.settled : 0
      await stage.t.target.sleep(Math.max(0, until - stage.t.target.now()))
      const isShown = await this.#trials.try(steps, budget, true)
      if (!isShown && times() === 0 && i + 1 >= mostMissed) break
    }
    return times() >= enough
  }
}
