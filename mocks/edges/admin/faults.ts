/** `/__admin/faults`: fault rules and their counts. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { problemOfInstruction } from '../../faults/fault-words.ts'
import { checkRule, parseRule } from '../../faults/grammar.ts'
import { type Instruction, parseInstruction } from '../../faults/instruction.ts'
import type { RuleDraft, RuleReport } from '../../faults/rule.ts'
import { bodyOf, control, ProblemError, queryOf } from './route.ts'

const instruction = z.string().transform((text, context): Instruction => {
  const read = parseInstruction(text)
  if (read) return read
  context.addIssue({
    code: 'custom',
    message: `the mock ${problemOfInstruction(text)}`,
  })
  return z.NEVER
})

const draft = bodyOf({
  rule: z
    .string()
    .optional()
    .describe('The rule as text, in the grammar of `--fault`, instead of the other fields.'),
  operation: z
    .enum(operationIds, `takes an operation: ${operationIds.join(', ')}`)
    .optional()
    .describe('Default: every operation.'),
  faults: z.array(instruction).optional().describe('What to do, one fault per request.'),
  times: z
    .int()
    .min(0)
    .optional()
    .describe('How often; default: a list runs once, a single fault applies without limit.'),
  rate: z.number().min(0).max(1).optional().describe('Share of requests affected, 0 to 1.'),
  after: z.int().min(0).optional().describe('Number of requests to skip first.'),
  seed: z.string().optional().describe('Seed of `rate`; default: the seed of the mock.'),
})

const ruleView = z.object({
  id: z.string(),
  text: z.string().describe('The rule as text, in the grammar of `--fault`.'),
  operation: z.enum(operationIds).nullable().describe('Null: every operation.'),
  org_id: z.string().nullable().describe('Null: every organization, each counted separately.'),
  faults: z.array(z.string()),
  times: z.int().nullable().describe('Null: unlimited.'),
  rate: z.number(),
  after: z.int(),
  matched: z.int().describe('Number of requests that the rule matched.'),
  fired: z.int().describe('Number of requests that the rule affected.'),
  remaining: z.int().nullable().describe('Remaining applications; null: unlimited.'),
}) satisfies z.ZodType<RuleReport>

/** Returns the rule that a body describes, or the error as text. */
function read({ rule, faults, org_id, ...rest }: z.output<typeof draft>): RuleDraft | string {
  if (rule === undefined) return { ...rest, faults: faults ?? [] }
  const others = [faults, ...Object.values(rest)].some((value) => value !== undefined)
  return others ? 'is given either as "rule" or as the other fields, not both' : parseRule(rule)
}

/** The routes of fault rules. */
export const faultRoutes = [
  control({
    method: 'GET',
    path: '/faults',
    summary: 'List the fault rules with their counts, for one organization or for all.',
    query: queryOf({}),
    answer: z.object({ faults: z.array(ruleView) }),
    run: ({ service, org }) => ({ faults: service.faults.list(org?.id) }),
  }),
  control({
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault rule for the organization of the call, or for all.',
    body: draft,
    answer: ruleView,
    example: { rule: 'runTask=rate_limited,unavailable,ok' },
    run({ service, org, body }) {
      const rule = read(body)
      const problem = typeof rule === 'string' ? rule : checkRule(rule)
      if (typeof rule === 'string' || problem !== undefined)
        throw new ProblemError(400, `The rule ${problem}.`)
      return service.faults.add({ ...rule, org_id: org?.id })
    },
  }),
  control({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Remove a fault rule. With a key, only a rule of that organization.',
    query: queryOf({}),
    refusals: { 404: 'No such fault rule.' },
    run({ service, org, request }) {
      if (!service.faults.remove(request.param('id') ?? '', org?.id))
        throw new ProblemError(404, 'No such fault rule; GET /__admin/faults lists them.')
    },
  }),
]
