/** Schemas of fault rules and their counts in a snapshot. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { listOf, randomState, recordOf } from '../core/state.ts'
import { parseInstruction } from './instruction.ts'

const operation = z.enum(operationIds)
const number = z.int().min(0)

/** A rule without its counts. */
const rule = z.object({
  /** It stands in a header. */
  id: z.string().regex(/^[!-~]{1,1000}$/, 'is not an id'),
  operation: operation.nullable(),
  /** As text that parses back to the same instructions. */
  faults: listOf(z.string().refine((word) => parseInstruction(word) !== undefined, 'is not a fault')).refine(
    (list) => list.length > 0,
    'is empty',
  ),
  /** Null: unlimited. */
  times: number.nullable(),
  rate: z.number().min(0).max(1).nullable(),
  after: number,
  seed: z.string(),
  most_in_a_row: number.nullable(),
})

/** The counts of a rule for one organization. */
const count = z.object({
  matched: number,
  used: number,
  fired: number,
  in_a_row: recordOf(operation, number),
  chance: randomState,
})

/** The rules for all organizations. */
export const faults = z.object({
  /** The last number given to a rule. */
  added: number,
  /** `first`: an initial rule of all organizations. */
  rules: listOf(rule.extend({ first: z.boolean() })),
})

/** The rules and counts of one organization. */
export const ownFaults = z.object({
  /** Whether the initial rules for all organizations do not apply to it. */
  apart: z.boolean(),
  added: number,
  rules: listOf(rule),
  /** By the id of the rule. */
  counts: recordOf(z.string(), count),
})

export type RuleState = z.output<typeof rule>
export type CountState = z.output<typeof count>
export type FaultsState = z.output<typeof faults>
export type OwnFaultsState = z.output<typeof ownFaults>
