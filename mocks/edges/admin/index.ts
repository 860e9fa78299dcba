/** The control routes, `/__admin`, for operators. Rate limits, faults and the journal do not apply to them. */

import { Hono } from 'hono'
import { z } from 'zod'
import { joinWithOr } from '#contract/input/suggestion.ts'
import {
  assembleOpenapiDocument,
  type OpenapiObject,
  parametersOf,
  refTo,
  toJsonSchema,
} from '#contract/openapi/builder.ts'
import suite from '../../../package.json' with { type: 'json' }
import type { MockParts } from '../../pipeline/service.ts'
import { operatorResponseSecurityHeaders } from '../page.ts'
import type { EdgeBindings } from '../request.ts'
import { eventRoutes } from './events.ts'
import { historyRoutes } from './history.ts'
import { mockRoutes, resetRoutes } from './mock.ts'
import { organizationRoutes, sessionRoutes } from './organizations.ts'
import { reportRoutes } from './report.ts'
import { requestRoutes } from './requests.ts'
import {
  acknowledgedSchema,
  answerControlCall,
  type ControlRoute,
  declareControlRoute,
  problemResponse,
  problemSchema,
  type SendApiRequest,
} from './route.ts'

const declared = [
  ...mockRoutes,
  ...reportRoutes,
  ...requestRoutes,
  ...eventRoutes,
  ...organizationRoutes,
  ...historyRoutes,
  ...resetRoutes,
  ...sessionRoutes,
  declareControlRoute('GET /openapi.json', {
    summary: 'This document: OpenAPI 3.1 of the control routes.',
    about: 'mock',
    answer: z.looseObject({ openapi: z.literal('3.1.0'), paths: z.record(z.string(), z.unknown()) }),
    run: ({ request }): OpenapiObject => controlOpenapi(new URL(request.url).origin),
  }),
]

/** Every control route, under `/__admin`. */
export const controlRoutes: readonly ControlRoute[] = declared

type Declared = (typeof declared)[number]
/** The types of the answers of control routes, by method and path, such as `ControlAnswers['GET /requests/:id']`. */
export type ControlAnswers = { readonly [Route in Declared as Route['what']]: NonNullable<Route['answers']> }

/** The control routes that match a path such as `/faults/f1`, one for each method. */
export function controlRoutesAt(given: string): ControlRoute[] {
  const parts = given.split('/')
  const fits = (wanted: readonly string[]) =>
    wanted.length === parts.length &&
    wanted.every((part, i) => (part.startsWith(':') ? parts[i] !== '' : part === parts[i]))
  return controlRoutes.filter(({ path }) => fits(path.split('/')))
}

/**
 * Creates the handler of the control routes of a mock. It first asks the guard of the request whether the caller may
 * use them.
 */
export function createControlHandler(
  service: MockParts,
  send: SendApiRequest,
): Hono<{ Bindings: EdgeBindings }> {
  const control = new Hono<{ Bindings: EdgeBindings }>().basePath('/__admin')
  control.use(async (c, next) => {
    const rejection = c.env?.guard?.(c.req)
    if (rejection) c.res = problemResponse(rejection.status, rejection.advice)
    else await next()
    for (const [name, value] of Object.entries(operatorResponseSecurityHeaders)) c.header(name, value)
  })
  for (const route of controlRoutes)
    control.on(route.method, route.path, (c) => answerControlCall(service, route, c, send))
  control.notFound((c) => {
    const path = c.req.path.slice('/__admin'.length)
    const methods = new Set(controlRoutesAt(path).map(({ method }) => method))
    if (methods.size === 0)
      return problemResponse(404, 'No such control route; GET /__admin/openapi.json lists them.')
    const refusal = problemResponse(
      405,
      `/__admin${path} takes ${joinWithOr([...methods])}, not ${c.req.method}.`,
    )
    refusal.headers.set('allow', [...methods].join(', '))
    return refusal
  })
  return control
}

/** The document of control routes, at an origin such as `http://127.0.0.1:4402`. */
function controlOpenapi(origin: string): OpenapiObject {
  return assembleOpenapiDocument({
    info: {
      title: 'Control of the work-agent mock',
      version: suite.version,
      description:
        'For operators and tests. A call with an API key acts on the organization of that key only; without one it takes `org_id`, or acts on the whole mock.',
    },
    servers: [{ url: `${origin}/__admin` }],
    security: [{}, { key: [] }, { admin: [] }, { key: [], admin: [] }],
    operations: controlRoutes.map((route) => ({ ...route, operation: describe(route) })),
    components: {
      schemas: { Problem: toJsonSchema(problemSchema) },
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

const abouts: Readonly<Record<NonNullable<ControlRoute['about']>, string>> = {
  mock: 'Acts on the whole mock.',
  organization: 'Acts on one organization.',
  either: 'Acts on one organization, or on the whole mock.',
}

function describe(route: ControlRoute): OpenapiObject {
  const {
    about = 'either',
    method,
    path,
    summary,
    body,
    query,
    answer = acknowledgedSchema,
    example,
    type = 'application/json',
  } = route
  const schema = type === 'application/json' ? toJsonSchema(answer) : { type: 'string' }
  const sent = body && { schema: toJsonSchema(body), ...(typeof example === 'object' && { example }) }
  return {
    operationId:
      method.toLowerCase() + path.replace(/[^a-z]+(.?)/gi, (_, letter: string) => letter.toUpperCase()),
    summary,
    description: abouts[about],
    parameters: parametersOf(path, query, { type: 'string' }, '1'),
    ...(sent && { requestBody: { content: { 'application/json': sent } } }),
    responses: {
      200: { description: 'Done.', content: { [type]: { schema } } },
      ...Object.fromEntries(refusalsOf(route).map(([status, text]) => [status, problemOf(text)])),
    },
  }
}

/** Every refusal of a route by status, with what it means. */
function refusalsOf({ about = 'either', refusals = {} }: ControlRoute): [status: string, text: string][] {
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
