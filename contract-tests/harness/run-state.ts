/**
 * State that all checks of a run share, whichever organization they test: its budget, its locks, and how late effects
 * show.
 */

import { randomUUID } from 'node:crypto'
import type { Exchange } from '#traffic/exchange.ts'
import { LostChargeTracker } from '../client/charges.ts'
import { type DisturbedByOthers, NotExercised, type Violation } from '../client/check-errors.ts'
import { Recorder } from '../client/recorder.ts'
import type { ModelViolation } from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { createDeadlines, type Deadlines } from './deadlines.ts'
import type { SuiteSettings } from './terms.ts'

/** The credits that checks may still spend in a run, and those that they have spent. */
export type CreditBudget = ReturnType<typeof createCreditBudget>

/**
 * Creates the budget of a run. `limit`: the most credits that it may spend; `wanted`: the most that the selected
 * requirements need together.
 */
export function createCreditBudget(limit: number, wanted = limit) {
  let planned = Math.min(limit, wanted)
  let accepted = 0
  let given = 0
  /** Costs of requests whose answers were lost, by organization. */
  const charges = { main: new LostChargeTracker(), other: new LostChargeTracker() } as const
  const lost = Object.values(charges)
  const spentNow = () => accepted + lost.reduce((sum, one) => sum + one.spent, 0)
  const perhapsNow = () => lost.reduce((sum, one) => sum + one.open, 0)
  return {
    limit,
    charges,
    /** Credits that a provider state gave and accepted requests have reserved, beyond those that are spent. */
    get given(): number {
      return given
    },
    /** Credits that paid requests have reserved, whether or not they were refunded. */
    get spent(): number {
      return spentNow()
    },
    /** Credits that requests with lost answers may have reserved, as far as no balance shows it yet. */
    get perhaps(): number {
      return perhapsNow()
    },
    /** Credits that may still be spent. */
    get left(): number {
      return planned - spentNow() - perhapsNow()
    },
    /** Makes sure that `credits` more may be spent. @throws NotExercised otherwise. */
    allow(credits: number): void {
      const [spent, perhaps] = [spentNow(), perhapsNow()]
      const most = spent + perhaps
      if (most + credits <= planned) return
      const it = `it may spend ${workCreditsText(credits)}, but`
      if (perhaps > 0 && spent + credits <= limit)
        throw new NotExercised(
          `${it} of the ${limit} allowed ${spent} are spent and at most ${perhaps} more: answers were lost`,
          `--max-credits ${most + credits} or more`,
        )
      const used =
        spent > planned
          ? `${spent} are spent, more than the ${planned} planned`
          : `${spent} of the ${planned} planned are spent`
      if (most + credits <= limit)
        throw new NotExercised(
          `${it} ${used}, and the ${limit - planned} beyond are kept for repetitions`,
          // More credits would not change the plan, which is as large as all requirements together need.
          'another run with --only and its id',
        )
      throw new NotExercised(
        `${it} only ${Math.max(0, limit - spent)} of the ${limit} allowed are left`,
        `--max-credits ${spent + credits} or more`,
      )
    },
    /** Allows all credits up to the limit from now on, since violated checks have to be repeated. */
    exceedPlan(): void {
      planned = limit
    },
    /** Counts credits as reserved that a provider state gave. */
    give(credits: number): void {
      given += credits
    },
    /** Counts credits as spent. */
    spend(credits: number): void {
      accepted += credits
    },
  }
}

/** A number of credits in words: `1 Work Credit`, `2 Work Credits`. */
export const workCreditsText = (credits: number) => `${credits} Work Credit${credits === 1 ? '' : 's'}`

/**
 * Names of the shared fixtures that checks used, in order; for each, the variants that were used, such as operations.
 */
export type UsedFixtureNames = Map<string, Set<string>>

/** A lock that many readers share, or one writer holds alone. */
class RwLock {
  readonly #readers = new Set<Promise<unknown>>()
  #writer: Promise<unknown> | undefined

