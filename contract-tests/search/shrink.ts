/** Tries a contradiction again live, in a fresh context, and leaves out what it does not need. */
import type { ModelViolation, State } from '../model/index.ts'
import { ladderFor, listsOf, type Rung } from './ladder.ts'
import { lessen } from './lessen.ts'
import { costOf, creditsOf, durationOf, type Replay, replay } from './replay.ts'
import { type Origin, type Slices, slicesOf } from './slice.ts'
import type { Stage } from './stage.ts'
import { callsOf, type Step } from './step.ts'

/** Most requests, ms, and waits for a list and a refund: to try few steps, to try many, and to make many fewer. */
const most = {
  few: { requests: 40, ms: 4_000, waits: 2 },
  many: { requests: 500, ms: 7_000, waits: 4 },
  lessen: { requests: 400, ms: 3_000, waits: 2 },
} as const
/** Requests of a history that need not become fewer. */
const fewEnough = 6
/** How often a history must show the same before it accuses. */
const enough = 2

/** What shrinking came to. */
export interface Shrunk {
  readonly steps: readonly Step[]
  /** How often the steps showed the violation. */
  readonly times: number
  /** Requests that were sent to find out. */
  readonly requests: number
  /** The last time; undefined: never. */
  readonly shown: Shown | undefined
}

type Shown = Replay & { readonly violation: ModelViolation }

/** Steps that showed the violation. */
interface Candidate {
  readonly steps: readonly Step[]
  shown: Shown
  times: number
}

export class Shrinker {
  readonly #stage: Stage
  readonly #endings: State['endings']
  readonly #newTag: () => string
  readonly #origin: Origin
  readonly #slices: Slices | undefined
  readonly #slow: Slices | undefined
  /** The requirement that is wanted: of the violation, or of the first that a replay showed. */
  #requirement: string
  #requests = 0
  /** Those that showed it; the last one is the smallest. */
  readonly #candidates: Candidate[] = []

  constructor(stage: Stage, endings: State['endings'], newTag: () => string, origin: Origin) {
    this.#stage = stage
    this.#endings = endings
    this.#newTag = newTag
    this.#origin = origin
    this.#requirement = origin.violation.requirement
    this.#slices = slicesOf(origin, origin.gaps.short)
    this.#slow = slicesOf(origin, origin.gaps.longest)
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
      steps: best?.steps ?? this.#slices?.cited ?? [],
      times: best?.times ?? 0,
      requests: this.#requests,
      shown: best?.shown,
    }
  }

  /** Tries lists of steps until one shows the violation. */
  async #climb(rungs: readonly Rung[], budget: Budget): Promise<void> {
    const tried = new Set<string>()
    for (const rung of this.#slices ? rungs : []) {
      const { requests, ms } = budget()
      const once = { requests: requests / 2, ms: ms / 2 }
      for (const steps of listsOf(
        rung,
        (rung.slow ? this.#slow : this.#slices) as Slices,
        once,
        this.#origin.next,
      )) {
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

  /** Requests and time that are left of limits from now on. */
  #budget({ requests, ms, waits }: Limits): Budget {
    const { target, settings } = this.#stage.t
    const [sent, until] = [
      this.#requests,
      target.now() + ms + waits * (settings.consistency + settings.runTimeout),
    ]
    return () => ({ requests: requests - (this.#requests - sent), ms: until - target.now() })
  }

  /** Tries steps if the budget allows; undefined: it does not. */
  async #try(steps: readonly Step[], budget: Budget): Promise<boolean | undefined> {
    const left = budget()
    if (costOf(steps) > left.requests || durationOf(steps) > left.ms) return undefined
    if (!this.#stage.purse.allows('main', creditsOf(steps))) return undefined
    const done = await replay(this.#stage, steps, this.#newTag(), this.#requirement, this.#endings)
    this.#requests += done.requests
    const { violation } = done
    if (!violation) return false
    if (this.#candidates.length === 0) this.#requirement = violation.requirement
    if (violation.requirement !== this.#requirement) return false
    const shown = { ...done, violation }
    const known = this.#candidates.find((one) => one.steps === steps)
    if (known) Object.assign(known, { shown, times: known.times + 1 })
    else this.#candidates.push({ steps, shown, times: 1 })
    return true
  }

  /** Leaves out what the last contradiction did not need, and sees the rest twice. */
  async #lessen(): Promise<void> {
    const [first] = this.#candidates as [Candidate]
    const { requests } = first.shown
    const budget = this.#budget({
      ...most.lessen,
      requests: Math.min(most.lessen.requests, 20 + 2 * requests),
    })
    while (await this.#trySlices(budget));
    const last = () => this.#candidates.at(-1) as Candidate
    await lessen(
      last().steps,
      (steps) => this.#try(steps, budget),
      () => isFew(last()),
    )
    for (const candidate of this.#candidates.toReversed()) if (await this.#confirm(candidate)) return
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
    const slices = slicesOf({ ...this.#origin, log, stepOf, violation }, this.#origin.gaps.short)
    return slices ? [slices.alone, slices.kindred, slices.things, slices.akin] : []
  }

  /** Sees a candidate once more, in two tries. */
  async #confirm(candidate: Candidate): Promise<boolean> {
    const budget = this.#budget(most.many)
    for (let tries = 0; tries < 2 && candidate.times < enough; tries++)
      await this.#try(candidate.steps, budget)
    return candidate.times >= enough
  }
}

interface Limits {
  readonly requests: number
  readonly ms: number
  readonly waits: number
}
/** What is left. */
type Budget = () => Pick<Limits, 'requests' | 'ms'>

/** Whether steps are tried again where they may depend on chance. */
const isShort = (steps: readonly Step[]) => costOf(steps) <= 25

const isFew = ({ shown }: Candidate) => shown.requests <= fewEnough
