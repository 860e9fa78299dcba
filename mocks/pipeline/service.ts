/** The parts of one mock, and the context of one request in the pipeline. */
import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import type { Recorded } from '#traffic/recording.ts'
import type { Options, Settings } from '../config/options.ts'
import type { OrganizationEvent } from '../core/changes.ts'
import type { Clock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import type { Preference } from '../faults/directives.ts'
import type { Fault, FaultEffects } from '../faults/fault.ts'
import type { Faults } from '../faults/faults.ts'
import type { Handlers } from '../handlers/views.ts'
import type { Journal } from '../journal/journal.ts'
import type { RecordedEntry } from '../journal/view.ts'
import type { Principal } from '../tenants/tenant.ts'
import type { Tenants } from '../tenants/tenants.ts'
import type { ConnectionHistory } from './connections.ts'
import type { ReceivedBody } from './read-input.ts'

/** One request and its result, for logs and observers. Contains no key, cookie or body. */
export interface RequestSummary {
  /** `req_…`: the id in the journal, which reports cite. */
  readonly id: string
  /** Null: an unknown path or method. */
  readonly operation: OperationId | null
  readonly method: string
  readonly path: string
  /** 0: no response was sent. */
  readonly status: number
  /** The `error` code of the response, or null. */
  readonly error: string | null
  /** Which fault applied and where it came from, as in `X-Mock-Reason`; null: none. */
  readonly reason: string | null
  /** What happened to the connection, such as `reset`; null: nothing. */
  readonly wire: string | null
  /** Null: not authenticated. */
  readonly org_id: string | null
  /** The name of the organization, as `whoami` reports it: that in its key would tell the key. Null: not authenticated. */
  readonly org_name: string | null
  /** Mock time, ms since the epoch. */
  readonly at: number
  /** Real time until the response, ms. */
  readonly duration_ms: number
}

/** What an edge passes along with a request. */
export interface Bindings {
  /** The message of Node's HTTP server. */
  readonly incoming?: {
    readonly rawHeaders: readonly string[]
    readonly socket: { readonly destroyed: boolean }
  }
  /** The body, if the edge has collected it already; otherwise it is read from the request. */
  readonly body?: ReceivedBody | undefined
  /** Represents the connection of a request in process. */
  readonly connection?: object
  /** Returns why a control call is rejected, or undefined if it is allowed. Without a guard, every call is allowed. */
  readonly guard?: (request: HonoRequest) => { readonly status: number; readonly advice: string } | undefined
}

/** The context of one request in the pipeline. */
export interface RequestContext extends Unfinished {
  readonly service: Service
  /** Null: an unknown path or method. */
  readonly operation: OperationId | null
  readonly route: Route | null
  readonly request: HonoRequest
  readonly bindings: Bindings | undefined
  /** When the request arrived, real time in ms. */
  readonly started: number
  /** The preferences of the `Prefer` header; undefined: none. */
  readonly preference: Preference | undefined
  /** The faults that were followed as far as the request itself goes. */
  readonly followed: Set<Fault>
  /** Undefined: not authenticated. */
  principal: Principal | undefined
  /** Mock time of the request, ms since the epoch; that of its organization once authenticated. */
  now: number
  /** Effects of faults; undefined: none apply. */
  effects: FaultEffects | undefined
  /** Ids of the quirks that changed how it was handled; undefined: its caller has no quirks. */
  quirks: Set<string> | undefined
}

/** What is recorded as it becomes known; a body that is not read is null. */
type Known = 'id' | 'body' | 'decided_by' | `changes_${'before' | 'from' | 'to'}` | 'credits'
type Unfinished = { -readonly [Field in Known]: RecordedEntry[Field] }

/** The context of an authenticated request to an operation. */
export interface AuthenticatedContext extends RequestContext {
  readonly operation: OperationId
  readonly route: Route
  readonly principal: Principal
}

/** A success body with the fields of both variants, or a failure. */
export type Decision = object | Failure

/** Returns a failure if a request is rejected, else undefined. */
export type Precondition = (context: AuthenticatedContext) => Failure | undefined

/** The replaceable rules that decide a request. */
export interface Rules {
  /** Returns the caller with the credential of a request; undefined: 401. */
  readonly authenticate: (
    request: HonoRequest,
    auth: Route['auth'],
    tenants: Tenants,
  ) => Principal | undefined
  readonly preconditions: readonly Precondition[]
  readonly handlers: Handlers
}

/** The parts of one mock. */
export interface Service {
  readonly options: Options
  /** The current settings: those of the last scenario started, or the initial ones. */
  readonly settings: Settings
  /** The clock of the mock; clocks of organizations follow it until they are changed. */
  readonly clock: Clock
  readonly tenants: Tenants
  readonly rules: Rules
  readonly faults: Faults
  readonly journal: Journal
  readonly connections: ConnectionHistory
  readonly listeners: Set<(event: OrganizationEvent) => void>
  /** Waits, real ms. */
  wait(ms: number): Promise<void>
  /**
   * Returns a snapshot of the state before the entry `until` of a recording, or before its first one, and what could
   * not be explained, in sentences. @throws Error for a recording that is too long.
   */
  rebuild(
    recorded: readonly Recorded[],
    until?: number,
  ): Promise<{ readonly snapshot: object; readonly notes: readonly string[] }>
  readonly observers: Set<(request: RequestSummary) => void>
  readonly bugs: readonly unknown[]
  onBug(error: unknown): void
}
