/** One control route: declared as data, like the routes of the API. */
import type { HonoRequest } from 'hono'
import type { z } from 'zod'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../service.ts'

/** A control call, read and validated. */
export interface ControlCall<B = unknown, Q = unknown> {
  readonly service: Service
  /** The organization that it is about: by its key, or by `org_id`; undefined: the whole mock. */
  readonly org: Organization | undefined
  readonly body: B
  readonly query: Q
  readonly request: HonoRequest
}

export interface ControlRoute {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/__admin`. */
  readonly path: string
  readonly summary: string
  readonly body?: z.ZodType
  readonly query?: z.ZodType
  /** Answers a value that goes out as JSON, or a Response. Throws a Refusal for what cannot be done. */
  run(call: ControlCall): unknown
}

/** Declares a control route with the types of its body and query. */
export function control<B extends z.ZodType = z.ZodUndefined, Q extends z.ZodType = z.ZodUndefined>(
  route: Omit<ControlRoute, 'body' | 'query' | 'run'> & {
    readonly body?: B
    readonly query?: Q
    run(call: ControlCall<z.output<B>, z.output<Q>>): unknown
  },
): ControlRoute {
  return route as unknown as ControlRoute
}

/** Why a control call cannot be done: 400, 403, 404 or 409, and what to do instead. */
export class Refusal extends Error {
  readonly status: number

  constructor(status: number, advice: string) {
    super(advice)
    this.status = status
  }
}

/** The organization of a call that cannot be about the whole mock. */
export function oneOrganization({ org }: ControlCall): Organization {
  if (org) return org
  throw new Refusal(400, 'Name an organization: send its API key, or "org_id" as whoami reports it.')
}

/** The organizations that a call is about: its own, or every one that was met. */
export function organizationsOf({ org, service }: ControlCall): Organization[] {
  return org ? [org] : service.tenancy.organizations()
}
