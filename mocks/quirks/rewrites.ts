/** Rewrites of answers: what most quirks are made of. */
import type { OperationId } from '#contract/operation.ts'
import type { SeededRandom } from '../core/random.ts'
import { changeAt, changeObjects, type Fields } from './fields.ts'
import type { Quirk } from './quirk.ts'

type Rewrite = NonNullable<Quirk['rewrite']>

/** Rewrites the bodies of successes of operations, or of all where none is named. */
export function rewriteBody(
  change: (body: object, random: SeededRandom) => unknown,
  ...operations: OperationId[]
): Rewrite {
  return (parts, { operation, random }) =>
    parts.status >= 300 || operation === null || (operations.length > 0 && !operations.includes(operation))
      ? parts
      : { ...parts, body: change(parts.body, random) as object }
}

/** Rewrites one place, such as `items.*.status`, in successes of operations. */
export function rewriteField(
  path: string,
  change: (value: unknown, parent: Fields) => unknown,
  ...operations: OperationId[]
): Rewrite {
  return rewriteBody((body) => changeAt(body, path.split('.'), change), ...operations)
}

/** Rewrites the objects in all answers. */
export function rewriteObjects(change: (fields: Fields, random: SeededRandom) => object): Rewrite {
  return (parts, { random }) => ({
    ...parts,
    body: changeObjects(parts.body, (fields) => change(fields, random)) as object,
  })
}

/** One rewrite after the other. */
export function inOrder(...rewrites: readonly Rewrite[]): Rewrite {
  return (parts, context) => rewrites.reduce((before, rewrite) => rewrite(before, context), parts)
}
