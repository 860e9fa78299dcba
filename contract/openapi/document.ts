/** OpenAPI 3.1 of the API, derived from the route table. Pure: the same table gives the same document. */

import { z } from 'zod'
import { failures } from '../errors.ts'
import { createOneOfSchema, createStrictObjectSchema, parseOrThrow } from '../input/checked.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from '../operation.ts'
import { type Route, type Variant, variants } from '../route.ts'
import {
  assembleOpenapiDocument,
  type OpenapiObject,
  openapiDescription,
  parametersOf,
  refTo,
} from './builder.ts'
import { createNamedSchemas, type NamedSchemas, pascalCase } from './schemas.ts'

/** Options for the OpenAPI document: its variant, routes, servers and examples. */
export interface OpenapiOptions {
  /** `both`: both shapes and both statuses, wherever the two variants differ. */
  readonly variant: Variant | 'both'
  readonly version: string
  readonly examples?: Readonly<Partial<Record<Variant, Examples>>>
  /** The URL of the service; default: a variable. */
  readonly server?: string
  /** `false`: without the extended route set. */
  readonly extended?: boolean
}

const input = createStrictObjectSchema({
  variant: createOneOfSchema([...variants, 'both']),
  version: z.string(),
  examples: z.looseObject({}).optional(),
  server: z.string().optional(),
  extended: z.boolean().optional(),
})

/** Creates the OpenAPI document of the API. @throws TypeError for an unknown option. */
export function openapi(options: OpenapiOptions): OpenapiObject {
  parseOrThrow('openapi', input, options)
  const { variant, version, examples = {}, server, extended = true } = options
  const shown = variant === 'both' ? variants : [variant]
  const operations = operationIds.filter((id) => extended || routeOf(id).set === 'core')
  const schemas = createNamedSchemas(operations, shown)
  const named = schemas.all()
  return assembleOpenapiDocument({
    info: {
      title: 'Work-agent service',
      version,
      description: openapiDescription(variant, extended),
    },
    servers: [
      server === undefined ? anyServer : { url: server, description: 'Where this document is from.' },
    ],
    tags: tagsOf(operations),
    operations: operations.map((id) => ({
      ...routeOf(id),
      operation: describeOperation(id, shown, schemas, examples),
    })),
    components: {
      schemas: { ...named, ...errorSchemas(named) },
      responses: namedResponses(operations, shown),
      headers: { RetryAfter: retryAfterHeaderObject },
      securitySchemes,
    },
  })
}

const anyServer: OpenapiObject = {
  url: '{base_url}',
  description: 'A client may override it (§1); by default it is the mock.',
  variables: { base_url: { default: 'http://127.0.0.1:4402' } },
}

const securitySchemes: OpenapiObject = {
  key: { type: 'http', scheme: 'bearer', description: '§5.1: `Authorization: Bearer <API_KEY>`.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'work_agent_session',
    description:
      '§5.4: a logged-in browser session. The name of the cookie is not shown; this is that of the mock.',
  },
}

function tagsOf(operations: readonly OperationId[]): OpenapiObject[] {
  const groups = Map.groupBy(operations.map(routeOf), tagOf)
  return [...groups].map(([name, [route]]) => ({
    name,
    description: `${route?.section}.${route?.set === 'extended' ? ' May be absent (§1).' : ''}`,
  }))
}

/** An example of an operation: the bodies of a request and of its answer. */
export interface Example {
  readonly body?: unknown
  readonly answer: unknown
}

/** Examples of requests and answers, by operation. */
export type Examples = Readonly<Partial<Record<OperationId, Example>>>

/** The OpenAPI operation object of an operation. */
function describeOperation(
  operation: OperationId,
  shown: readonly Variant[],
  schemas: NamedSchemas,
  examples: Readonly<Partial<Record<Variant, Examples>>>,
): OpenapiObject {
  const route = routeOf(operation)
  const body = schemas.bodyOf(operation)
  const examplesOf = (part: keyof Example, variants: readonly Variant[]) =>
    Object.fromEntries(
      variants
        .map((variant) => [variant, { value: examples[variant]?.[operation]?.[part] }] as const)
        .filter(([, { value }]) => value !== undefined),
    )
  const sent = examplesOf('body', shown.slice(0, 1))
  const answered = examplesOf('answer', schemas.variantsOf(operation))
  return {
    operationId: operation,
    summary: route.summary,
    description: `${route.section}. ${route.cost === 1 ? 'Reserves 1 Work Credit.' : 'Free.'}`,
    tags: [tagOf(route)],
    'x-cost': route.cost,
    ...(route.set === 'extended' ? { 'x-extended': true } : {}),
    security: [{ [route.auth === 'key' ? 'key' : 'session']: [] }],
    parameters: parametersOf(
      route.path,
      route.query,
      refTo('Identifier'),
      idIn(route.path, examples[shown[0] ?? 'first']),
    ),
    ...(body ? { requestBody: { required: true, content: jsonContentOf(body, sent) } } : {}),
    responses: {
      200: { description: 'Success.', content: jsonContentOf(schemas.answerOf(operation), answered) },
      ...errorResponses(operation, shown),
    },
  }
}

