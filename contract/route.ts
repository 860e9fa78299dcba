/** The shape of one entry of the route table. Data and types; runs nothing. */
import type { z } from 'zod'
import type { FailureName } from './errors.ts'

/** The two descriptions of the API that differ in places (§4 Tasks, §7). */
export type Variant = 'first' | 'second'
export const variants = ['first', 'second'] as const satisfies readonly Variant[]

export type Method = 'GET' | 'POST' | 'DELETE'

/** One route of §4, from which routing, handlers, validation, documents and requirements are derived. */
export interface Route {
  readonly method: Method
  /** Path template with `:name` parameters. */
  readonly path: `/api/cli/${string}`
  /** The part of the specification that describes the route, such as `§4 Tasks`. */
  readonly section: string
  readonly summary: string
  /** `extended`: listed in the extended route set only (§1, §4). */
  readonly set: 'core' | 'extended'
  /** `key`: `Authorization: Bearer`; `cookie`: a logged-in browser session (§5). */
  readonly auth: 'key' | 'cookie'
  /** Work Credits that one accepted request reserves (§8.2). */
  readonly cost: 0 | 1
  /** Fields of the JSON body that a request must or may carry. */
  readonly body?: z.ZodObject
  readonly query?: z.ZodObject
  /** Body of a success answer, for each variant. Extra fields are always allowed. */
  readonly answer: Readonly<Record<Variant, z.ZodObject>>
  /** Failures of the route beyond those that every route can answer (`commonFailures`). */
  readonly failures: readonly FailureName[]
}

/** Declares a route and keeps its literal types. */
export function route<const R extends Route>(declaration: R): R {
  return declaration
}

/** An answer that both descriptions give the same shape. */
export function both<S extends z.ZodObject>(schema: S): { readonly first: S; readonly second: S } {
  return { first: schema, second: schema }
}
