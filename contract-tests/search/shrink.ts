/** Tries a contradiction again live, in a fresh context, and leaves out what it does not need. */
import type { State } from '../model/index.ts'
import type { AssumedLateness } from './assumed-lateness.ts'
import { type Candidate, isFew, type Shown, type Shrunk } from './candidate.ts'
import { ladderFor, listsOf, type Rung } from './ladder.ts'
import { lessen } from './lessen.ts'
import { type Budget, budgetOf, type Limits, most } from './limits.ts'
import { awaited, comparesBalances } from './pauses.ts'
import { costOf, creditsOf, durationOf, replay } from './replay.ts'
import { type Origin, type Slices, slicesOf } from './slice.ts'
import type { Stage } from './stage.ts'
import { callsOf, type Step } from './step.ts'

/** The pauses that a replay keeps while the service is taken to show everything at once, ms. */
const prompt = { shortest: 400, short: 0, settled: 0, longest: 3_200 } as const
/** ms between what is cited that may matter. */
const long = 1_000
/** How often a history must show the same before it accuses. */
const enough = 2

export class Shrinker {
  readonly #stage: Stage
  readonly #endings: State['endings']
  readonly #newTag: () => string
  /** As it was, and with the pauses of the assumption. */
  readonly #given: Origin
  readonly #origin: Origin
  readonly #lateness: AssumedLateness | undefined
  /** Whether each replay begins without the keys of those before. */
  readonly #deletes: boolean
  /** The lists of steps, by their pauses and bursts. */
  readonly #slices = new Map<string, Slices | undefined>()
  /** The requirement that is wanted: of the violation, or of the first that a replay showed. */
  #requirement: string
  #requests = 0
  /** Those that showed it; the last one is the smallest. */
  readonly #candidates: Candidate[] = []

  /** `lateness`: an assumption by which steps are tried until they are few. */
  constructor(
    stage: Stage,
    endings: State['endings'],
    newTag: () => string,
    given: Origin,
    lateness: AssumedLateness,
  ) {
    this.#lateness = lateness.isAssumed ? lateness : undefined
    const origin = this.#lateness ? { ...given, gaps: { ...given.gaps, ...prompt } } : given
    this.#given = given
    this.#stage = stage
    this.#endings = endings
    this.#newTag = newTag
    this.#origin = origin
    this.#requirement = origin.violation.requirement
    this.#deletes = this.#cut()?.isAboutKeys === true
  }

  /** Tries few steps. */
  async tryFew(): Promise<Shrunk> {
    return this.#shrink(ladderFor(this.#origin.violation.rule).few, most.few)
  }

  /** Tries many. `attempt`: how often another contradiction of the requirement was tried, from 0. */
  async tryMany(attempt: number): Promise<Shrunk> {
    const { many } = ladderFor(this.#origin.violation.rule)
    return this.#shrink(many[attempt % many.length] ?? [], most.many)
  }

  async #shrink(rungs: readonly Rung[], limits: Limits): Promise<Shrunk> {
    await this.#climb(rungs, this.#budget(limits))
    if (this.#candidates.length > 0) await this.#lessen()
    return this.#outcome()
  }

  #outcome(): Shrunk {
    const best = this.#candidates.findLast(({ times }) => times >= enough) ?? this.#candidates.at(-1)
    return {
      steps: best?.steps ?? this.#cut()?.cited ?? [],
      times: best?.times ?? 0,
      requests: this.#requests,
      shown: best?.shown,
    }
  }

  /** The lists of steps that a rung takes one of; undefined: the steps of the contradiction are not known. */
  #cut({ slow, bursts }: Pick<Rung, 'slow' | 'bursts'> = {}): Slices | undefined {
    const name = `${slow} ${bursts}`
    const { short, longest } = this.#origin.gaps
    if (!this.#slices.has(name))
      this.#slices.set(name, slicesOf(this.#origin, slow ? longest : short, bursts))
    return this.#slices.get(name)
  }

  /** Tries lists of steps until one shows the violation. */
  async #climb(rungs: readonly Rung[], budget: Budget): Promise<void> {
    const tried = new Set<string>()
    // Where time passed between what is cited, it may matter; where requests were sent at once, that.
    const all = this.#cut()
    if (!all) return
    const isLong = all.lasts >= long
    const isRace = this.#isRace(all.cited)
    const isLikely = ({ slow, bursts }: Rung) => (isRace ? bursts === 'together' : isLong && slow === true)
    const ordered = rungs.toSorted((a, b) => Number(isLikely(b)) - Number(isLikely(a)))
    for (const rung of ordered) {
      const { requests, ms } = budget()
      const once = { requests: requests / 2, ms: ms / 2 }
      for (const steps of listsOf(rung, this.#cut(rung) ?? all, once, this.#origin)) {
        const key = steps.map((step) => (step.kind === 'wait' ? `${step.ms}` : JSON.stringify(step))).join()
        if (steps.length === 0 || tried.has(key)) continue
        tried.add(key)
        const tries = isShort(steps) && this.#isRace(steps) ? 2 : 1
        for (let i = 0; i < tries; i++) if (await this.#try(steps, budget)) return
      }
    }
  }

  /** Whether the contradiction cites several requests of one burst, whose order may be another the next time. */
  #isRace(steps: readonly Step[]): boolean {
    const { violation, stepOf } = this.#origin
    const cited = new Set(violation.because.flatMap((event) => stepOf(event) ?? []))
    return steps.some(
      (step) => step.kind === 'burst' && callsOf(step).filter(({ at }) => cited.has(at)).length > 1,
    )
  }

