/** §2, §4: the documented shapes of success responses, in two variants. */
import { z } from 'zod'
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

/** Whether `mismatch` finds nothing, by the definition of the schema: zod makes a copy of each value that it parses. */
export function fits(schema: z.core.$ZodType, value: unknown): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  const isPlain = (def.checks ?? []).length === 0
  if (def.type === 'unknown' && isPlain) return true
  if (def.type === 'string' && isPlain) return typeof value === 'string'
  if (def.type === 'number' && isPlain) return Number.isFinite(value)
  if (def.type === 'boolean') return typeof value === 'boolean'
  if (def.type === 'nullable') return value === null || fits(def.innerType, value)
  if (def.type === 'optional') return value === undefined || fits(def.innerType, value)
  if (def.type === 'union') return def.options.some((one) => fits(one, value))
  if (def.type === 'array' && isPlain)
    return Array.isArray(value) && value.every((one) => fits(def.element, one))
  if (def.type === 'object' && isPlain && def.catchall?._zod.def.type === 'unknown')
    return isObject(value) && fieldsFit(def.shape, value)
  return z.safeParse(schema, value).success
}

function fieldsFit(shape: Readonly<Record<string, z.core.$ZodType>>, value: object): boolean {
  for (const name in shape) if (!(name in value) && shape[name]?._zod.optin !== 'optional') return false
  for (const name in shape) {
    const schema = shape[name]
    if (schema && name in value && !fits(schema, Reflect.get(value, name))) return false
  }
  return true
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : aOrAn(typeof value)

const aOrAn = (kind: string) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`

type Shaped = Pick<RequestEvent, 'operation'> & { readonly answer: Pick<Answer, 'json'> }

/** Several rules ask for those of an answer. */
const known = new WeakMap<Shaped['answer'], readonly Variant[]>()

/** The variants whose shape an answer has. */
export function variantsOf(event: Shaped): readonly Variant[] {
  const { operation, answer } = event
  const before = known.get(answer)
  if (before) return before
  const shapes = routeOf(operation).answer
  const isFirst = fits(shapes.first, answer.json)
  const isSecond = shapes.first === shapes.second ? isFirst : fits(shapes.second, answer.json)
  const found = variants.filter((variant) => (variant === 'first' ? isFirst : isSecond))
  known.set(answer, found)
  return found
}

/** Why an answer has none of the allowed shapes; undefined: it has one. */
export function misshapen(event: Shaped, allowed: readonly Variant[]): string | undefined {
  const met = variantsOf(event)
  if (allowed.some((variant) => met.includes(variant))) return undefined
  const { operation, answer } = event
  const wrong = allowed.map((variant) => mismatch(routeOf(operation).answer[variant], answer.json))
  return [...new Set(wrong)].join('; or in the other variant, ')
}

/** Why a field of either variant has a wrong type in an answer; undefined: none has. */
export function strayField(event: Shaped): string | undefined {
  const met = variantsOf(event)
  if (met.length === variants.length) return undefined
  const shapes = routeOf(event.operation).answer
  for (const variant of variants.filter((one) => !met.includes(one))) {
    for (const [name, schema] of Object.entries(shapes[variant].shape)) {
      if (met.some((one) => field(shapes[one].shape, name) === schema)) continue
      const value = field(event.answer.json, name)
      if (value !== undefined && !fits(schema, value)) return mismatch(schema as z.ZodType, value, name)
    }
  }
  return undefined
}
