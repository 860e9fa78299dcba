/** Judges a whole history, in the order of its moments. */
import type { Variant } from '#contract/route.ts'
import type { ModelEvent } from './event.ts'
import { rules as allRules } from './rules/index.ts'
import { newState, type State } from './state.ts'
import { announce, arrange, receive, send } from './step.ts'
import type { ModelViolation, Rule } from './violation.ts'

interface JudgeOptions {
  /** What is known already of the final statuses of runs. */
  readonly finalStatuses?: State['finalStatuses']
  /** Default: all rules of the model. */
  readonly rules?: readonly Rule[]
  /** How late a list or a balance may show a change, ms; default 2,000. */
  readonly consistency?: number
  /** How late a refund may follow the end of a run, ms; default 60,000. */
  readonly runTimeout?: number
  /** The variant that answers must have; default: either. */
  readonly variant?: Variant | undefined
  /** End at the first violation, or at the first one that is meant. */
  readonly first?: boolean | ((violation: ModelViolation) => boolean)
  /** Called before each event takes effect, with what is known by then. */
  readonly before?: (event: ModelEvent, state: State) => void
}

/** What a history comes to. */
export interface Verdict {
  /** In the order in which they were seen. */
  readonly violations: readonly ModelViolation[]
  /** Ids of the requirements whose rules had something to judge. */
  readonly tried: ReadonlySet<string>
  /** What is known at the end. */
  readonly state: State
}

/** Judges the events of a history, in any order. */
export function judge(history: readonly ModelEvent[], options?: JudgeOptions): Verdict {
  const judge = new Judge(options)
  judge.add(history)
  return judge
}

/** Judges a history part by part, as it happens. */
export class Judge implements Verdict {
  violations: ModelViolation[] = []
  readonly tried = new Set<string>()
  readonly state: State
  readonly #options: JudgeOptions
  #ahead: Happening[] = []

  constructor(options: JudgeOptions = {}) {
    this.#options = options
    this.state = newState(options.consistency, options.runTimeout, options.finalStatuses, options.variant)
  }

  /** Takes in events, and judges what happened before a place: all of it was added. */
  add(events: readonly ModelEvent[], until = Number.POSITIVE_INFINITY): void {
    const { rules = allRules, first, before } = this.#options
    const isLast = typeof first === 'function' ? first : () => first === true
    const moments = [...this.#ahead, ...momentsOf(events)].sort((a, b) => a.place - b.place)
    const end = moments.findIndex(({ place }) => place >= until)
    this.#ahead = end < 0 ? [] : moments.splice(end)
    for (const { event, isSent } of moments) {
      const isArranged = event.kind === 'arranged'
      if (isSent !== isArranged) before?.(event, this.state)
      if (isArranged) (isSent ? announce : arrange)(this.state, event)
      else if (isSent) send(this.state, event)
      else this.violations.push(...receive(this.state, event, rules, this.tried))
      if (first && this.violations.some(isLast)) break
    }
  }
}

interface Happening {
  readonly place: number
  readonly event: ModelEvent
  readonly isSent: boolean
}

/** The sendings and the answers of a history. */
function momentsOf(history: readonly ModelEvent[]): Happening[] {
  return history.flatMap((event): Happening[] => {
    const sent = { place: event.sent.place, event, isSent: true }
    if (event.kind === 'arranged') return [sent, { place: event.received.place, event, isSent: false }]
    return event.answer ? [sent, { place: event.answer.received.place, event, isSent: false }] : [sent]
  })
}
