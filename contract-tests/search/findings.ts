/** What a search has found so far, one finding for each requirement, and how often each was tried. */
import type { Settings } from '../harness/settings.ts'
import type { ModelViolation } from '../model/index.ts'
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
    return !this.#found.get(requirement)?.confirmed && attempts < mostAttempts
  }

  /** Counts an attempt to reproduce a violation; returns how many there were before. */
  attempt(requirement: string): number {
    const before = this.#attempts.get(requirement) ?? 0
    this.#attempts.set(requirement, before + 1)
    return before
  }

  /**
   * Adds a finding; `events`: those that show it; `replay`: the last of its steps that showed it; `stepOf`: the step
   * that brought about an event, where none did.
   */
  add(
    violation: ModelViolation,
    { how, steps, requests }: Pick<Finding, 'how' | 'steps' | 'requests'>,
    events: readonly number[],
    replay?: Replay,
    stepOf: (event: number) => number | undefined = () => undefined,
  ): void {
    const { noticed } = this.#strangers
    if (this.#found.get(violation.requirement)?.confirmed) return
    const words = wordsBeforeEach(this.#wire.history, this.#settings)
    const before = replay?.before ?? new Map([...words].toReversed().map(([id, text]) => [stepOf(id), text]))
    this.#found.set(violation.requirement, {
      violation,
      confirmed: how !== 'once',
      how,
      steps,
      requests,
      evidence: events.flatMap((id) => this.#wire.exchanges.get(id) ?? []),
      before: words.get(violation.because.at(-1) ?? 0) ?? [],
      before_steps: steps.map(({ at }) => before.get(at) ?? []),
      disturbed: noticed.get('main') ?? noticed.get('other'),
    })
  }
}
