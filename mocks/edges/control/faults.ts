/** `/__admin/faults`: what is to be done to requests, and the counters that prove that it was. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { checkRule, parseRule } from '../../faults/grammar.ts'
import { type Instruction, parseInstruction, vocabulary } from '../../faults/instruction.ts'
import type { RuleDraft } from '../../faults/rule.ts'
import { control, Refusal } from './route.ts'

const instruction = z.string().transform((text, context): Instruction => {
  const read = parseInstruction(text)
  if (read) return read
  context.addIssue({ code: 'custom', message: `no fault "${text}"; the faults are ${vocabulary.join(', ')}` })
  return z.NEVER
})

const asObject = z.looseObject({
  operation: z.enum(operationIds as [string, ...string[]]).optional(),
  faults: z.array(instruction).min(1),
  times: z.int().min(0).optional(),
  rate: z.number().min(0).max(1).optional(),
  after: z.int().min(0).optional(),
  seed: z.string().optional(),
})

/** A rule as an object, or `{ "rule": "runTask=rate_limited,ok;times=2" }`. */
const draft = z.union([z.looseObject({ rule: z.string() }), asObject])

export const faultRoutes = [
  control({
    method: 'GET',
    path: '/faults',
    summary: 'The fault rules, with what each has met and done.',
    run: ({ service, org }) => ({ faults: service.faults.list(org?.id) }),
  }),
  control({
    method: 'POST',
    path: '/faults',
    summary: 'Add a fault rule: for the organization of the call, or for all.',
    body: draft,
    run({ service, org, body }) {
      const rule =
        'rule' in body && typeof body.rule === 'string' ? parseRule(body.rule) : (body as RuleDraft)
      const problem = typeof rule === 'string' ? rule : checkRule(rule)
      if (typeof rule === 'string' || problem !== undefined) throw new Refusal(400, `The rule ${problem}.`)
      return service.faults.add({ ...rule, org_id: org?.id })
    },
  }),
  control({
    method: 'DELETE',
    path: '/faults/:id',
    summary: 'Remove a fault rule.',
    run({ service, org, request }) {
      if (!service.faults.remove(request.param('id') ?? '', org?.id))
        throw new Refusal(404, 'No such fault rule.')
    },
  }),
]
