/** `/__admin/faults`: what is to be done to requests, and the counters that prove that it was. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { checkRule, parseRule } from '../../faults/grammar.ts'
import { type Instruction, parseInstruction, vocabulary } from '../../faults/instruction.ts'
import type { RuleDraft, RuleReport } from '../../faults/rule.ts'
import { bodyOf, control, queryOf, Refusal } from './route.ts'

const instruction = z.string().transform((text, context): Instruction => {
  const read = parseInstruction(text)
  if (read) return read
  context.addIssue({ code: 'custom', message: `no fault "${text}"; the faults are ${vocabulary.join(', ')}` })
  return z.NEVER
})

const draft = bodyOf({
  rule: z
    .string()
    .optional()
    .describe('The rule in one line, as `--fault` takes it, instead of all that follows.'),
  operation: z.enum(operationIds, 'no such operation').optional().describe('Default: every operation.'),
  faults: z.array(instruction).optional().describe('What to do, request by request.'),
  times: z
    .int()
    .min(0)
    .optional()
    .describe('How often; default: a list once through, a single fault for ever.'),
  rate: z.number().min(0).max(1).optional().describe('Share of requests that it happens to.'),
  after: z.int().min(0).optional().describe('Requests to let pass first.'),
  seed: z.string().optional().describe('Seed of `rate`; default: that of the mock.'),
})

const ruleView = z.object({
  id: z.string(),
  operation: z.enum(operationIds).nullable().describe('Null: every operation.'),
  org_id: z.string().nullable().describe('Null: every organization, each on its own count.'),
  faults: z.array(z.string()),
  times: z.int().nullable().describe('Null: no end.'),
  rate: z.number(),
  after: z.int(),
  matched: z.int().describe('Requests that it was asked about.'),
  fired: z.int().describe('Requests to which it did something.'),
  remaining: z.int().nullable().describe('What is left to do; null: no end.'),
}) satisfies z.ZodType<RuleReport>

/** The rule that a body describes, or what is wrong with it. */
function read({ rule, faults, org_id, ...rest }: z.output<typeof draft>): RuleDraft | string {
  if (rule === undefined) return { ...rest, faults: faults ?? [] }
  const others = [faults, ...Object.values(rest)].some((value) => value !== undefined)
  return others ? 'is either a line or fields' : parseRule(rule)
}

export const faultRoutes = [
  control({
    method: 'GET',
    path: '/faults',
    summary: 'The fault rules, with what each has met and done: to one organization, or to all.',
    query: queryOf({}),
    answer: z.object({ faults: z.array(ruleView) }),
    run: ({ service, org }) => ({ faults: service.faults.list(org?.id) }),
  }),
  control({
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault rule: for the organization of the call, or for all.',
    body: draft,
    answer: ruleView,
    example: { rule: 'runTask=rate_limited,unavailable,ok' },
    run({ service, org, body }) {
      const rule = read(body)
      const problem = typeof rule === 'string' ? rule : checkRule(rule)
      if (typeof rule === 'string' || problem !== undefined) throw new Refusal(400, `The rule ${problem}.`)
      return service.faults.add({ ...rule, org_id: org?.id })
    },
  }),
  control({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Remove a fault rule; with a key, only one of that organization.',
    query: queryOf({}),
    refusals: { 404: 'No such fault rule.' },
    run({ service, org, request }) {
      if (!service.faults.remove(request.param('id') ?? '', org?.id))
        throw new Refusal(404, 'No such fault rule.')
    },
  }),
]
