/** Documented shapes of success responses in two variants (§2, §4). */
import type { z } from 'zod'
import { type JsonSchema, toJsonSchema } from '#contract/openapi/builder.ts'
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { isJsonObject, type JsonObject, valueAtPath } from '#traffic/exchange.ts'
import type { Answer, RequestEvent } from './event.ts'

/** The reason why a value does not match a schema; undefined if it does. `name`: how the reason names the value. */
export function schemaMismatch(schema: z.ZodType, value: unknown, name?: string): string | undefined {
  const [issue] = schema.safeParse(value).error?.issues ?? []
  if (!issue) return undefined
  const path = issue.path.map(String)
  const fieldPath = [...(name === undefined ? [] : [name]), ...path].join('.') || 'the body'
  const found = valueAtPath(value, ...path)
  if (found === undefined) return `${fieldPath} is missing`
  if (issue.code === 'invalid_type') return `${fieldPath} is ${kindOf(found)}, not ${aOrAn(issue.expected)}`
  if (issue.code === 'too_small') return `${fieldPath} is empty`
  return `${fieldPath} is ${kindOf(found)}, not of a documented type`
}

type Test = (value: unknown) => boolean

/** Compiled tests by their schema. */
const tests = new WeakMap<z.ZodType, Test>()

/** True if a value matches a zod schema. Compiled to JSON Schema first, since zod would copy every value. */
export function matchesSchema(schema: z.ZodType, value: unknown): boolean {
  const known = tests.get(schema)
  if (known) return known(value)
  const json = toJsonSchema(schema)
  const test = isCompilable(json) ? testOf(json) : (one: unknown) => schema.safeParse(one).success
  tests.set(schema, test)
  return test(value)
}

/** Keywords of JSON Schema that are compiled; zod itself tests a value of a schema with others. */
const keywords = new Set(
  'additionalProperties anyOf description items minLength minimum properties required type'.split(' '),
)

function isCompilable({ additionalProperties = {}, anyOf = [], items = {}, ...rest }: JsonSchema): boolean {
  const parts = [...anyOf, items, ...Object.values(rest.properties ?? {})]
  return (
    Object.keys(rest).every((keyword) => keywords.has(keyword)) &&
    JSON.stringify(additionalProperties) === '{}' &&
    parts.every((one) => Object.keys(one).length === 0 || isCompilable(one))
  )
}

/** Compiles a JSON Schema to a test of values. */
function testOf({ type = [], anyOf, items = {}, properties = {}, ...rest }: JsonSchema): Test {
  const { required = [], minLength = 0, minimum = Number.NEGATIVE_INFINITY } = rest
  if (anyOf) return anyTest(anyOf.map(testOf))
  const isElement = type === 'array' ? testOf(items) : () => true
  const fields = Object.entries(properties).map(([name, one]) => {
    const [isPart, isRequired] = [testOf(one), required.includes(name)]
    return (value: JsonObject) => {
      const part = value[name]
      return part === undefined ? !isRequired || (name in value && isPart(part)) : isPart(part)
    }
  })
  const ofType: Readonly<Record<string, Test>> = {
    string: (value) => typeof value === 'string' && value.length >= minLength,
    number: (value) => Number.isFinite(value) && Number(value) >= minimum,
    integer: (value) => Number.isSafeInteger(value) && Number(value) >= minimum,
    boolean: (value) => typeof value === 'boolean',
    null: (value) => value === null,
    array: (value) => Array.isArray(value) && value.every((one) => isElement(one)),
    object(value) {
      if (!isJsonObject(value)) return false
      for (const isField of fields) if (!isField(value)) return false
      return true
    },
  }
  const allowed = [type].flat().map((name) => ofType[name] as Test)
  return allowed.length === 0 ? () => true : anyTest(allowed)
}

/** A test that passes whatever any of several tests passes. */
const anyTest = ([first, ...others]: readonly Test[]): Test =>
  first && others.length === 0
    ? first
    : (value) => first?.(value) === true || others.some((one) => one(value))

const kindOf = (value: unknown) =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : aOrAn(typeof value)

const aOrAn = (kind: string) => `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`

type Shaped = Pick<RequestEvent, 'operation'> & { readonly answer: Pick<Answer, 'json'> }

/** Cache of `variantsOf`, since several rules ask for the same answer. */
const known = new WeakMap<Shaped['answer'], readonly Variant[]>()

/** The variants of the API whose shape an answer matches. */
export function variantsOf(event: Shaped): readonly Variant[] {
  const { operation, answer } = event
  const before = known.get(answer)
  if (before) return before
  const shapes = routeOf(operation).answer
  const isFirst = matchesSchema(shapes.first, answer.json)
  const isSecond = shapes.first === shapes.second ? isFirst : matchesSchema(shapes.second, answer.json)
  const found = variants.filter((variant) => (variant === 'first' ? isFirst : isSecond))
  known.set(answer, found)
  return found
}

/** The reason why an answer matches none of the shapes that its operation allows; undefined: it matches one. */
export function shapeMismatch(event: Shaped, allowed: readonly Variant[]): string | undefined {
  const met = variantsOf(event)
  if (allowed.some((variant) => met.includes(variant))) return undefined
  const { operation, answer } = event
  const wrong = allowed.map((variant) => schemaMismatch(routeOf(operation).answer[variant], answer.json))
  return [...new Set(wrong)].join('; or in the other variant, ')
}

/** The reason why an optional field of an answer has a wrong type in both variants; undefined if none has. */
export function optionalFieldMismatch(event: Shaped): string | undefined {
  const met = variantsOf(event)
  if (met.length === variants.length) return undefined
  for (const { name, schema } of fieldsBeside(event.operation, met)) {
    const value = valueAtPath(event.answer.json, name)
    if (value !== undefined && !matchesSchema(schema, value)) return schemaMismatch(schema, value, name)
  }
  return undefined
}

/** A field of an answer. */
interface Field {
  readonly name: string
  readonly schema: z.ZodType
}

/** Cache of `fieldsBeside`, by the operation and the variants that an answer matches. */
const beside = new Map<string, readonly Field[]>()

/** Fields of the variants that an answer does not match, without those that a variant it matches defines alike. */
function fieldsBeside(operation: OperationId, met: readonly Variant[]): readonly Field[] {
  const key = `${operation} ${met}`
  const shapes = routeOf(operation).answer
  const found =
    beside.get(key) ??
    variants
      .filter((one) => !met.includes(one))
      .flatMap((variant) => Object.entries<z.ZodType>(shapes[variant].shape))
      .filter(([name, schema]) => !met.some((one) => valueAtPath(shapes[one].shape, name) === schema))
      .map(([name, schema]) => ({ name, schema }))
  beside.set(key, found)
  return found
}
