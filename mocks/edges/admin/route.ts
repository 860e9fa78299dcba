/** The shape of a control route, declared as data like the routes of the API. */
import type { Context, HonoRequest } from 'hono'
import { z } from 'zod'
import { createStrictObjectSchema, describeUnknownName, tryParse } from '#contract/input/checked.ts'
import { SecretRedactor } from '#traffic/redaction.ts'
import { ControlRefusal, Failure } from '../../core/failure.ts'
import type { Organization } from '../../core/organization.ts'
import type { Answer } from '../../handlers/respond.ts'
import { type BodySizeLimits, readJsonObject } from '../../pipeline/read-input.ts'
import type { MockParts } from '../../pipeline/service.ts'
import { authenticateCaller, keyProblem } from '../../tenants/tenants.ts'
import { bodySourceOf } from '../fetch.ts'
import { controlCallSentence } from './sentences.ts'

/** A function that sends a request to the mock's own API, on behalf of an operator. */
export type SendApiRequest = (request: Request, connection: object) => Promise<Answer | Response>

/** The scope of a control route; `either` is the organization of the call or, without one, the whole mock. */
type About = 'mock' | 'organization' | 'either'

/** A call of a control route, with its validated body and query. */
export interface ControlCall<B = unknown, Q = unknown, O = Organization | undefined> {
  readonly service: MockParts
  /** The organization that the call is for, by its key or by `org_id`; undefined: the whole mock. */
  readonly org: O
  readonly body: B
  readonly query: Q
  readonly request: HonoRequest
  readonly send: SendApiRequest
}

/** A control route as data: its schemas, an example and the function that answers. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/__admin`. */
  readonly path: string
  readonly summary: string
  /** What the route concerns: the mock, an organization, or either; default: `either`. */
  readonly about?: About
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  /** Body of a success; undefined: `{ "ok": true }`. */
  readonly answer?: z.ZodType
  /** Media type of a success; default: JSON. */
  readonly type?: string
  /** Descriptions of the errors that only this route returns, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** Example for documents: a body, a query (`?…`), a file to send (`@…`), or a file for the response (`-o …`). */
  readonly example?: object | string
  /** Limits on the size of the request body; default: 1 MiB. */
  readonly largest?: BodySizeLimits
  /** Returns a Response, or a value to send as JSON. @throws ControlRefusal if the call is rejected. */
  run(call: ControlCall): unknown
}

type Method = ControlRoute['method']

/** A control route with the type of its answer. */
export interface TypedControlRoute<What extends string, Answer> extends ControlRoute {
  readonly what: What
  readonly answers?: Answer
}

/**
 * Declares a control route; the types of its body, query, scope and answer are inferred. `what`: method and path, such
 * as `GET /requests/:id`.
 */
export function declareControlRoute<
  const What extends `${Method} /${string}`,
  Answer,
  B extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  const A extends About = 'either',
>(
  what: What,
  route: Omit<ControlRoute, 'method' | 'path' | 'about' | 'body' | 'query' | 'run'> & {
    readonly about?: A
    readonly body?: B
    readonly query?: Q
    run(
      call: ControlCall<
        z.output<B>,
        z.output<Q>,
        A extends 'organization' ? Organization : A extends 'mock' ? undefined : Organization | undefined
      >,
    ): Answer
  },
): TypedControlRoute<What, Awaited<Answer>> {
  const [method, path] = what.split(' ')
  return { ...route, what, method, path } as unknown as TypedControlRoute<What, Awaited<Answer>>
}

/** Schema of the body of a control call: the given fields, and an optional `org_id`. */
export function bodySchemaWithOrgId<S extends z.ZodRawShape>(shape: S) {
  return createStrictObjectSchema({ ...shape, org_id: orgId.optional() })
}

/** Schema of the query of a control call: the given fields, and an optional `org_id`. */
export function querySchemaWithOrgId<S extends z.ZodRawShape>(shape: S) {
  return z.object({ ...shape, org_id: orgId.optional() })
}

const orgId = z
  .union([z.string(), z.number()])
  .describe('The organization, as `whoami` reports it; not needed with an API key.')

/** Schema of the number of a request in a query. */
export const requestNumberSchema = z
  .string()
  .regex(/^\d+$/, 'takes the number of a request')
  .transform(Number)
  .optional()

/** Schema of the answer `{ "ok": true }`, of control calls that return no data. */
export const acknowledgedSchema = z.object({ ok: z.literal(true) })

/** Schema of an error of a control route, in RFC 9457 format. */
export const problemSchema = z.looseObject({
  title: z.string().describe('What was wrong, and what to do.'),
  status: z.int(),
})

/** Schema of a moment in ISO 8601. */
export const isoMomentSchema = z.iso.datetime()

/** Schema of the name of a new organization: the part of its key after `wak_test_`. */
export const newOrganizationNameSchema = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'takes 1 to 100 letters, digits, _ and -')
  .regex(/^(?!wak_test_)/, 'takes the part of the key after wak_test_')

/**
 * Answers a control call: validates its body and query, runs its route, and notes it in the journal if it changed
 * something.
 */
