/** What must not follow from a fault: judged by the state that a client leaves, not by single requests. */
import type { Rule } from '../rule.ts'
import type { Outlook } from './faults.ts'
import type { SentRequest, Trial } from './trial.ts'

/** A run under a fault, and the same run without one. */
export interface Comparison {
  readonly trial: Trial
  readonly usual: Trial
  readonly outlook: Outlook
}

/** What a fault led to. Without a violation nothing that it must not. */
export interface Consequence {
  readonly evidence: readonly SentRequest[]
  /** What went wrong, in the past tense, without a subject. */
  readonly violation?: string | undefined
}

/** An effect that good clients avoid. */
export interface Effect
  extends Pick<Rule, 'id' | 'level' | 'section' | 'statement' | 'needs' | 'fix' | 'thresholds'> {
  /** Ids of rules and effects whose violation in the same run explains one of this, unless their level is lower. */
  readonly followsFrom: readonly string[]
  /** Undefined: the run does not show it. */
  judge(comparison: Comparison): Consequence | undefined
}
