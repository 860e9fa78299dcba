/** §2, §4: the documented shapes of success responses, in two variants. */
import type { z } from 'zod'
import { routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { field } from '#traffic/exchange.ts'
import type { Answer, RequestEvent } from './event.ts'

/** Why a JSON value does not match a schema, of which `name` is the place in the body; undefined: it does. */
export function mismatch(schema: z.ZodType, value: unknown, name?: string): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (!issue) return undefined
  const path = issue.path.map(String)
  const place = [...(name === undefined ? [] : [name]), ...path].join('.') || 'the body'
  const found = field(value, ...path)
  if (found === undefined) return `${place} is missing`
  if (issue.code === 'invalid_type') return `${place} is ${kindOf(found)}, not ${aOrAn(issue.expected)}`
  if (issue.code === 'too_small') return `${place} is empty`
  return `${place} is ${kindOf(found)}, not of a documented type`
}

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : aOrAn(typeof value)

const aOrAn = (kind: string) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`

type Shaped = Pick<RequestEvent, 'operation'> & { readonly answer: Pick<Answer, 'json'> }

type Mismatches = Readonly<Record<Variant, string | undefined>>

/** Several rules ask for those of an answer. */
const known = new WeakMap<Shaped['answer'], Mismatches>()

/** Why an answer does not have the shape of each variant; undefined: it does. */
function mismatchesOf({ operation, answer }: Shaped): Mismatches {
  const before = known.get(answer)
  if (before) return before
  const { first, second } = routeOf(operation).answer
  const ofFirst = mismatch(first, answer.json)
  const ofSecond = first === second ? ofFirst : mismatch(second, answer.json)
  const found = { first: ofFirst, second: ofSecond }
  known.set(answer, found)
  return found
}

/** The variants whose shape an answer has. */
export function variantsOf(event: Shaped): readonly Variant[] {
  const mismatches = mismatchesOf(event)
  return variants.filter((variant) => mismatches[variant] === undefined)
}

/** Why an answer has none of the allowed shapes; undefined: it has one. */
export function misshapen(event: Shaped, allowed: readonly Variant[]): string | undefined {
  const mismatches = mismatchesOf(event)
  if (allowed.some((variant) => mismatches[variant] === undefined)) return undefined
  return [...new Set(allowed.map((variant) => mismatches[variant]))].join('; or in the other variant, ')
}

/** Why a field of either variant has a wrong type in an answer; undefined: none has. */
export function strayField(event: Shaped): string | undefined {
  const met = variantsOf(event)
  for (const variant of variants.filter((one) => !met.includes(one))) {
    for (const [name, schema] of Object.entries(routeOf(event.operation).answer[variant].shape)) {
      const value = field(event.answer.json, name)
      const wrong = value === undefined ? undefined : mismatch(schema as z.ZodType, value, name)
      if (wrong !== undefined) return wrong
    }
  }
  return undefined
}
