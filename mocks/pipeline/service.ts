/** The parts of one mock, and the context of one request on its way through them. */
import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import type { MockOptions, Settings } from '../config/options.ts'
import type { Clock } from '../core/clock.ts'
import type { OrganizationEvent } from '../core/events.ts'
import type { Failure } from '../core/failure.ts'
import type { FaultEffects } from '../faults/effects.ts'
import type { Faults } from '../faults/faults.ts'
import type { Preference } from '../faults/prefer.ts'
import type { Handlers } from '../handlers/handler.ts'
import type { Journal } from '../journal/journal.ts'
import type { Principal } from '../tenants/tenant.ts'
import type { Tenants } from '../tenants/tenants.ts'
import type { Connections } from './virtual-connections.ts'

/** One request and its result, for logs and observers. Never holds a key, a cookie or a body. */
export interface RequestSummary {
  /** Null: a path or method that is no operation. */
  readonly operation: OperationId | null
  readonly method: string
  readonly path: string
  /** 0: no answer was sent. */
  readonly status: number
  /** The `error` code of the answer, or null. */
  readonly error: string | null
  /** Null: not authenticated. */
  readonly org_id: string | null
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** Real time that the answer took, ms. */
  readonly duration_ms: number
}

/** What comes with a request over HTTP. */
export interface Bindings {
  /** Node's own message. */
  readonly incoming?: { readonly rawHeaders: readonly string[]; readonly socket: object }
  /** Stands for the connection of a request in process. */
  readonly connection?: object
  /** Why a control call is refused; undefined: it is allowed. Without a guard every call is. */
  readonly guard?: (request: HonoRequest) => { readonly status: number; readonly advice: string } | undefined
}

/** One request on its way through the pipeline. */
export interface RequestContext {
  readonly service: Service
  /** Null: a path or method that is no operation. */
  readonly operation: OperationId | null
  readonly route: Route | null
  readonly request: HonoRequest
  readonly bindings: Bindings | undefined
  /** When the request came, real time in ms. */
  readonly started: number
  /** What the `Prefer` header asks for; undefined: nothing. */
  readonly preference: Preference | undefined
  /** The preferences that were applied, as they were written. */
  readonly applied: string[]
  /** Undefined: not authenticated. */
  principal: Principal | undefined
  /** The id of the request in the journal. */
  id: string
  /** Mock time of the request, ms since the epoch: that of its organization, once it is known. */
  now: number
  /** The body of the request as text; null: none, or not read. */
  body: string | null
  effects: FaultEffects | undefined
}

/** The context of an authenticated request to an operation. */
export interface AuthenticatedContext extends RequestContext {
  readonly operation: OperationId
  readonly route: Route
  readonly principal: Principal
}

/** A success body with the fields of both variants, or a failure. */
export type Decision = object | Failure

/** Lets a request pass, or returns why it is refused. */
export type Precondition = (context: AuthenticatedContext) => Failure | undefined

/** The rules that decide about a request. */
export interface Rules {
  /** The owner of the credential; undefined: 401. */
  readonly authenticate: (
    request: HonoRequest,
    auth: Route['auth'],
    tenants: Tenants,
  ) => Principal | undefined
  readonly preconditions: readonly Precondition[]
  readonly handlers: Handlers
}

/** One mock. */
export interface Service {
  /** What the mock was created with. */
  readonly options: MockOptions
  /** The settings in force: those of the scenario started last, or the initial ones. */
  readonly settings: Settings
  /** The clock of the mock; those of organizations follow it until they are moved. */
  readonly clock: Clock
  readonly tenants: Tenants
  readonly rules: Rules
  readonly faults: Faults
  readonly journal: Journal
  readonly connections: Connections
  /** Called with every event of every organization. */
  readonly listeners: Set<(event: OrganizationEvent) => void>
  /** Waits, real ms. */
  wait(ms: number): Promise<void>
  readonly observers: Set<(request: RequestSummary) => void>
  /** Internal errors since the start. */
  readonly bugs: readonly unknown[]
  /** Called with every internal error. */
  onBug(error: unknown): void
}
