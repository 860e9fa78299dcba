/** What a search has found so far, one finding for each requirement, and how often each was tried. */
import type { Settings } from '../harness/terms.ts'
import type { ModelViolation } from '../model/index.ts'
import { attributed } from './attribution.ts'
import type { Finding } from './finding.ts'
import type { Replay } from './replay.ts'
import type { Strangers } from './strangers.ts'
import type { Wire } from './wire.ts'
import { wordsBeforeEach } from './words.ts'

/** Attempts to reproduce violations of one requirement. */
const mostAttempts = 10

export class Findings {
  readonly #found = new Map<string, Finding>()
  readonly #attempts = new Map<string, number>()
  /** Requirements of the model that a contradiction was confirmed of, under that name or a more exact one. */
  readonly #confirmed = new Set<string>()
  readonly #wire: Wire
  readonly #settings: Settings
  readonly #strangers: Strangers

  constructor(wire: Wire, settings: Settings, strangers: Strangers) {
    this.#wire = wire
    this.#settings = settings
    this.#strangers = strangers
  }

  get all(): Finding[] {
    return [...this.#found.values()]
  }

  /** Whether a violation is worth trying again. */
  isNews({ requirement }: ModelViolation): boolean {
    const attempts = this.#attempts.get(requirement) ?? 0
    return !this.#confirmed.has(requirement) && attempts < mostAttempts
  }

  /** Counts an attempt to reproduce a violation. */
  attempt(requirement: string): void {
    this.#attempts.set(requirement, (this.#attempts.get(requirement) ?? 0) + 1)
  }

  /**
   * Adds a finding; `events`: those that show it; `replay`: the last of its steps that showed it; `stepOf`: the step
   * that brought about an event, where none did; the last one: where that was.
   */
  add(
    violation: ModelViolation,
    { how, times, steps, requests, isHere }: Pick<Finding, 'how' | 'times' | 'steps' | 'requests' | 'isHere'>,
    events: readonly number[],
    replay?: Replay,
    stepOf: (event: number) => number | undefined = () => undefined,
    { history, exchanges } = this.#wire,
  ): void {
    const { noticed } = this.#strangers
    const isIn = new Set(events)
    const own = replay ? history.filter(({ id }) => isIn.has(id)) : []
    const named = attributed(violation, own)
    if (this.#found.get(named.requirement)?.confirmed) return
    if (how === 'replayed' || how === 'read again') this.#confirmed.add(violation.requirement)
    const words = wordsBeforeEach(history, this.#settings)
    const before = replay?.before ?? new Map([...words].toReversed().map(([id, text]) => [stepOf(id), text]))
    this.#found.set(named.requirement, {
      violation: named,
      confirmed: how === 'replayed' || how === 'read again',
      how,
      times,
      steps,
      requests,
      ...(isHere ? { isHere } : {}),
      evidence: events.flatMap((id) => exchanges.get(id) ?? []),
      before: words.get(violation.because.at(-1) ?? 0) ?? [],
      before_steps: steps.map(({ at }) => before.get(at) ?? []),
      disturbed: noticed.get('main') ?? noticed.get('other'),
    })
  }
}
