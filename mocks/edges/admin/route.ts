/** The shape of a control route, declared as data like the routes of the API. */
import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { fields } from '#contract/input/checked.ts'
import type { Send } from '../../control/resend.ts'
import type { Organization } from '../../core/organization.ts'
import type { BodySize } from '../../pipeline/read-input.ts'
import type { Service } from '../../pipeline/service.ts'

/** The scope of a control route; `either` is the organization of the call or, without one, the whole mock. */
export type About = 'mock' | 'organization' | 'either'

/** A parsed and validated control call. */
export interface ControlCall<B = unknown, Q = unknown, O = Organization | undefined> {
  readonly service: Service
  /** The organization of the call, by key or by `org_id`; undefined: the whole mock. */
  readonly org: O
  readonly body: B
  readonly query: Q
  readonly request: HonoRequest
  /** Sends a request to the mock itself. */
  readonly send: Send
}

/** A control route. */
export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path below `/__admin`. */
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
  /** Further errors, by status. */
  readonly refusals?: Readonly<Record<number, string>>
  /** Example for documents: a body, a query (`?…`), a file to send (`@…`), or a file for the response (`-o …`). */
  readonly example?: object | string
  /** Maximum size of the body; default: 1 MiB. */
  readonly largest?: BodySize
  /** Returns a Response, or a value to send as JSON. @throws ProblemError if the call is rejected. */
  run(call: ControlCall): unknown
}

/** Declares a control route with the types of its body, query and scope. */
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

/** Creates the schema of a body: the given fields and `org_id`. */
export function bodyOf<S extends z.ZodRawShape>(shape: S) {
  return fields({ ...shape, org_id: orgId.optional() })
}

/** Creates the schema of a query: the given parameters and `org_id`. */
export function queryOf<S extends z.ZodRawShape>(shape: S) {
  return z.object({ ...shape, org_id: orgId.optional() })
}

const orgId = z
  .union([z.string(), z.number()])
  .describe('The organization, as `whoami` reports it; not needed with an API key.')

/** The response of a route that only acknowledges. */
export const acknowledged = z.object({ ok: z.literal(true) })

/** An error in RFC 9457 format. */
export const problemView = z.looseObject({
  title: z.string().describe('What was wrong, and what to do.'),
  status: z.int(),
})

/** A time in ISO 8601. */
export const iso = z.iso.datetime()

/** The reason why a control call is rejected: a status, a message and further details. */
export class ProblemError extends Error {
  readonly status: number
  readonly details: object

  constructor(status: number, message: string, details: object = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}

/** Returns the organization of a call, or all existing ones. */
export function organizationsOf({ org, service }: ControlCall): Organization[] {
  return org ? [org] : service.tenants.organizations()
}
