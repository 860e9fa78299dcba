/** What a handler is: one operation, decided at one moment for one organization. */
import type { AnswerOf, BodyOf, FailureOf, OperationId, QueryOf } from '#contract/operation.ts'
import type { Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { Key } from '../core/resources.ts'
import type { RunWish } from '../core/tasks.ts'

/** The organizations of a mock, as far as a handler may reach them. */
export interface TenantDirectory {
  /** The organization whose credentials are printed at the start. */
  readonly demoName: string
  /** Makes a key of an organization valid. */
  admit(key: Key, org: Organization): void
  organization(name: string): Organization
  /** The name of a second organization. */
  otherThan(name: string): string
}

/** A request after authentication, limits and validation. */
export interface Call<O extends OperationId = OperationId> {
  readonly org: Organization
  readonly tenants: TenantDirectory
  /** Mock time of the request, ms since the epoch; the organization is settled up to it. */
  readonly now: number
  /** The `:id` of the path, decoded; empty where the path has none. */
  readonly id: string
  readonly body: BodyOf<O>
  readonly query: QueryOf<O>
  /** The URL by which the client reached the mock. */
  readonly url: string
  /** How the run or generation that is asked for should go, where a fault says so. */
  readonly wish?: RunWish | undefined
}

/** Answers the fields of both variants; the shape of one is cut out afterwards. */
export type Handler<O extends OperationId> = (call: Call<O>) => AnswerOf<O> | Failure<FailureOf<O>>

/** A handler for each operation: one that is missing is a type error. */
export type Handlers = { readonly [O in OperationId]: Handler<O> }
