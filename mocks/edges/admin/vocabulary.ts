/** `/__admin/vocabulary`: the words of the mock, for forms: operations with their errors, faults, quirks. */
import { z } from 'zod'
import { codesOf, operationIds, routeOf } from '#contract/operation.ts'
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
      wire: z.array(word),
      words: z.array(z.string()).describe('Every fault; those with an argument by an example.'),
      quirks: z.array(z.object({ id: z.string(), says: z.string() })),
    }),
    run: () => ({
      operations: operationIds.map((id) => {
        const { method, path, summary, set, auth, cost, body } = routeOf(id)
        const fields = Object.keys(body?.shape ?? {})
        return { id, method, path, summary, set, auth, cost, errors: codesOf(id), body: fields }
      }),
      wire: wires.map((one) => ({ word: one, says: says[one] })),
      words: vocabulary,
      quirks: quirks.map(({ id, title }) => ({ id, says: title })),
    }),
  }),
]