  async read<T>(action: () => Promise<T>): Promise<T> {
    while (this.#writer) await this.#writer
    const reading = action()
    const ended = reading.catch(() => undefined).finally(() => this.#readers.delete(ended))
    this.#readers.add(ended)
    return reading
  }

  async write<T>(action: () => Promise<T>): Promise<T> {
    while (this.#writer) await this.#writer
    const writing = Promise.all(this.#readers).then(action)
    const ended = () => {
      this.#writer = undefined
    }
    this.#writer = writing.then(ended, ended)
    return writing
  }
}

/** A kind of effect that may show a moment late, within `--consistency`. */
export type LateEffectKind = 'list' | 'balance' | 'deleted key'

interface LateEffect {
  readonly kind: LateEffectKind
  /** What was late, such as `task_1`. */
  readonly what: string
  /** The request that had the effect, the last response that does not show it, and the first one that does. */
  readonly exchanges: readonly Exchange[]
  readonly ms: number
}

class Lateness {
  readonly effects: LateEffect[] = []
  /** Sources of effects that did not show within the allowed time. */
  readonly missed = new Set<string>()
  /** Numbers of the exchanges that looked for an effect last, without waiting in full. */
  readonly brief = new Set<number>()
  /** The longest time after which the balance showed a change, ms; 0: it showed all at once. */
  balance_ms = 0
  /** The longest time after which an overdue charge showed, ms; 0: none was overdue. */
  tooLate_ms = 0

  record(effect: LateEffect): void {
    this.effects.push(effect)
    if (effect.kind === 'balance') this.balance_ms = Math.max(this.balance_ms, effect.ms)
  }

  /** The late effects of a kind, the latest first. */
  of(kind: LateEffectKind): LateEffect[] {
    return this.effects.filter((one) => one.kind === kind).toSorted((a, b) => b.ms - a.ms)
  }
}

/** A key that the run has created. */
export interface CreatedKey {
  readonly id: string | undefined
  readonly secret: string
  /** Other strings of the response that may work as a key. */
  readonly others: readonly string[]
  /** The number of the exchange that returned it. */
  readonly shownBy: number
}

/** The ids of keys that could not be deleted, for a report; a placeholder where an id is unknown. */
export const undeletedKeyIds = (keys: readonly CreatedKey[]): string[] =>
  keys.map(({ id }) => id ?? 'a key whose id is unknown')

/** A run that never ends, and the requirement that it violates, or seems to violate while others use the agent. */
export interface StuckRun {
  readonly id: 'RUN-ENDS' | 'BUSY-STARTS'
  readonly violation: Violation | DisturbedByOthers
}

/** State that all checks of a run share: fixtures, spent credits, violations so far. */
export class SuiteRunState {
  /** Marks everything that the run creates. */
  readonly runId: string
  readonly recorder = new Recorder()
  readonly budget: CreditBudget
  readonly deadlines: Deadlines
  /** Locked for writing while the second organization refuses all requests, and for reading by each request to it. */
  readonly otherOrganization = new RwLock()
  /** Locked for writing while credits of the second organization are spent, or while its balance must not change. */
  readonly otherBalance = new RwLock()
  /** Locked for writing while unread notifications are counted, and for reading while one is marked. */
  readonly unreadCount = new RwLock()
  readonly lateness = new Lateness()
  /** The violations so far; their consequences are not reported as further violations. */
  readonly violations: { readonly id: RequirementId; readonly evidence: readonly Exchange[] }[] = []
  /** The first run of a task that a check found never to end. */
  stuck: StuckRun | undefined
  /** Returns the violations that the model finds in all that was sent so far. */
  objections: () => Promise<readonly ModelViolation[]> = async () => []
  /** True if the model could judge a requirement by some answer, as of the last call of `objections`. */
  isExercised: (id: RequirementId) => boolean = () => true
  /** The reason why the service became unreachable; undefined if it answers. */
  unreachable: string | undefined
  /** True if activity of other clients was seen in the organization. */
  disturbed = false
  /** True if a balance was wrong while other checks ran, and right when the check was repeated alone. */
  isBalanceDoubted = false
  /**
   * The check that runs alone; undefined: others run at the same time, and what fails is repeated alone. `confirms`:
   * it was violated in the second organization too, so interference by others is unlikely.
   */
  exclusive: { readonly id: RequirementId; readonly isPaid: boolean; readonly confirms: boolean } | undefined
  /**
   * The number of times that checks were repeated because others may have interfered; each time they send their
   * requests anew.
   */
  attempt = 0
  readonly evidence: UsedFixtureNames = new Map()
  #named = 0
  readonly #selected: ReadonlySet<RequirementId> | undefined

  /** planned: credits that the selected requirements may spend together; selected: their ids, undefined: all. */
  constructor(settings: SuiteSettings, planned?: number, selected?: ReadonlySet<RequirementId>) {
    this.#selected = selected
    this.runId = settings.runId ?? `verify-${randomUUID().slice(0, 8)}`
    this.budget = createCreditBudget(settings.readOnly ? 0 : settings.maxCredits, planned)
    this.deadlines = createDeadlines(settings.runTimeout)
  }

  /** Records that a shared fixture was used. */
  taken(name: string, about: string): void {
    const pieces = this.evidence.get(name) ?? new Set()
    this.evidence.set(name, pieces.add(about))
  }

  /** True if a requirement is selected: shared fixtures leave out requests that serve only others. */
  wants(id: RequirementId): boolean {
    return this.#selected?.has(id) ?? true
  }

  /** True if a requirement was found violated so far. */
  isViolated(id: RequirementId): boolean {
    return this.violations.some((one) => one.id === id)
  }

  /**
   * True if one of these requirements is being tested: if a check runs alone, that one; otherwise, if it is selected.
   */
  isFor(...ids: readonly RequirementId[]): boolean {
    return this.exclusive ? ids.includes(this.exclusive.id) : ids.some((id) => this.wants(id))
  }

  /** A unique text, tagged with the run id. */
  name(what: string): string {
    return `${what} (${this.runId}-${++this.#named})`
  }

  /** The tags of unique texts in a text. */
  tagsIn(text: string): string[] {
    return [...text.matchAll(/\(([\w-]+-\d+)\)/g)].flatMap(([tag, name]) =>
      name?.startsWith(this.runId) ? [tag] : [],
    )
  }
}
