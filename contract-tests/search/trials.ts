/** What was tried live to show a contradiction again, and what showed it. */
import type { State } from '../model/index.ts'
import type { AssumedLateness } from './assumed-lateness.ts'
import type { Candidate } from './findings.ts'
import { costOf, durationOf, payersOf, replay } from './replay.ts'
import type { Stage } from './stage.ts'
import type { Step } from './step.ts'
import { type Budget, budgetOf, type Limits } from './trim.ts'

/** How often a history must show the same before it accuses. */
export const enough = 2

/** Where steps are tried; undefined: where the search is. */
export type StageFor = ((steps: readonly Step[]) => Promise<Stage | undefined>) | undefined

interface TrialOptions {
  readonly requirement: string
  readonly lateness: AssumedLateness
  /** Each replay begins without the keys of those before. */
  readonly deletes: boolean
  readonly stageFor?: StageFor
}

export class Trials {
  readonly #stageFor: StageFor
  /** Those that showed it, in their order. */
  readonly candidates: Candidate[] = []
  requests = 0
  /** An assumption by which steps are tried until they are few; undefined: none is made. */
  readonly lateness: AssumedLateness | undefined
  readonly stage: Stage
  /** What is known of the final statuses of runs. */
  readonly endings: State['endings']
  readonly #newTag: () => string
  /** Whether each replay begins without the keys of those before. */
  readonly #deletes: boolean
  /** The requirement that is wanted: of the violation, or of the first that a replay showed. */
  #requirement: string
  /** Whether a replay has shown it, so that another requirement does not count. */
  #isBound = false

  constructor(
    stage: Stage,
    endings: State['endings'],
    newTag: () => string,
    { requirement, lateness, deletes, stageFor }: TrialOptions,
  ) {
    this.#stageFor = stageFor
    this.stage = stage
    this.endings = endings
    this.#newTag = newTag
    this.#requirement = requirement
    this.#deletes = deletes
    this.lateness = lateness.isAssumed ? lateness : undefined
  }

  /** The one that was seen often enough, otherwise the last one. */
  get best(): Candidate | undefined {
    return this.candidates.findLast(({ times }) => times >= enough) ?? this.candidates.at(-1)
  }

  /** What showed it comes now and then only: another requirement may be violated next. */
  release(): void {
    this.#isBound = false
  }

  /** How often steps showed it for certain. */
  timesOf(steps: readonly Step[]): number {
    return this.#known(steps)?.times ?? 0
  }

  /** Requests and time that are left of limits from now on; `isSettled`: no assumption is made. */
  budget(limits: Limits, isSettled = !this.lateness): Budget {
    return budgetOf(this.stage, limits, isSettled, () => this.requests)
  }

  /** Tries steps if the budget allows; undefined: it does not. `isSettled`: no assumption is made. */
  async try(steps: readonly Step[], budget: Budget, isSettled = false): Promise<boolean | undefined> {
    const left = budget()
    if (left.ms === 0 || costOf(steps) > left.requests || durationOf(steps) > left.ms) return undefined
    if (!this.stage.creditSource.allows(payersOf(steps))) return undefined
    const stage = (await this.#stageFor?.(steps)) ?? this.stage
    const done = await replay(stage, steps, this.#newTag(), this.#requirement, this.endings, {
      lateness: isSettled ? undefined : this.lateness,
      deletes: this.#deletes,
    })
    this.requests += done.requests
    const { violation } = done
    if (!violation) return false
    const isFirst = this.candidates.every(({ times }) => times === 0) && done.isCertain
    if (!this.#isBound || isFirst) this.#requirement = violation.requirement
    this.#isBound = true
    if (violation.requirement !== this.#requirement) return false
    const shown = { ...done, violation }
    const known = this.#known(steps)
    const times = (known?.times ?? 0) + (done.isCertain ? 1 : 0)
    if (known) Object.assign(known, { shown, times })
    else this.candidates.push({ tried: steps, steps: done.log.entries.map(({ step }) => step), shown, times })
    return true
  }

  #known(steps: readonly Step[]): Candidate | undefined {
    return this.candidates.find((one) => one.steps === steps || one.tried === steps)
  }
}
