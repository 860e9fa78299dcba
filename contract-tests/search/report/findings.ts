/** Findings of a search, one per requirement. */
import type { Exchange } from '#traffic/exchange.ts'
import type { SuiteSettings } from '../../harness/terms.ts'
import { attributeBalanceViolation, type ModelViolation } from '../../model/index.ts'
import type { InterferenceMonitor } from '../execute/interference.ts'
import type { RecordingTransport } from '../execute/transport.ts'
import type { ReplayResult } from '../reproduce/replay.ts'
import type { Step } from '../step.ts'
import { stateDescriptionsByEvent } from './state-descriptions.ts'

/** A violation that the search has reproduced and minimized. */
export interface Finding {
  readonly violation: ModelViolation
  /** True if it was seen more than once. */
  readonly confirmed: boolean
  /**
   * How sure it is: reproduced twice by replays, shown again by two more reads, seen once, not retried for lack of time
   * (`untried`), or perhaps only late (`suspected`).
   */
  readonly how: 'replayed' | 'read again' | 'once' | 'untried' | 'suspected'
  /** Number of reproducing replays. */
  readonly times: number
  /** True if isolated tenants do not reproduce it, so that it depends on data from before. */
  readonly needsPriorState?: boolean
  /** True if isolated tenants reproduce it. */
  readonly reproducesFromScratch?: boolean
  /** The minimized history. */
  readonly steps: readonly Step[]
  /** Number of requests that were sent to minimize and confirm it. */
  readonly requests: number
  /**
   * The exchanges of the history, of which the last contradicts the others; if it was not replayed, only those that
   * contradict each other.
   */
  readonly evidence: readonly Exchange[]
  /** The model's knowledge before the last step, as sentences. */
  readonly before: readonly string[]
  /** The model's knowledge before each step, as sentences. */
  readonly before_steps: readonly (readonly string[])[]
  /** Sign of another user in the organization, if any. */
  readonly interference: string | undefined
}

/** Maximum number of attempts to reproduce violations of one requirement. */
const maxAttempts = 10

/** The findings of a search, and how often each requirement was investigated. */
export class Findings {
  readonly #transport: RecordingTransport
  readonly #settings: SuiteSettings
  readonly #monitor: InterferenceMonitor
  readonly #found = new Map<string, Omit<Finding, 'interference'>>()
  /** Attempts to reproduce a violation, by its requirement. */
  readonly #attempts = new Map<string, number>()
  /** Requirements with a confirmed finding, as the model named them. */
  readonly #confirmed = new Set<string>()

  constructor(transport: RecordingTransport, settings: SuiteSettings, monitor: InterferenceMonitor) {
    this.#transport = transport
    this.#settings = settings
    this.#monitor = monitor
  }

  get all(): Finding[] {
    const { noticed } = this.#monitor
    const interference = noticed.get('main') ?? noticed.get('other')
    return [...this.#found.values()].map((one) => ({ ...one, interference }))
  }

  /** True if another user could have caused a confirmed finding. */
  get mayBeForeign(): boolean {
    return this.#found
      .values()
      .some(({ confirmed, violation }) => confirmed && violation.attributableToOthers)
  }

  /** True unless the requirement is confirmed or out of attempts. */
  isWorthReproducing({ requirement }: ModelViolation): boolean {
    return !this.#confirmed.has(requirement) && (this.#attempts.get(requirement) ?? 0) < maxAttempts
  }

  /** Counts an attempt to reproduce a violation. */
  countAttempt(requirement: string): void {
    this.#attempts.set(requirement, (this.#attempts.get(requirement) ?? 0) + 1)
  }

  /**
   * Adds a finding. `events` are its evidence, `replay` the last reproduction or failed attempt, `stepOf` maps events
   * to steps without a replay.
   */
  add(
    violation: ModelViolation,
    counted: Pick<
      Finding,
      'how' | 'times' | 'steps' | 'requests' | 'needsPriorState' | 'reproducesFromScratch'
    >,
    events: readonly number[],
    replay?: ReplayResult,
    stepOf: (event: number) => number | undefined = () => undefined,
  ): void {
    const { history, exchanges } = counted.how === 'replayed' && replay ? replay.transport : this.#transport
    const isIn = new Set(events)
    const named = attributeBalanceViolation(violation, replay ? history.filter(({ id }) => isIn.has(id)) : [])
    if (this.#found.get(named.requirement)?.confirmed) return
    const confirmed = counted.how === 'replayed' || counted.how === 'read again'
    if (confirmed) this.#confirmed.add(violation.requirement)
    const descriptions = stateDescriptionsByEvent(history, this.#settings)
    const before = replay
      ? descriptionsByStep(replay, this.#settings)
      : new Map([...descriptions].toReversed().map(([id, text]) => [stepOf(id), text]))
    this.#found.set(named.requirement, {
      ...counted,
      violation: named,
      confirmed,
      evidence: events.flatMap((id) => exchanges.get(id) ?? []),
      before: descriptions.get(violation.evidence.at(-1) ?? 0) ?? [],
      before_steps: counted.steps.map(({ stepId }) => before.get(stepId) ?? []),
    })
  }
}

/** The knowledge of the model before each step of a replay, as sentences, by the id of the step. */
function descriptionsByStep({ executor, transport }: ReplayResult, settings: SuiteSettings) {
  const own = transport.history.filter(({ id }) => executor.stepOf(id) !== undefined)
  const descriptions = [...stateDescriptionsByEvent(own, settings)].toReversed()
  return new Map(descriptions.map(([id, text]) => [executor.stepOf(id), text]))
}
