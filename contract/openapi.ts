/** OpenAPI 3.1 of the API, derived from the route table. Pure: the same table gives the same document. */
import { z } from 'zod'
import { errorBody, type FailureName, failures } from './errors.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from './operation.ts'
import { type Route, type Variant, variants } from './route.ts'

/** An example of an operation: what was sent, and what was answered. */
export interface Example {
  readonly body?: unknown
  readonly answer: unknown
}

export type Examples = Readonly<Partial<Record<OperationId, Example>>>

export interface OpenapiOptions {
  /** `both`: where the two descriptions differ, either shape and either status. */
  readonly variant: Variant | 'both'
  readonly version: string
  /** For each variant; for `both` those of the first. */
  readonly examples?: Examples
  /** Where the service is; default: a variable that a reader fills in. */
  readonly server?: string
}

type Json = Record<string, unknown>

/** The OpenAPI document. */
export function openapi({ variant, version, examples = {}, server }: OpenapiOptions): Json {
  const shown = variant === 'both' ? variants : [variant]
  const paths: Record<string, Json> = {}
  for (const operation of operationIds) {
    const { method, path } = routeOf(operation)
    const template = path.replace(':id', '{id}')
    const described = describe(operation, shown, examples[operation])
    paths[template] = { ...paths[template], [method.toLowerCase()]: described }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Command-line Interface HTTP API of the Work-Agent Service',
      version,
      description: descriptionOf(variant),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      server === undefined
        ? { url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:4402' } } }
        : { url: server },
    ],
    tags: tags(),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody) },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: '§5.1: Authorization: Bearer <API_KEY>.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'work_agent_session',
          description:
            '§5.4: a logged-in browser session. The name of the cookie is not shown; this is that of the mock.',
        },
      },
    },
  }
}

function descriptionOf(variant: OpenapiOptions['variant']): string {
  const which =
    variant === 'both'
      ? 'Where the two descriptions of the API differ, both are allowed.'
      : `Where the two descriptions of the API differ, this is the ${variant}.`
  return `Derived from the contract. ${which} Routes tagged "extended" are listed in the extended route set only and may be absent.`
}

function tags(): Json[] {
  const sections = [...new Set(operationIds.map((id) => routeOf(id).section))]
  return [
    ...sections.map((name) => ({ name: tagOf(name), description: name })),
    { name: 'extended', description: 'May be absent (§1).' },
  ]
}

const tagOf = (section: string) => section.replace(/^§4 /, '')

function describe(operation: OperationId, shown: readonly Variant[], example: Example | undefined): Json {
  const route = routeOf(operation)
  const cost = route.cost === 1 ? ' Reserves 1 Work Credit.' : ''
  return {
    operationId: operation,
    summary: route.summary,
    description: `${route.section}.${cost}`,
    tags: [
      tagOf(route.section),
      ...(route.set === 'extended' && tagOf(route.section) !== 'extended' ? ['extended'] : []),
    ],
    security: [{ [route.auth === 'key' ? 'key' : 'session']: [] }],
    'x-cost': route.cost,
    parameters: parametersOf(route),
    ...(route.body
      ? { requestBody: { required: true, content: json(jsonSchema(route.body, 'input'), example?.body) } }
      : {}),
    responses: { ...errorResponses(operation, shown), 200: success(route, shown, example) },
  }
}

function parametersOf({ path, query }: Route): Json[] {
  const inPath = path.includes(':id')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    : []
  const shape = Object.entries(query?.shape ?? {}) as [string, z.ZodType][]
  return [
    ...inPath,
    ...shape.map(([name, schema]) => ({
      name,
      in: 'query',
      required: false,
      schema: jsonSchema(schema),
      ...(schema.description ? { description: schema.description } : {}),
    })),
  ]
}

function success({ answer }: Route, shown: readonly Variant[], example: Example | undefined): Json {
  const schemas = [...new Set(shown.map((variant) => answer[variant]))].map((schema) => jsonSchema(schema))
  const schema = schemas.length === 1 ? schemas[0] : { anyOf: schemas }
  return { description: 'Success.', content: json(schema as Json, example?.answer) }
}

/** One response for each status, with the codes that it can carry. */
function errorResponses(operation: OperationId, shown: readonly Variant[]): Json {
  const byStatus = new Map<number, FailureName[]>()
  for (const name of failuresOf(operation)) {
    for (const status of new Set(shown.map((variant) => failures[name].status[variant]))) {
      byStatus.set(status, [...(byStatus.get(status) ?? []), name])
    }
  }
  const entries = [...byStatus].map(([status, names]) => [
    status,
    errorResponse(status, names, shown[0] ?? 'first'),
  ])
  return Object.fromEntries(entries)
}

function errorResponse(status: number, names: readonly FailureName[], variant: Variant): Json {
  const codes = [...new Set(names.map((name) => failures[name].code))]
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { error: { enum: codes } } }],
  }
  // §7.4: the names of the codes for 422 and 500 are not shown.
  const open = status === 422 || status === 500 ? { $ref: '#/components/schemas/Error' } : schema
  const [first] = names
  const example = first && { error: failures[first].code, message: failures[first].message[variant] }
  const retry = {
    'Retry-After': {
      description: 'Seconds or an HTTP date (RFC 9110 §10.2.3).',
      schema: { type: 'string' },
      required: true,
    },
  }
  return {
    description: [...new Set(names.map((name) => failures[name].meaning))].join(' '),
    ...(status === 429 ? { headers: retry } : {}),
    content: json(open, example),
  }
}

function json(schema: Json, example: unknown): Json {
  return { 'application/json': { schema, ...(example === undefined ? {} : { example }) } }
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'output'): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io }) as Json
  return rest
}
