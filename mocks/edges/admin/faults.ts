/** `/__admin/faults`: fault rules and their counts. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { draftFrom, ruleFields } from '../../faults/grammar.ts'
import type { RuleReport } from '../../faults/rule.ts'
import { bodyOf, control, ProblemError, queryOf } from './route.ts'

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
    body: bodyOf(ruleFields),
    answer: ruleView,
    example: { rule: 'runTask=rate_limited,unavailable,ok' },
    run({ service, org, body: { org_id: _, ...given } }) {
      const rule = draftFrom(given)
      if (typeof rule === 'string') throw new ProblemError(400, `The rule ${rule}.`)
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
