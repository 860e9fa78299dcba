/** What the parts of one mock share, and what they say of a request. */

import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import type { Answering } from './answering.ts'
import type { Connections } from './connections.ts'
import type { OrganizationEvent } from './core/events.ts'
import type { Failure } from './failure.ts'
import type { Faults } from './faults/faults.ts'
import type { Handlers } from './handlers/handler.ts'
import type { Journal } from './journal.ts'
import type { MockOptions, Settings } from './options.ts'
import type { Principal, Tenancy } from './tenancy.ts'
import type { World } from './world.ts'

/** What a request came to; for logs and observers. Never holds a key, a cookie or a body. */
export interface Exchange {
  /** Null: a path or method that is no operation. */
  readonly operation: OperationId | null
  readonly method: string
  readonly path: string
  /** 0: no answer was sent. */
  readonly status: number
  /** The `error` code of the answer, or null. */
  readonly error: string | null
  /** Null: nobody, or nobody known. */
  readonly org_id: string | null
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** Real time that the answer took, ms. */
  readonly duration_ms: number
}

/** An authenticated request on its way to a handler. */
export interface Visit {
  readonly service: Service
  readonly operation: OperationId
  readonly route: Route
  readonly request: HonoRequest
  readonly principal: Principal
  readonly answering: Answering
}

/** Lets a visit pass, or answers why not. */
export type Gate = (visit: Visit) => Failure | undefined

/** The rules that decide about a request; defects replace some of them. */
export interface Rules {
  /** Who asks; undefined: 401. */
  readonly authenticate: (
    request: HonoRequest,
    auth: Route['auth'],
    tenancy: Tenancy,
  ) => Principal | undefined
  readonly gates: readonly Gate[]
  readonly handlers: Handlers
}

/** One mock. */
export interface Service {
  /** What the mock was created with. */
  readonly options: MockOptions
  /** Those in force: of the scenario that was started last, or of the beginning. */
  readonly settings: Settings
  readonly world: World
  readonly tenancy: Tenancy
  readonly rules: Rules
  readonly faults: Faults
  readonly journal: Journal
  readonly connections: Connections
  /** Told of everything that happens in an organization. */
  readonly listeners: Set<(event: OrganizationEvent) => void>
  /** Lets real time pass, ms. */
  wait(ms: number): Promise<void>
  readonly observers: Set<(exchange: Exchange) => void>
  /** Errors of the mock's own since the start. */
  readonly bugs: readonly unknown[]
  /** Told of every error that is the mock's own fault. */
  onBug(error: unknown): void
}
