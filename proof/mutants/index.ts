/** Mechanical mutants: each operator on each field of each operation and on its requests. Generated, not chosen. */
import { operationIds } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { changeAt } from '#mocks/quirks/rewrites.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { rewriteSuccess } from '../mutations/reply.ts'
import { classOf, type MutantClass } from './classes.ts'
import { answerFields } from './fields.ts'
import { type Change, credentialOf, fieldOperators, requestOperators } from './operators.ts'

export interface Mutant {
  /** `listTasks items.*.status stale`. */
  readonly id: string
  readonly is: MutantClass
  readonly because: string
  readonly variant: Variant
  mutate(): Mutation
}

const ofFields = answerFields.flatMap(({ operation, path, type, variant }) =>
  Object.entries(fieldOperators).flatMap(([name, { types, create }]): Mutant[] => {
    if (!(types as readonly string[]).includes(type)) return []
    const mutate = () => {
      // Ids are unique within an organization: only what was said to the same one shows that one is not new.
      const changes = new Map<string, Change>()
      return rewriteSuccess((reply, { request }) => {
        const by = /Id$/.test(path) ? credentialOf(request) : ''
        const change = changes.get(by) ?? create(type, path)
        changes.set(by, change)
        reply.body = changeAt(reply.body, path.split('.'), change)
      }, operation)
    }
    return [{ id: `${operation} ${path} ${name}`, ...classOf(operation, path, name), variant, mutate }]
  }),
)

const ofRequests = operationIds.flatMap((operation) =>
  Object.entries(requestOperators).map(
    ([name, operator]): Mutant => ({
      id: `${operation} request ${name}`,
      ...classOf(operation, 'request', name),
      variant: 'first',
      mutate: () => operator((context) => context.operation === operation),
    }),
  ),
)

export const mutants: readonly Mutant[] = [...ofFields, ...ofRequests]
