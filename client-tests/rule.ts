/** A rule for clients: a requirement of the specification as data, and a pure function that judges it. */

import { z } from 'zod'
import { createOneOfSchema, createStrictObjectSchema } from '#contract/input/checked.ts'
import { operationIds } from '#contract/operation.ts'
import type { ClientRuleId } from '#traffic/client-rule-id.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'

/**
 * The level of a client rule. `MUST`: the specification states it; `SHOULD`: it follows from the specification, and is
 * shown as advice.
 */
export type ClientRuleLevel = 'MUST' | 'SHOULD'

/** A ledger entry, as far as client rules read it. */
export interface LedgerEntry {
  readonly kind: string
  /** Credits; negative when they were spent. */
  readonly amount: number
  /** ms since the epoch. */
  readonly at: number
  /** The request that caused it; null if there is none. */
  readonly request_id: string | null
  /** The reservation that a refund gives back; null or unset: none. */
  readonly subject?: string | null
}

/** Schema of facts about one run of a client that its requests do not show, such as how it ended. */
export const runFactsSchema = createStrictObjectSchema({
  /** The time that it ran until it was killed, ms; undefined if it ended by itself. */
  killedAfter: z.number().optional(),
  /** Mock time at which it ended, ms since the epoch; unset: at the time of the judgement. */
  endedAt: z.number().optional(),
  /** True if it was killed because it printed without an end. */
  isFlooding: z.boolean().optional(),
  /** True if a good client can finish its work in these circumstances. */
  canFinish: z.boolean(),
  /**
   * True if the work that the client did is compared with that of a run without a fault, which shows what is missing.
   */
  isCompared: z.boolean().exactOptional(),
  /** True if the same command ran tasks where nothing went wrong; unset: not known. */
  hasPaidWork: z.boolean().optional(),
  /** Credits that the same command paid where nothing went wrong; unset: not known. */
  price: z.number().optional(),
  /** True if the same command keeps polling finished tasks even where nothing goes wrong; unset: not known. */
  pollsOn: z.boolean().optional(),
  /** True if the same command stops polling before runs end even where nothing goes wrong; unset: not known. */
  leavesRuns: z.boolean().optional(),
  /**
   * The operation after whose success the same command ends with an error even where nothing goes wrong; unset: none.
   */
  stopsAt: createOneOfSchema(operationIds).optional(),
  /**
   * The time by which each refusal was delayed, ms, so that it arrived after everything the client had already sent;
   * unset if none was.
   */
  held: z.number().optional(),
  /** Its output; unset: not known. */
  output: z.string().optional(),
})
/** Facts about one run of a client that its requests do not show, such as how it ended. */
export type RunFacts = Readonly<z.output<typeof runFactsSchema>>

/** What a rule knows besides the requests of an organization: its keys, ledger and clock, and how the client ended. */
export interface RuleContext {
  /** Null: the requests belong to no organization. */
  readonly org_id: string | null
  /** The bearer values of its keys. */
  readonly secrets: readonly string[]
  /** Its ledger, oldest first. */
  readonly ledger: readonly LedgerEntry[]
  /** Mock time of the judgement, ms since the epoch. */
  readonly now: number
  /** Whether the client ended without an error; undefined if it may go on. */
  readonly end: { readonly ok: boolean } | undefined
  /** The run of the client that sent the requests; undefined if it is not known. */
  readonly run: RunFacts | undefined
  /** Returns true if the client had received the answer to the earlier request when it sent the later one. */
  knew(later: JournalEntry, earlier: JournalEntry): boolean
}

/**
 * A situation in which a rule applied to a client, with the requests that show it. Without a violation, the client kept
 * the rule.
 */
export interface RuleSituation {
  readonly evidence: readonly JournalEntry[]
  /** What the client did wrong, in the past tense, without a subject. */
  readonly violation?: string | undefined
}

/**
 * The situations in which a rule was violated; if there are none, the first situation, which shows that the client kept
 * the rule.
 */
export function violationsOrFirst(situations: readonly RuleSituation[]): RuleSituation[] {
  const violated = situations.filter(({ violation }) => violation !== undefined)
  return violated.length > 0 ? violated : situations.slice(0, 1)
}

/** A demand on a client: a rule, which judges its requests, or an effect, which judges what it leaves behind. */
export interface ClientDemand {
  /** Stable, unique, never reused. */
  readonly id: ClientRuleId
  readonly level: ClientRuleLevel
  readonly section: string
  /** A sentence that is true of a good client. */
  readonly statement: string
  /** What must happen for the demand to be judged, in a few words. */
  readonly needs: string
  /** The remedy for a client that violates it, in one sentence. */
  readonly fix: string
  /** The exact limits by which it judges, in one sentence; unset: the statement says it. */
  readonly thresholds?: string
}

/** A rule for clients: a demand that is judged by a client's requests. */
export interface ClientRule extends ClientDemand {
  /** True if a violation never prevents a client from doing its work, so that it explains no other violation. */
  readonly isHarmless?: boolean
  /**
   * True if a violation may be the consequence of another one. It is dropped if, in the same part of a report, a rule
   * of the same or a higher level is violated that is neither harmless nor possibly a consequence itself.
   */
  readonly followsFromOthers?: boolean
  /** True if all later violations count as consequences of a violation of this rule. */
  readonly isRoot?: boolean
  /** True if several runs of a client in the same circumstances are judged together. */
  readonly spansRuns?: boolean
  /**
   * Returns the situations that the rule applies to, in order; none: it was not exercised. `entries`: the requests of
   * one organization, in the order of the journal.
   */
  judge(entries: readonly JournalEntry[], context: RuleContext): RuleSituation[]
}

/** Returns a function that declares a demand of a level from its id, its section and its other fields. */
const demandOf =
  (level: ClientRuleLevel) =>
  <D extends ClientDemand>(id: ClientRuleId, section: string, more: Omit<D, 'id' | 'level' | 'section'>) =>
    ({ id, level, section, ...more }) as D

/** Declares a client rule of level MUST: the specification states it. */
export const mustRule = demandOf('MUST')
/** Declares a client rule of level SHOULD: it follows from the specification, and is shown as advice. */
export const shouldRule = demandOf('SHOULD')
