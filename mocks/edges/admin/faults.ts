/** `/__admin/faults`: fault rules and their counts. */

import { z } from 'zod'
import { sentence } from '#contract/input/checked.ts'
import { Refusal } from '../../core/failure.ts'
import { draftFrom, ruleFields } from '../../faults/grammar.ts'
import { ruleReport } from '../../faults/rule.ts'
import { bodyOf, control, queryOf } from './route.ts'

/** The routes of fault rules. */
export const faultRoutes = [
  control({
    method: 'GET',
    path: '/faults',
    summary: 'List the fault rules with their counts, for one organization or for all.',
    query: queryOf({}),
    answer: z.object({ faults: z.array(ruleReport) }),
    run: ({ service, org }) => ({ faults: service.faults.list(org?.id) }),
  }),
  control({
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault rule for the organization of the call, or for all.',
    body: bodyOf(ruleFields),
    answer: ruleReport,
    example: { rule: 'runTask=rate_limited,unavailable,ok' },
    run({ service, org, body: { org_id: _, ...given } }) {
      const rule = draftFrom(given)
      if (typeof rule === 'string') throw new Refusal(400, sentence(`The rule ${rule}`))
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
        throw new Refusal(404, 'No such fault rule; GET /__admin/faults lists them.')
    },
  }),
]
