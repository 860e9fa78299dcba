/** `/__admin/openapi.json`: OpenAPI 3.1 of the control routes, derived from their table. */
import { z } from 'zod'
import { createDocument, type Json, jsonSchema, parametersOf, refTo } from '#contract/openapi/builder.ts'
import suite from '../../../package.json' with { type: 'json' }
import { acknowledged, type ControlRoute, control, problemView } from './route.ts'

/** The route that answers the document of all control routes, itself included. */
export const openapiRoutes = (routes: () => readonly ControlRoute[]) => [
  control({
    method: 'GET',
    path: '/openapi.json',
    summary: 'This document: OpenAPI 3.1 of the control routes.',
    about: 'mock',
    answer: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
    run: ({ request }) => controlOpenapi(routes(), new URL(request.url).origin),
  }),
]

/** The document of control routes, at an origin such as `http://127.0.0.1:4402`. */
function controlOpenapi(routes: readonly ControlRoute[], origin: string): Json {
  return createDocument({
    info: {
      title: 'Control of the work-agent mock',
      version: suite.version,
      description:
        'For operators and tests. A call with an API key acts on the organization of that key only; without one it takes `org_id`, or acts on the whole mock.',
    },
    servers: [{ url: `${origin}/__admin` }],
    security: [{}, { key: [] }, { admin: [] }, { key: [], admin: [] }],
    operations: routes.map((route) => ({ ...route, operation: describe(route) })),
    components: {
      schemas: { Problem: jsonSchema(problemView) },
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: the call acts on its organization.',
        },
        admin: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Admin-Token',
          description: 'Required if the mock listens beyond loopback; also as `?token=`.',
        },
      },
    },
  })
}

function describe(route: ControlRoute): Json {
  const {
    method,
    path,
    summary,
    body,
    query,
    answer = acknowledged,
    example,
    type = 'application/json',
  } = route
  const schema = type === 'application/json' ? jsonSchema(answer) : { type: 'string' }
  const sent = body && { schema: jsonSchema(body), ...(typeof example === 'object' && { example }) }
  return {
    operationId:
      method.toLowerCase() + path.replace(/[^a-z]+(.?)/gi, (_, letter: string) => letter.toUpperCase()),
    summary,
    parameters: parametersOf(path, query, { type: 'string' }),
    ...(sent && { requestBody: { content: { 'application/json': sent } } }),
    responses: {
      200: { description: 'Done.', content: { [type]: { schema } } },
      ...Object.fromEntries(refusalsOf(route).map(([status, text]) => [status, problemOf(text)])),
    },
  }
}

/** Every refusal of a route by status, with what it means. */
export function refusalsOf({
  about = 'either',
  refusals = {},
}: ControlRoute): [status: string, text: string][] {
  const all: Record<string, string> = {
    400: 'The call is malformed.',
    401: 'Unknown API key; or the admin token is missing or wrong.',
    403: 'The host or the web page may not make control calls.',
    ...(about !== 'mock' && { 404: 'Unknown organization.' }),
  }
  for (const [status, text] of Object.entries(refusals))
    all[status] = status in all ? `${all[status]} Or: ${text}` : text
  return Object.entries(all)
}

const problemOf = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: refTo('Problem') } },
})
