/** Rewrites of answers: what most quirks are made of. */
import type { OperationId } from '#contract/operation.ts'
import { changeAt, type Fields, isFields } from '#traffic/change-at.ts'
import type { SeededRandom } from '../core/random.ts'
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
  return (parts, { random }) => {
    const body = changeObjects(parts.body, (fields) => change(fields, random)) as object
    return body === parts.body ? parts : { ...parts, body }
  }
}

/** One rewrite after the other. */
export function inOrder(...rewrites: readonly Rewrite[]): Rewrite {
  return (parts, context) => rewrites.reduce((before, rewrite) => rewrite(before, context), parts)
}

/** What clients gave as objects: it comes back unchanged. */
const given = new Set(['spec', 'strategy'])

/** A value with every object in it changed, from the inside out. What stays the same is not copied. */
export function changeObjects(value: unknown, change: (fields: Fields) => object): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => changeObjects(item, change))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (!isFields(value)) return value
  let fields = value
  for (const [name, one] of Object.entries(value)) {
    const changed = given.has(name) ? one : changeObjects(one, change)
    if (changed !== one) fields = { ...fields, [name]: changed }
  }
  return change(fields)
}

/** One of a list. */
export function pick<const L extends readonly [unknown, ...unknown[]]>(
  random: SeededRandom,
  list: L,
): L[number] {
  return list[Math.floor(random.fraction() * list.length)]
}

/** A list in another order. */
export function shuffled<T>(random: SeededRandom, list: readonly T[]): T[] {
  return list
    .map((value) => ({ value, place: random.word() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}

/** Draws quirks by their shares, at most one of each group. */
export function drawQuirks(random: SeededRandom, quirks: readonly Quirk[]): Quirk[] {
  const lots = new Map<string, number>()
  return quirks.filter(({ id, group = id, share = 0 }) => {
    const lot = lots.get(group) ?? random.fraction()
    lots.set(group, lot - share)
    return lot >= 0 && lot < share
  })
}
