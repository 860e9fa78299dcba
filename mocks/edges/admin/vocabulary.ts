/** `/__admin/vocabulary`: the words of the mock, for forms: operations with their errors, faults, quirks. */
import { z } from 'zod'
import { failures } from '#contract/errors.ts'
import { codesOf, operationIds, routeOf } from '#contract/operation.ts'
import { failureFor, otherFaults, vocabulary, wires } from '../../faults/fault.ts'
import { quirks } from '../../quirks/index.ts'
import { control } from './route.ts'

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
      wire: wires.map(({ word, says }) => ({ word, says })),
      others: otherFaults,
      words: vocabulary,
      quirks: quirks.map(({ id, title }) => ({ id, says: title })),
    }),
  }),
]
