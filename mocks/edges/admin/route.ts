/** One control route: declared as data, like the routes of the API. */
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'

/** What a control route is about: `either` is the organization of the call, or without one the whole mock. */
export type About = 'mock' | 'organization' | 'either'

/** A control call, read and validated. */
export interface ControlCall<B = unknown, Q = unknown, O = Organization | undefined> {
  readonly service: Service
  /** The organization that it is about: by its key, or by `org_id`; undefined: the whole mock. */
  readonly org: O
  readonly body: B
  readonly query: Q
  readonly request: HonoRequest
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/__admin`. */
  readonly path: string
  readonly summary: string
  /** Default: `either`. */
  readonly about?: About
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  /** Body of a success; undefined: `{ "ok": true }`. */
  readonly answer?: z.ZodType
  /** Media type of a success; default: JSON. */
  readonly type?: string
  /** Further refusals, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** What to send to try it: a body, a query behind `?`, a file behind `@`, or behind `-o` where its answer goes. */
  readonly example?: object | string
  /** Longest body that is read, bytes; default: 1 MiB. */
  readonly longest?: number
  /** Answers a value that goes out as JSON, or a Response. Throws a Refusal for what cannot be done. */
  run(call: ControlCall): unknown
}

/** Declares a control route with the types of its body, its query, and what it is about. */
export function control<
  B extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  const A extends About = 'either',
>(
  route: Omit<ControlRoute, 'about' | 'body' | 'query' | 'run'> & {
    readonly about?: A
    readonly body?: B
    readonly query?: Q
    run(
      call: ControlCall<
        z.output<B>,
        z.output<Q>,
        A extends 'organization' ? Organization : A extends 'mock' ? undefined : Organization | undefined
      >,
    ): unknown
  },
): ControlRoute {
  return route as unknown as ControlRoute
}

/** The body of a call: these fields, and `org_id` for those who do not send a key. */
export function bodyOf<S extends z.ZodRawShape>(shape: S) {
  return z.strictObject({ ...shape, org_id: orgId.optional() })
}

/** The query of a call: these parameters, and `org_id`. */
export function queryOf<S extends z.ZodRawShape>(shape: S) {
  return z.object({ ...shape, org_id: orgId.optional() })
}

const orgId = z
  .union([z.string(), z.number()])
  .describe('The organization, as `whoami` reports it; not needed with an API key.')

/** The answer of a route that has nothing more to say. */
export const acknowledged = z.object({ ok: z.literal(true) })

/** An error: RFC 9457. */
export const problemView = z.looseObject({
  title: z.string().describe('What to do instead.'),
  status: z.int(),
})

/** A moment in ISO 8601. */
export const iso = z.iso.datetime()

/** Why a control call cannot be done: a status, what to do instead, and what else helps to see why. */
export class Refusal extends Error {
  readonly status: number
  readonly details: object

  constructor(status: number, advice: string, details: object = {}) {
    super(advice)
    this.status = status
    this.details = details
  }
}

/** The organizations that a call is about: its own, or every one that was met. */
export function organizationsOf({ org, service }: ControlCall): Organization[] {
  return org ? [org] : service.tenants.organizations()
}
