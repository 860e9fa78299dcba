/** The shape of an entry of the route table: data and types only. */
import type { z } from 'zod'
import type { FailureName } from './errors.ts'

/** The name of one of the two published descriptions of the API, which differ in places (§4 Tasks, §7). */
export type Variant = 'first' | 'second'
/** The names of both variants of the API. */
export const variants = ['first', 'second'] as const satisfies readonly Variant[]

/** An HTTP method of the API. */
export type Method = 'GET' | 'POST' | 'DELETE'

/**
 * The declaration of a route of §4, from which routing, handlers, validation, documents and requirements are derived.
 */
export interface Route {
  readonly method: Method
  /** Path template with `:name` parameters. */
  readonly path: `/api/cli/${string}`
  /** The section of the specification that describes the route, such as `§4 Tasks`. */
  readonly section: string
  readonly summary: string
  /** `extended`: only in the extended route set (§1, §4). */
  readonly set: 'core' | 'extended'
  /** `key`: `Authorization: Bearer`; `cookie`: a logged-in browser session (§5). */
  readonly auth: 'key' | 'cookie'
  /** Work Credits that one accepted request reserves (§8.2). */
  readonly cost: 0 | 1
  /** Schema of the JSON body of a request; undefined: the route takes no body. */
  readonly body?: z.ZodObject
  /** Schema of the query; undefined: the route takes no query. */
  readonly query?: z.ZodObject
  /** Schema of the body of a success for each variant. Extra fields are always allowed. */
  readonly answer: Readonly<Record<Variant, z.ZodObject>>
  /** Failures of the route in addition to `commonFailures`. */
  readonly failures: readonly FailureName[]
}

/** Uses one response schema for both variants of the API: returns an object with it under each variant. */
export function repeatForBothVariants<S extends z.ZodObject>(
  schema: S,
): { readonly first: S; readonly second: S } {
  return { first: schema, second: schema }
}
