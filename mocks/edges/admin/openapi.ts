/** `/__admin/openapi.json`: OpenAPI 3.1 of the control routes, derived from their table. */
import { z } from 'zod'
import suite from '../../../package.json' with { type: 'json' }
import { acknowledged, type ControlRoute, control, problemView } from './route.ts'

type Json = Record<string, unknown>

/** The route that answers the document of all control routes, itself among them. */
export const openapiRoutes = (routes: () => readonly ControlRoute[]) => [
  control({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This: OpenAPI 3.1 of the control routes.',
    about: 'mock',
    answer: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
    run: ({ request }) => controlOpenapi(routes(), new URL(request.url).origin),
  }),
]

/** The document of control routes, at an origin such as `http://127.0.0.1:4402`. */
export function controlOpenapi(routes: readonly ControlRoute[], origin: string): Json {
  const paths: Record<string, Json> = {}
  for (const route of routes) {
    const template = route.path.replace(':id', '{id}')
    paths[template] = { ...paths[template], [route.method.toLowerCase()]: describe(route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Control of the work-agent mock',
      version: suite.version,
      description:
        'For operators and tests. A call that carries an API key acts on the organization of that key alone; without one it takes `org_id`, or means the whole mock.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: `${origin}/__admin` }],
    security: [{}, { key: [] }, { admin: [] }, { key: [], admin: [] }],
    paths,
    components: {
      schemas: { Problem: jsonSchema(problemView) },
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key: the organization in question.' },
        admin: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Admin-Token',
          description: 'Where the mock listens beyond this machine; also as `?token=`.',
        },
      },
    },
  }
}

function describe(route: ControlRoute): Json {
  const { method, path, summary, body, example, type = 'application/json' } = route
  const schema = type === 'application/json' ? jsonSchema(route.answer ?? acknowledged) : { type: 'string' }
  const sent = typeof example === 'object' ? { example } : {}
  return {
    operationId: operationId(method, path),
    summary,
    parameters: parametersOf(route),
    ...(body
      ? { requestBody: { content: { 'application/json': { schema: jsonSchema(body), ...sent } } } }
      : {}),
    responses: {
      200: { description: 'Done.', content: { [type]: { schema } } },
      ...Object.fromEntries(refusalsOf(route).map(([status, text]) => [status, problemOf(text)])),
    },
  }
}

/** Every refusal of a route: its status, and what it means. */
export function refusalsOf({ about = 'either', refusals = {} }: ControlRoute): [number, string][] {
  const common: Record<number, string> = {
    400: 'The call cannot be done as it is written.',
    401: 'No such API key; or the admin token is missing or wrong.',
    403: 'A host or a web page that must not make control calls.',
    ...(about === 'mock' ? {} : { 404: 'No such organization.' }),
  }
  const own = Object.entries(refusals).map(([status, text]): [number, string] => {
    const usual = common[Number(status)]
    return [Number(status), usual === undefined ? text : `${usual} Or: ${text}`]
  })
  return [
    ...new Map([...Object.entries(common).map(([s, text]) => [Number(s), text] as const), ...own]),
  ].sort(([a], [b]) => a - b)
}

const problemOf = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
})

function parametersOf({ path, query }: ControlRoute): Json[] {
  const inPath = path.includes(':id')
    ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }]
    : []
  return [
    ...inPath,
    ...fieldsOf(query).map(({ name, schema, description }) => ({
      name,
      in: 'query',
      required: false,
      schema,
      ...(description === undefined ? {} : { description }),
    })),
  ]
}

/** A field of a body, of a query, or of an answer. */
export interface Field {
  readonly name: string
  readonly required: boolean
  readonly schema: Json
  readonly description: string | undefined
}

/** The fields of an object, as JSON Schema has them. */
export function fieldsOf(schema: z.ZodType | undefined): Field[] {
  if (!schema) return []
  const { properties = {}, required = [] } = jsonSchema(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    required: required.includes(name),
    schema: rest,
    description: description === undefined ? undefined : String(description),
  }))
}

/** `postRequestsFind` of `POST /requests/find`. */
function operationId(method: string, path: string): string {
  const words = path.split(/[^a-zA-Z]+/).filter(Boolean)
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override({ jsonSchema }) {
      // Bounds that every whole number has are no news.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  }) as Json
  return rest
}
