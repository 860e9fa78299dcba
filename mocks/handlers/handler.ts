/** The type of handlers: each decides one operation for one organization at one moment. */
import type { AnswerOf, BodyOf, FailureOf, OperationId, QueryOf } from '#contract/operation.ts'
import type { Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { RunOverrides } from '../core/tasks.ts'

/** The part of the tenants of a mock that handlers use. */
export interface TenantDirectory {
  /** The name of the organization whose credentials are printed at the start. */
  readonly demoName: string
  /** Makes a key of an organization valid. */
  admit(key: Key, org: Organization): void
  /** Returns the organization with a name, created on first use. */
  organization(name: string): Organization
  /** Returns the name of a second organization. */
  otherThan(name: string): string
}

/** A request after authentication, limits and validation. */
export interface Call<O extends OperationId = OperationId> {
  readonly org: Organization
  readonly tenants: TenantDirectory
  /** Mock time of the request, ms since the epoch; the organization is settled up to it. */
  readonly now: number
  /** The `:id` of the path, decoded; empty if the path has none. */
  readonly id: string
  readonly body: BodyOf<O>
  readonly query: QueryOf<O>
  /** The URL of the request. */
  readonly url: string
  /** Properties of the requested run or generation, if a fault sets them. */
  readonly runOverrides?: RunOverrides | undefined
}

/** Returns a body with the fields of both variants, reduced to one variant afterwards, or a failure. */
export type Handler<O extends OperationId> = (call: Call<O>) => AnswerOf<O> | Failure<FailureOf<O>>

/** A handler for each operation; a missing one is a type error. */
export type Handlers = { readonly [O in OperationId]: Handler<O> }