/** An example of an id for a path: the first of its kind in the examples, or an invented one. */
function idIn(path: string, examples: Examples = {}): string {
  const [, kind = 'thing'] = /([^/]+?)s?\/:id/.exec(path) ?? []
  const [, shown] = new RegExp(`"(${kind}_\\w+)"`).exec(JSON.stringify(examples)) ?? []
  return shown ?? `${kind}_1`
}

/** The tag of a route. */
function tagOf({ section }: Route): string {
  return section.replace(/^§4 /, '')
}

/** Statuses whose `error` codes the specification does not name (§7.4). */
const unnamed = new Set([422, 500])

/** The OpenAPI `content` of a JSON body, with examples by name. */
export function jsonContentOf(schema: OpenapiObject, examples: OpenapiObject = {}): OpenapiObject {
  return { 'application/json': { schema, ...(Object.keys(examples).length > 0 && { examples }) } }
}

/** References to the error responses of an operation, by status. */
function errorResponses(operation: OperationId, shown: readonly Variant[]): OpenapiObject {
  return Object.fromEntries(
    refusalsOf(operation, shown).map((refusal) => [
      refusal.status,
      { $ref: `#/components/responses/${nameOf(refusal)}` },
    ]),
  )
}

/** Every error response of some operations, by name. */
function namedResponses(operations: readonly OperationId[], shown: readonly Variant[]): OpenapiObject {
  const refusals = operations.flatMap((operation) => refusalsOf(operation, shown))
  return Object.fromEntries(refusals.map((refusal) => [nameOf(refusal), describe(refusal, shown)]))
}

/** A schema for each code, so that a typed client can branch on `error`; `ErrorAnswer` is the schema of all. */
function errorSchemas({ ErrorAnswer: any = {} }: Readonly<Record<string, OpenapiObject>>): OpenapiObject {
  const fields = any.properties as Record<string, OpenapiObject>
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

const errorName = (code: string) => `${pascalCase(code)}Error`
const nameOf = ({ status, names }: Refusal) => `${names.map(pascalCase).join('Or')}${status}`
const meaningOf = (entries: readonly { meaning: string; section: string }[]) =>
  distinct(entries.map(({ meaning, section }) => `${section}: ${meaning}`)).join(' ')
const distinct = <T>(values: readonly T[]) => [...new Set(values)]

type Refusal = ReturnType<typeof refusalsOf>[number]

/** The failures of an operation, grouped by their status. */
function refusalsOf(operation: OperationId, shown: readonly Variant[]) {
  const pairs = failuresOf(operation).flatMap((name) =>
    distinct(shown.map((variant) => failures[name].status[variant])).map((status) => ({ name, status })),
  )
  return [...Map.groupBy(pairs, ({ status }) => status)].map(([status, same]) => ({
    status,
    names: same.map(({ name }) => name),
  }))
}

function describe({ status, names }: Refusal, [variant = 'first']: readonly Variant[]): OpenapiObject {
  const entries = names.map((name) => failures[name])
  const examples = names.map((name) => {
    const { code, message, meaning } = failures[name]
    return [name, { summary: meaning, value: { error: code, message: message[variant] } }]
  })
  return {
    description: meaningOf(entries),
    ...(status === 429 ? { headers: { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } } : {}),
    content: jsonContentOf(
      schemaOf(status, distinct(entries.map(({ code }) => code))),
      Object.fromEntries(examples),
    ),
  }
}

function schemaOf(status: number, codes: readonly string[]): OpenapiObject {
  const [only = ''] = codes
  if (unnamed.has(status)) return refTo('ErrorAnswer')
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

/** The OpenAPI header object of `Retry-After`: whole seconds or an HTTP date (RFC 9110 §10.2.3). */
export const retryAfterHeaderObject: OpenapiObject = {
  description: 'How long to wait: whole seconds, or an HTTP date (RFC 9110 §10.2.3).',
  required: true,
  schema: { type: 'string' },
  examples: { seconds: { value: '12' }, date: { value: 'Mon, 02 Mar 2026 09:00:12 GMT' } },
}
