/** Judges a whole history, in the order of its moments. */
import type { ModelEvent } from './event.ts'
import { rules as allRules } from './rules/index.ts'
import { newState, type State } from './state.ts'
import { announce, arrange, receive, send } from './step.ts'
import type { ModelViolation, Rule } from './violation.ts'

export interface JudgeOptions {
  /** Default: all rules of the model. */
  readonly rules?: readonly Rule[]
  /** How late a list or a balance may show a change, ms; default 2,000. */
  readonly lag?: number
  /** How late a refund may follow the end of a run, ms; default 60,000. */
  readonly patience?: number
  /** End at the first violation. */
  readonly first?: boolean
  /** Called before each event takes effect, with what is known by then. */
  readonly before?: (event: ModelEvent, state: State) => void
}

export interface Verdict {
  /** In the order in which they were seen. */
  readonly violations: readonly ModelViolation[]
  /** Ids of the requirements whose rules had something to judge. */
  readonly tried: ReadonlySet<string>
  /** What is known at the end. */
  readonly state: State
}

/** Judges the events of a history, in any order. */
export function judge(
  history: readonly ModelEvent[],
  { rules = allRules, lag, patience, first, before }: JudgeOptions = {},
): Verdict {
  const state = newState(lag, patience)
  const violations: ModelViolation[] = []
  const tried = new Set<string>()
  for (const { event, isSent } of momentsOf(history)) {
    const isArranged = event.kind === 'arranged'
    if (isSent !== isArranged) before?.(event, state)
    if (isArranged) (isSent ? announce : arrange)(state, event)
    else if (isSent) send(state, event)
    else violations.push(...receive(state, event, rules, tried))
    if (first && violations.length > 0) break
  }
  return { violations, tried, state }
}

interface Happening {
  readonly place: number
  readonly event: ModelEvent
  readonly isSent: boolean
}

/** The sendings and the answers of a history in their order. */
function momentsOf(history: readonly ModelEvent[]): Happening[] {
  const happenings = history.flatMap((event): Happening[] => {
    const sent = { place: event.sent.place, event, isSent: true }
    if (event.kind === 'arranged') return [sent, { place: event.received.place, event, isSent: false }]
    return event.answer ? [sent, { place: event.answer.received.place, event, isSent: false }] : [sent]
  })
  return happenings.sort((a, b) => a.place - b.place)
}
