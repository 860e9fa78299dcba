/** Judges a whole history, in the order of its moments. */
import type { Variant } from '#contract/route.ts'
import type { ModelEvent } from './event.ts'
import { modelRules as allRules } from './rules/index.ts'
import { createModelState, type ModelState } from './state.ts'
import {
  judgeAndLearnAnswer,
  onProviderStateChanged,
  onProviderStateSetupStarted,
  onRequestSent,
} from './step.ts'
import type { ModelRule, ModelViolation } from './violation.ts'

interface JudgeOptions {
  /** Final statuses of runs known from earlier histories. */
  readonly finalStatuses?: ModelState['finalStatuses']
  /** Default: all rules of the model. */
  readonly rules?: readonly ModelRule[]
  /** Maximum delay of lists and balances, ms; default 2,000. */
  readonly consistency?: number
  /** Maximum delay of a refund after the end of a run, ms; default 60,000. */
  readonly runTimeout?: number
  /** Required response variant; default: either. */
  readonly variant?: Variant | undefined
  /** Stop at the first violation, or at the first that matches. */
  readonly stopAtFirst?: boolean | ((violation: ModelViolation) => boolean)
  /** Called before each event with the state so far. */
  readonly onBeforeEvent?: (event: ModelEvent, state: ModelState) => void
}

/** The violations in a history, and the state that the model has inferred from it. */
export interface ModelVerdict {
  /** Violations in order of discovery. */
  readonly violations: readonly ModelViolation[]
  /** Requirements that some answer exercised. */
  readonly exercised: ReadonlySet<string>
  /** State after the last event. */
  readonly state: ModelState
}

/** Judges all events of a history, given in any order. */
export function judgeHistory(history: readonly ModelEvent[], options?: JudgeOptions): ModelVerdict {
  const judge = new HistoryJudge(options)
  judge.add(history)
  return judge
}

/** Judges a history incrementally, part by part. */
export class HistoryJudge implements ModelVerdict {
  violations: ModelViolation[] = []
  readonly exercised = new Set<string>()
  readonly state: ModelState
  readonly #options: JudgeOptions
  #ahead: HistoryPoint[] = []

  constructor(options: JudgeOptions = {}) {
    this.#options = options
    this.state = createModelState(
      options.consistency,
      options.runTimeout,
      options.finalStatuses,
      options.variant,
    )
  }

  /** Adds events, and judges everything before `until`: no earlier event may follow. */
  add(events: readonly ModelEvent[], until = Number.POSITIVE_INFINITY): void {
    const { rules = allRules, stopAtFirst, onBeforeEvent } = this.#options
    const isLast = typeof stopAtFirst === 'function' ? stopAtFirst : () => stopAtFirst === true
    const moments = [...this.#ahead, ...historyPointsOf(events)].sort((a, b) => a.seq - b.seq)
    const end = moments.findIndex(({ seq }) => seq >= until)
    this.#ahead = end < 0 ? [] : moments.splice(end)
    for (const { event, isSent } of moments) {
      const isArranged = event.kind === 'arranged'
      if (isSent !== isArranged) onBeforeEvent?.(event, this.state)
      if (isArranged) (isSent ? onProviderStateSetupStarted : onProviderStateChanged)(this.state, event)
      else if (isSent) onRequestSent(this.state, event)
      else this.violations.push(...judgeAndLearnAnswer(this.state, event, rules, this.exercised))
      if (stopAtFirst && this.violations.some(isLast)) break
    }
  }
}

interface HistoryPoint {
  readonly seq: number
  readonly event: ModelEvent
  readonly isSent: boolean
}

/** Requests and answers of a history as points in time. */
function historyPointsOf(history: readonly ModelEvent[]): HistoryPoint[] {
  return history.flatMap((event): HistoryPoint[] => {
    const sent = { seq: event.sent.seq, event, isSent: true }
    if (event.kind === 'arranged') return [sent, { seq: event.received.seq, event, isSent: false }]
    return event.answer ? [sent, { seq: event.answer.received.seq, event, isSent: false }] : [sent]
  })
}
