/** Reads a control call, runs its route and creates the response. */
import type { Context } from 'hono'
import { z } from 'zod'
import { problemOf, unknownName } from '#contract/input/checked.ts'
import type { Send } from '../../control/resend.ts'
import { Failure } from '../../core/failure.ts'
import type { Organization } from '../../core/organization.ts'
import { type BodySize, readJsonObject } from '../../pipeline/read-input.ts'
import type { Service } from '../../pipeline/service.ts'
import { authenticate } from '../../tenants/authenticate.ts'
import { type ControlRoute, ProblemError } from './route.ts'

/** Returns the response to a control call. */
export async function answer(
  service: Service,
  route: ControlRoute,
  c: Context,
  send: Send,
): Promise<Response> {
  try {
    const json = route.method === 'GET' ? {} : await readBody(c.req.raw, route.largest)
    const org = organizationOf(service, route, c, json)
    const body = route.body && validate(route.body, json, 'the body')
    checkParameters(route, c.req.query())
    const query = route.query && validate(route.query, c.req.query(), 'the query')
    const result = await route.run({ service, org, body, query, request: c.req, send })
    return result instanceof Response ? result : c.json(result ?? { ok: true })
  } catch (error) {
    if (error instanceof ProblemError) return problem(error.status, error.message, error.details)
    service.onBug(error)
    return problem(500, 'Internal error of the mock. This is a bug; please report it.')
  }
}

/** Reads the body of a control call: a JSON object, or nothing. */
async function readBody(request: Request, largest: BodySize | undefined): Promise<object> {
  const json = await readJsonObject(request, largest)
  if (!(json instanceof Failure)) return json
  if (json.message?.startsWith('The body is missing')) return {}
  throw new ProblemError(400, json.message ?? 'The body must be a JSON object.')
}

function validate(schema: z.ZodType, value: unknown, where: string): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new ProblemError(400, problemOf(result.error.issues, where))
}

/** Parameters that every control route takes. */
const common = ['org_id', 'token']

/** @throws ProblemError for a parameter that the route does not take: ignoring it would hide a typo. */
function checkParameters({ query }: ControlRoute, given: Readonly<Record<string, string>>): void {
  const known = [...common, ...(query instanceof z.ZodObject ? Object.keys(query.shape) : [])]
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined) throw new ProblemError(400, `the query: ${unknownName(unknown, known)}`)
}

/** Returns the organization of the key in the call, or of its `org_id`; undefined: the whole mock. */
function organizationOf(
  service: Service,
  { about = 'either' }: ControlRoute,
  c: Context,
  body: object,
): Organization | undefined {
  if (about === 'mock') return undefined
  const org = organizationNamed(service, c, body)
  if (org || about === 'either') return org
  throw new ProblemError(
    400,
    'The call needs an organization: send its API key, or "org_id" as whoami reports it.',
  )
}

function organizationNamed(service: Service, c: Context, body: object): Organization | undefined {
  if (c.req.header('authorization') !== undefined) {
    const principal = authenticate(c.req, 'key', service.tenants)
    if (!principal)
      throw new ProblemError(401, 'No such API key; send a valid one, or none for the whole mock.')
    return principal.org
  }
  const id = c.req.query('org_id') ?? Reflect.get(body, 'org_id')
  if (id === undefined) return undefined
  const org = service.tenants.byId(String(id))
  if (!org) throw new ProblemError(404, 'org_id: no such organization; send the id that whoami reports.')
  return org
}

/** Creates an error of the control routes in RFC 9457 format, which distinguishes it from errors of the API. */
export function problem(status: number, title: string, details: object = {}): Response {
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify({ title, status, ...details }), { status, headers })
}
