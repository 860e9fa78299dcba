/** A rule for clients: a requirement of the specification as data, and a pure function that judges it. */

import { z } from 'zod'
import { fields, oneOf } from '#contract/input/checked.ts'
import { operationIds } from '#contract/operation.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'

/**
 * The level of a client rule. `MUST`: the specification states it; `SHOULD`: it follows from the specification, and is
 * shown as advice.
 */
export type ClientRuleLevel = 'MUST' | 'SHOULD'

/** The part of a change of a balance that client rules look at. */
export interface LedgerEntry {
  readonly kind: string
  /** Credits; negative when they were spent. */
  readonly amount: number
  /** ms since the epoch. */
  readonly at: number
  /** The request that caused it; null: none. */
  readonly request_id: string | null
  /** The reservation that a refund gives back; null or unset: none. */
  readonly subject?: string | null
}

/** Schema of facts about one run of a client that its requests do not show, such as whether it may fail. */
export const runFactsSchema = fields({
  /** How long it ran until it was killed, ms; undefined: it ended by itself. */
  killedAfter: z.number().optional(),
  /** Mock time of its end, ms since the epoch; unset: that of the judgement. */
  endedAt: z.number().optional(),
  /** True if it was killed because it printed without an end. */
  isFlooding: z.boolean().optional(),
  /** True if a good client can finish its work in these circumstances. */
  canFinish: z.boolean(),
  /** True if what the client left behind is compared with a run without a fault, which shows what is undone. */
  isCompared: z.boolean().exactOptional(),
  /** True if the same command ran tasks where nothing went wrong; unset: not known. */
  hasPaidWork: z.boolean().optional(),
  /** Credits that the same command paid where nothing went wrong; unset: not known. */
  price: z.number().optional(),
  /** True if the same command polls tasks on after their end where nothing goes wrong; unset: not known. */
  pollsOn: z.boolean().optional(),
  /** True if the same command leaves a run that it has seen going on, where nothing goes wrong; unset: not known. */
  leavesRuns: z.boolean().optional(),
  /** The operation after whose success the same command ends with an error where nothing goes wrong; unset: none. */
  stopsAt: oneOf(operationIds).optional(),
  /** How long each refusal was held back, so that requests sent before it was known came meanwhile, ms; unset: not at all. */
  held: z.number().optional(),
  /** Its output; unset: not known. */
  output: z.string().optional(),
})
/** Facts about one run of a client that its requests do not show, such as whether it may fail. */
export type RunFacts = Readonly<z.output<typeof runFactsSchema>>

/** Knowledge of a rule beyond the requests of an organization: its keys, ledger and clock, and how the client ended. */
export interface RuleContext {
  /** Null: the requests belong to no organization. */
  readonly org_id: string | null
  /** The bearer values of its keys. */
  readonly secrets: readonly string[]
  /** Its ledger, oldest first. */
  readonly ledger: readonly LedgerEntry[]
  /** Mock time of the judgement, ms since the epoch. */
  readonly now: number
  /** How the client ended; undefined: it may go on. */
  readonly end: { readonly ok: boolean } | undefined
  /** The run of the client that sent the requests; undefined: not known. */
  readonly run: RunFacts | undefined
  /** True if the client had received the answer to the earlier request when it sent the later one. */
  knew(later: JournalEntry, earlier: JournalEntry): boolean
}

/** A situation in which a rule applied to a client, with evidence; without a violation the client kept the rule. */
export interface Situation {
  readonly evidence: readonly JournalEntry[]
  /** Mistake of the client in the past tense, without a subject. */
  readonly violation?: string | undefined
}

/** A demand on a client, either a rule or an effect: id, level, section and texts. */
export interface ClientDemand {
  /** Stable, unique, never reused. */
  readonly id: ClientRuleId
  readonly level: ClientRuleLevel
  readonly section: string
  /** A sentence that is true of a good client. */
  readonly statement: string
  /** Precondition of judging the rule. */
  readonly needs: string
  /** How to fix a client that violates it, in one sentence. */
  readonly fix: string
  /** The exact line that the rule draws, in one sentence; unset: the statement says it. */
  readonly thresholds?: string
}

/** A demand that is judged by the requests of a client. */
export interface ClientRule extends ClientDemand {
  /** True if no violation keeps a client from its work, so that it explains no failure. */
  readonly isHarmless?: boolean
  /**
   * True if a violation may follow from another: in one part of a report it counts only without a violation of a rule
   * of its level or above that is not harmless, and does not follow from others itself.
   */
  readonly followsFromOthers?: boolean
  /** True if whatever goes wrong after a violation follows from it. */
  readonly isRoot?: boolean
  /** True if several runs of a client in the same circumstances are judged together. */
  readonly spansRuns?: boolean
  /**
   * The situations that the rule applies to, in order; none: it was not exercised.
   * `entries`: the requests of one organization, in the order of the journal.
   */
  judge(entries: readonly JournalEntry[], context: RuleContext): Situation[]
}

/** A demand of a level, by its id, its section and everything else. */
const demandOf =
  (level: ClientRuleLevel) =>
  <D extends ClientDemand>(id: ClientRuleId, section: string, more: Omit<D, 'id' | 'level' | 'section'>) =>
    ({ id, level, section, ...more }) as D

/** Declares a client rule that the specification states. */
export const mustRule = demandOf('MUST')
/** Declares a client rule that follows from the specification, and is shown as advice. */
export const shouldRule = demandOf('SHOULD')
