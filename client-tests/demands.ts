/** All that is demanded of a client: the rules for its requests, and the effects that it avoids under faults. */
import { effects } from './every-fault/effects.ts'
import type { Rule } from './rule.ts'
import { rules } from './rules/index.ts'

export interface Demand
  extends Pick<Rule, 'id' | 'level' | 'section' | 'statement' | 'thresholds' | 'needs' | 'fix'> {
  /** Whether it is judged by what a client leaves behind, and not by single requests. */
  readonly isEffect: boolean
}

/** Rules, then effects, in the order of reports. */
export const demands: readonly Demand[] = [
  ...rules.map((rule) => ({ ...rule, isEffect: false })),
  ...effects.map((effect) => ({ ...effect, isEffect: true })),
]
