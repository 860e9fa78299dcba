/** The error responses of the OpenAPI document, by name (§7). */
import { type FailureName, failures } from '../errors.ts'
import { failuresOf, type OperationId } from '../operation.ts'
import type { Variant } from '../route.ts'
import { type Json, refTo } from './builder.ts'
import { pascal } from './schemas.ts'

/** The failures that share a status. */
interface Refusal {
  readonly status: number
  readonly names: readonly FailureName[]
}

/** §7.4: the names of the codes for 422 and 500 are not shown. */
const unnamed = new Set([422, 500])

/** A JSON body with examples by name. */
export function json(schema: Json, examples: Json = {}): Json {
  return { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } }
}

/** References to the error responses of an operation, by status. */
export function errorResponses(operation: OperationId, shown: readonly Variant[]): Json {
  return Object.fromEntries(
    refusalsOf(operation, shown).map((refusal) => [
      refusal.status,
      { $ref: `#/components/responses/${nameOf(refusal)}` },
    ]),
  )
}

/** Every error response of some operations, by name. */
export function namedResponses(operations: readonly OperationId[], shown: readonly Variant[]): Json {
  const refusals = operations.flatMap((operation) => refusalsOf(operation, shown))
  return Object.fromEntries(refusals.map((refusal) => [nameOf(refusal), describe(refusal, shown)]))
}

/** A schema for each code, so that a typed client can branch on `error`; `ApiError` is the schema of all. */
export function errorSchemas({ ApiError: any = {} }: Readonly<Record<string, Json>>): Json {
  const fields = any.properties as Record<string, Json>
  const codes = Map.groupBy(Object.values(failures), ({ code }) => code)
  codes.delete('internal_error')
  return Object.fromEntries(
    [...codes].map(([code, entries]) => [
      errorName(code),
      {
        ...any,
        description: meaningOf(entries),
        properties: { ...fields, error: { ...fields.error, enum: [code] } },
      },
    ]),
  )
}

const errorName = (code: string) => `${pascal(code)}Error`
const nameOf = ({ status, names }: Refusal) => `${names.map(pascal).join('Or')}${status}`
const meaningOf = (entries: readonly { meaning: string; section: string }[]) =>
  distinct(entries.map(({ meaning, section }) => `${section}: ${meaning}`)).join(' ')
const distinct = <T>(values: readonly T[]) => [...new Set(values)]

function refusalsOf(operation: OperationId, shown: readonly Variant[]): Refusal[] {
  const pairs = failuresOf(operation).flatMap((name) =>
    distinct(shown.map((variant) => failures[name].status[variant])).map((status) => ({ name, status })),
  )
  return [...Map.groupBy(pairs, ({ status }) => status)].map(([status, same]) => ({
    status,
    names: same.map(({ name }) => name),
  }))
}

function describe({ status, names }: Refusal, [variant = 'first']: readonly Variant[]): Json {
  const entries = names.map((name) => failures[name])
  const examples = names.map((name) => {
    const { code, message, meaning } = failures[name]
    return [name, { summary: meaning, value: { error: code, message: message[variant] } }]
  })
  return {
    description: meaningOf(entries),
    ...(status === 429 ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}),
    content: json(schemaOf(status, distinct(entries.map(({ code }) => code))), Object.fromEntries(examples)),
  }
}

function schemaOf(status: number, codes: readonly string[]): Json {
  const [only = ''] = codes
  if (unnamed.has(status)) return refTo('ApiError')
  if (codes.length === 1) return refTo(errorName(only))
  const named = codes.map((code) => [code, refTo(errorName(code))] as const)
  return {
    oneOf: named.map(([, ref]) => ref),
    discriminator: {
      propertyName: 'error',
      mapping: Object.fromEntries(named.map(([code, { $ref }]) => [code, $ref])),
    },
  }
}

export const retryAfter: Json = {
  description: 'How long to wait: whole seconds, or an HTTP date (RFC 9110 §10.2.3).',
  required: true,
  schema: { type: 'string' },
  examples: { seconds: { value: '12' }, date: { value: 'Mon, 02 Mar 2026 09:00:12 GMT' } },
}
