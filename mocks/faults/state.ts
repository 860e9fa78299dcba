/** Fault rules and their counts as a snapshot holds them. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { randomState } from '../core/state.ts'
import { parseInstruction } from './instruction.ts'

const operation = z.enum(operationIds)
const number = z.int().min(0)

/** A rule without what it counted. */
const rule = z.object({
  id: z.string().min(1),
  operation: operation.nullable(),
  /** In the words that read them back. */
  faults: z.array(z.string().refine((word) => parseInstruction(word) !== undefined, 'no such fault')).min(1),
  /** Null: no end. */
  times: number.nullable(),
  rate: z.number().min(0).max(1).nullable(),
  after: number,
  seed: z.string(),
  most_in_a_row: number.nullable(),
})

/** What a rule has counted of one organization. */
const count = z.object({
  matched: number,
  used: number,
  fired: number,
  in_a_row: z.partialRecord(operation, number),
  chance: randomState,
})

/** The rules for all. */
export const faults = z.object({
  /** Numbers that were given. */
  added: number,
  /** `first`: all began with it. */
  rules: z.array(rule.extend({ first: z.boolean() })),
})

/** What there is of one organization. */
export const ownFaults = z.object({
  /** It began with other rules than all others. */
  apart: z.boolean(),
  added: number,
  rules: z.array(rule),
  /** By the id of the rule. */
  counts: z.record(z.string(), count),
})

export type RuleState = z.output<typeof rule>
export type CountState = z.output<typeof count>
export type FaultsState = z.output<typeof faults>
export type OwnFaultsState = z.output<typeof ownFaults>