export async function answerControlCall(
  service: MockParts,
  route: ControlRoute,
  c: Context,
  send: SendApiRequest,
) {
  try {
    const json = route.method === 'GET' ? {} : await readBody(c.req, route.largest)
    const org = organizationOf(service, route, c, json)
    const body = route.body && validate(route.body, json, 'the body')
    checkParameters(route, c.req.queries())
    const query = route.query && validate(route.query, c.req.query(), 'the query')
    const result = await route.run({ service, org, body, query, request: c.req, send })
    if (route.method !== 'GET' && !looks.test(route.path) && Reflect.get(json, 'preview') !== true)
      note(service, org, route, c, json)
    return result instanceof Response ? result : c.json(result ?? { ok: true })
  } catch (error) {
    if (error instanceof ControlRefusal) return problemResponse(error.status, error.message, error.details)
    service.onBug(error)
    return problemResponse(500, 'Internal error of the mock. This is a bug; please report it.')
  }
}

/** Routes that are not noted: they change nothing although they are no GET, or the journal has what they send. */
const looks = /^\/(?:requests|login|render)\b/
const longestValue = 60
const longestSentence = 200
/** Leaves out a long value: it may be a state, which contains keys. */
const shortened = (value: string) => (value.length > longestValue ? '…' : value)

/** Notes a call in the journal, where those who watch see it between the requests. */
function note(
  service: MockParts,
  org: Organization | undefined,
  route: ControlRoute,
  { req }: Context,
  body: object,
): void {
  const about = service.tenants.byId(String(Reflect.get(body, 'params')?.org_id ?? '')) ?? org
  const values = Object.entries(body).flatMap(([name, value]) =>
    typeof value === 'object' || name === 'org_id' ? [] : `${name}=${shortened(String(value))}`,
  )
  const path = [req.path.slice('/__admin'.length), ...values].join(' ')
  const redaction = new SecretRedactor(service.tenants.secrets)
  const says = controlCallSentence(`${req.method} ${route.path}`, path, req.param('id') ?? '', body)
  service.journal.note({
    at: new Date((about?.clock ?? service.clock).now()).toISOString(),
    org_id: about?.id ?? null,
    method: req.method,
    path: redaction.text(path),
    says: redaction.text(says.length > longestSentence ? `${says.slice(0, longestSentence)}…` : says),
  })
}

/** Reads the body of a control call: a JSON object, or nothing. */
async function readBody({ raw }: HonoRequest, largest: BodySizeLimits | undefined): Promise<object> {
  const json = await readJsonObject(bodySourceOf(raw), largest)
  if (json instanceof Failure)
    throw new ControlRefusal(400, json.message ?? 'The body must be a JSON object.')
  return json ?? {}
}

function validate(schema: z.ZodType, value: unknown, where: string): unknown {
  const { data, problem } = tryParse(schema, value, where)
  if (problem !== undefined) throw new ControlRefusal(400, problem)
  return data
}

const common = ['org_id', 'token']

/** @throws ControlRefusal for a parameter that the route does not take: ignoring it would hide a typo. */
function checkParameters({ query }: ControlRoute, given: Readonly<Record<string, readonly string[]>>): void {
  const own = query instanceof z.ZodObject ? Object.keys(query.shape) : []
  const known = [...new Set([...common, ...own])]
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown !== undefined)
    throw new ControlRefusal(400, `the query: ${describeUnknownName(unknown, known)}`)
  const twice = Object.keys(given).find((name) => (given[name]?.length ?? 0) > 1)
  if (twice !== undefined) throw new ControlRefusal(400, `the query: takes ${twice} once`)
}

/** The error text for an `org_id` that is not the organization of the key of the call. */
export const orgIdMismatchText =
  'not the organization of the key; omit it, or send the id that whoami reports.'

/** Returns the organization of the key in the call, or of its `org_id`; undefined: the whole mock. */
function organizationOf(service: MockParts, { about = 'either' }: ControlRoute, c: Context, body: object) {
  if (about === 'mock') return undefined
  const inBody = Reflect.get(body, 'org_id')
  const id = c.req.query('org_id') ?? inBody
  if (inBody !== undefined && String(inBody) !== String(id))
    throw new ControlRefusal(
      400,
      'org_id: the query and the body name different organizations; send one of them.',
    )
  const org = id === undefined ? undefined : service.tenants.byId(String(id))
  if (c.req.header('authorization') !== undefined) {
    const principal = authenticateCaller(c.req, 'key', service.tenants)
    const unknown = 'No such API key; send a valid one, or none for the whole mock.'
    if (!principal) throw new ControlRefusal(401, keyProblem(c.req, service.tenants) ?? unknown)
    if (id === undefined || org === principal.org) return principal.org
    throw new ControlRefusal(400, `org_id: ${orgIdMismatchText}`)
  }
  if (org || (id === undefined && about === 'either')) return org
  throw id === undefined
    ? new ControlRefusal(
        400,
        'The call needs an organization: send its API key, or "org_id" as whoami reports it.',
      )
    : new ControlRefusal(404, 'org_id: no such organization; send the id that whoami reports.')
}

/** Creates an error answer of a control route, in RFC 9457 format, which differs from errors of the API. */
export function problemResponse(status: number, title: string, details: object = {}): Response {
  const headers = { 'content-type': 'application/problem+json' }
  return new Response(JSON.stringify({ title, status, ...details }), { status, headers })
}