  /** Requests and time that are left of limits from now on; `isSettled`: no assumption is made. */
  #budget(limits: Limits, isSettled = !this.#lateness): Budget {
    return budgetOf(this.#stage.t, limits, isSettled, () => this.#requests)
  }

  /** Tries steps if the budget allows; undefined: it does not. `isSettled`: no assumption is made. */
  async #try(steps: readonly Step[], budget: Budget, isSettled = false): Promise<boolean | undefined> {
    const left = budget()
    if (costOf(steps) > left.requests || durationOf(steps) > left.ms) return undefined
    if (!this.#stage.purse.allows('main', creditsOf(steps))) return undefined
    const done = await replay(this.#stage, steps, this.#newTag(), this.#requirement, this.#endings, {
      lateness: isSettled ? undefined : this.#lateness,
      deletes: this.#deletes,
    })
    this.#requests += done.requests
    const { violation } = done
    if (!violation) return false
    const isFirst = this.#candidates.every(({ times }) => times === 0) && done.isCertain
    if (this.#candidates.length === 0 || isFirst) this.#requirement = violation.requirement
    if (violation.requirement !== this.#requirement) return false
    const shown = { ...done, violation }
    const known = this.#candidates.find((one) => one.steps === steps || one.tried === steps)
    const times = (known?.times ?? 0) + (done.isCertain ? 1 : 0)
    if (known) Object.assign(known, { shown, times })
    else
      this.#candidates.push({ tried: steps, steps: done.log.entries.map(({ step }) => step), shown, times })
    return true
  }

  /** Leaves out what the last contradiction did not need, and sees the rest twice. */
  async #lessen(): Promise<void> {
    const [first] = this.#candidates as [Candidate]
    const { requests } = first.shown
    const budget = this.#budget({
      ...most.lessen,
      requests: Math.min(most.lessen.requests, 20 + 3 * requests),
    })
    if (!isFew(first) && !(await this.#isSteady(first, budget))) return this.#confirmAll(first)
    while (await this.#trySlices(budget));
    const last = () => this.#candidates.at(-1) as Candidate
    await lessen(
      last().steps,
      (steps) => this.#try(steps, budget),
      () => isFew(last()),
    )
    const smallest = this.#candidates.toReversed().slice(0, most.confirm)
    for (const candidate of smallest) if (await this.#confirm(candidate)) return
  }

  /** Whether the steps up to the contradiction show it again, so that some may be left out. */
  async #isSteady({ steps }: Candidate, budget: Budget): Promise<boolean> {
    const tries = this.#isRace(steps) ? 2 : 1
    for (let i = 0; i < tries; i++) if (await this.#try(steps, budget)) return true
    return false
  }

  /** Sees all steps of a candidate twice: those after the contradiction too, where every n-th time shows it. */
  async #confirmAll(candidate: Candidate): Promise<void> {
    const all = candidate.tried
    if (!(await this.#confirm({ ...candidate, steps: all, times: 0 }))) return
    const shown = this.#candidates.findLast(({ times }) => times >= enough)
    if (shown) shown.steps = shown.tried
  }

  /** Tries the slices of what was shown last that are smaller than that; false: none shows it. */
  async #trySlices(budget: Budget): Promise<boolean> {
    const last = this.#candidates.at(-1) as Candidate
    if (isFew(last)) return false
    for (const steps of this.#sliced(last.shown))
      if (costOf(steps) < costOf(last.steps) && (await this.#try(steps, budget))) return true
    return false
  }

  /** The slices of a contradiction that a replay has shown, fewest first. */
  #sliced({ play, log, violation }: Shown): readonly (readonly Step[])[] {
    const stepOf = (event: number) => play.stepOf(event)
    const { gaps } = this.#origin
    const slices = slicesOf({ ...this.#origin, log, stepOf, violation }, gaps.short, 'apart')
    return slices ? [slices.cited, slices.kindred, slices.things, slices.akin] : []
  }

  /** Sees a candidate twice; where that rests on an assumption, with waits that make it certain. */
  async #confirm(candidate: Candidate): Promise<boolean> {
    const { steps } = candidate
    const { violation, gaps, next } = this.#given
    if (candidate.times > 0 || !this.#lateness) return this.#seeTwice(steps)
    return this.#seeTwice(awaited(steps, violation.rule, gaps, next))
  }

  async #seeTwice(steps: readonly Step[]): Promise<boolean> {
    const budget = this.#budget(most.many, true)
    const times = () => this.#candidates.find((one) => one.steps === steps || one.tried === steps)?.times ?? 0
    const tries = enough - times() + 1
    const { violation, gaps } = this.#given
    for (let i = 0; i < tries && times() < enough; i++) {
      // Refunds of what failed before may still come.
      const { t, pace } = this.#stage
      const until = comparesBalances(violation.rule) ? pace.failed + gaps.settled : 0
      await t.target.sleep(Math.max(0, until - t.target.now()))
      const isShown = await this.#try(steps, budget, true)
      if (i > 0 && !isShown && times() === 0) break
    }
    return times() >= enough
  }
}

/** Whether steps are tried again where they may depend on chance. */
const isShort = (steps: readonly Step[]) => costOf(steps) <= 25
