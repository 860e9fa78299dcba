/** Reads a fault rule that is given as data or as text: to a control route as JSON, or to `mock.faults.add`. */
import { z } from 'zod'
import { fields, oneOf, unknownName } from '#contract/input/checked.ts'
import { operationIds } from '#contract/operation.ts'
import { problemOfInstruction } from './fault-words.ts'
import { checkRule, nameInRule, parseRule } from './grammar.ts'
import { type Instruction, instructionText, parseInstruction } from './instruction.ts'
import type { RuleDraft } from './rule.ts'

const asText = z.string().transform((text, context): Instruction => {
  const read = parseInstruction(text)
  if (read) return read
  context.addIssue({ code: 'custom', message: `the mock ${problemOfInstruction(text)}` })
  return z.NEVER
})

/** Words of faults whose data has more than its kind. */
const examples: Readonly<Record<string, string>> = {
  error: 'rate_limited date',
  delay: 'delay lognormal 1s 0.5',
  wire: 'lost',
  slow: 'slow 5s',
}

/** The data of a fault, which has to be what its text means. */
const asData = z.looseObject({ kind: z.string() }).transform((given, context): Instruction => {
  const example = parseInstruction(examples[given.kind] ?? given.kind)
  const names = Object.keys(example ?? {})
  const other = Object.keys(given).find((name) => !names.includes(name))
  const isValid = example?.kind === given.kind && other === undefined
  if (isValid && parseInstruction(String(instructionText(given as Instruction)))) return given as Instruction
  const problem =
    example?.kind !== given.kind
      ? `the mock ${problemOfInstruction(given.kind)}`
      : other === undefined
        ? `takes a fault such as ${JSON.stringify(example)}`
        : unknownName(other, names)
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

/** Fields of a rule as JSON. */
export const ruleFields = {
  rule: z
    .string()
    .optional()
    .describe('The rule as text, in the grammar of `--fault`, instead of the other fields.'),
  operation: oneOf(operationIds).optional().describe('Default: every operation.'),
  faults: z.array(asText).optional().describe('What to do, one fault per request.'),
  times: z
    .int()
    .min(0)
    .optional()
    .describe('How often; default: a list runs once, a single fault applies without limit.'),
  rate: z.number().min(0).max(1).optional().describe('Share of requests affected, 0 to 1.'),
  after: z.int().min(0).optional().describe('Number of requests to skip first.'),
  seed: nameInRule.optional().describe('Seed of `rate`; default: the seed of the mock.'),
}

/** A rule as a value of JavaScript: also with what only other parts of the mock use. */
export const ruleInput = z.union([
  z.string().transform((rule) => ({ rule })),
  fields({
    ...ruleFields,
    faults: z.array(z.union([asText, asData])).optional(),
    times: z
      .number()
      .refine(
        (n) => n >= 0 && (Number.isInteger(n) || n === Number.POSITIVE_INFINITY),
        'takes a whole number, 0 or more',
      )
      .optional(),
    id: nameInRule.optional(),
    org_id: z.string().optional(),
    mostInARow: z.int().min(0).optional(),
  }),
])

/** A rule as data, with its faults as words. */
export interface RuleInput extends Omit<RuleDraft, 'faults'> {
  /** Such as `503` or `delay 50ms`. */
  readonly faults: readonly string[]
}

interface RuleGiven extends Omit<RuleDraft, 'faults'> {
  readonly rule?: string | undefined
  readonly faults?: readonly Instruction[] | undefined
}

/** Returns the rule that was given, or what is wrong with it as text that completes "The rule …". */
export function draftFrom({ rule, faults, ...rest }: RuleGiven): RuleDraft | string {
  if (rule === undefined) {
    const draft = { ...rest, faults: faults ?? [] }
    return checkRule(draft) ?? draft
  }
  const others = [faults, ...Object.values(rest)].some((value) => value !== undefined)
  return others ? 'is given either as "rule" or as the other fields, not both' : parseRule(rule)
}
