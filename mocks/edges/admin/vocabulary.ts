/** `/__admin/vocabulary`: the words of the mock, for forms: operations with their errors, faults, quirks. */
import { z } from 'zod'
import { failures } from '#contract/errors.ts'
import { codesOf, operationIds, routeOf } from '#contract/operation.ts'
import { failureFor } from '../../faults/declared-failures.ts'
import { vocabulary, type Wire, wires } from '../../faults/fault-words.ts'
import { quirks } from '../../quirks/index.ts'
import { control } from './route.ts'

/** What each connection fault does. */
const says: Readonly<Record<Wire, string>> = {
  reset: 'The connection is reset; no response is sent.',
  empty: 'The connection is closed; no response is sent.',
  truncate: 'The connection is closed in the middle of the body.',
  dribble: 'The body is sent in small parts.',
  hang: 'No response is ever sent.',
  stale: 'The response is sent; the next request on the connection is reset.',
}

/** What the other faults do that are no errors. */
const others: Readonly<Record<string, string>> = {
  delay: 'The response comes later.',
  malformed: 'The body is not valid JSON.',
  bad_gateway: '502, not in JSON, as from something in front of the service.',
  other_variant: 'The answer is that of the other variant.',
  quirks: 'The answer is unusual in every legal way at once.',
  fail: 'The run or generation fails, and its credit is refunded.',
  slow: 'The run takes longer.',
}

const word = z.object({ word: z.string(), says: z.string() })

const operation = z.object({
  id: z.enum(operationIds),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  set: z.enum(['core', 'extended']),
  auth: z.enum(['key', 'cookie']),
  cost: z.int(),
  errors: z.array(z.string()).describe('Codes that a fault can make it return.'),
  statuses: z.array(z.int()).describe('The status of each, in the first variant.'),
  body: z.array(z.string()).describe('Names of its fields.'),
})

/** The route of the vocabulary. */
export const vocabularyRoutes = [
  control({
    method: 'GET',
    path: '/vocabulary',
    summary: 'List operations with their errors, the words of the fault grammar, and quirks.',
    about: 'mock',
    answer: z.object({
      operations: z.array(operation),
      wire: z.array(word).describe('Faults of the connection.'),
      others: z.array(word).describe('Faults that are neither errors nor of the connection.'),
      words: z.array(z.string()).describe('Every fault; those with an argument by an example.'),
      quirks: z.array(z.object({ id: z.string(), says: z.string() })),
    }),
    run: () => ({
      operations: operationIds.map((id) => {
        const { method, path, summary, set, auth, cost, body } = routeOf(id)
        const fields = Object.keys(body?.shape ?? {})
        const errors = codesOf(id)
        const statuses = errors.map((code) => failures[failureFor(id, code) ?? 'internal_error'].status.first)
        return { id, method, path, summary, set, auth, cost, errors, statuses, body: fields }
      }),
      wire: wires.map((one) => ({ word: one, says: says[one] })),
      others: Object.entries(others).map(([name, text]) => ({ word: name, says: text })),
      words: vocabulary,
      quirks: quirks.map(({ id, title }) => ({ id, says: title })),
    }),
  }),
]
