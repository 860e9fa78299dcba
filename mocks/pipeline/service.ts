/** The parts of one mock, and the context of one request in the pipeline. */
import type { Context, HonoRequest } from 'hono'
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { Recorded } from '#traffic/recording.ts'
import { Redaction } from '#traffic/redaction.ts'
import type { Options, Settings } from '../config/options.ts'
import type { OrganizationEvent } from '../core/changes.ts'
import { type Clock, createClock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import { type Preference, readPreference } from '../faults/directives.ts'
import type { Fault, FaultEffects } from '../faults/fault.ts'
import { Faults } from '../faults/faults.ts'
import type { Handlers } from '../handlers/views.ts'
import { Journal } from '../journal/journal.ts'
import type { Stage } from '../journal/view.ts'
import type { Principal } from '../tenants/tenant.ts'
import { Tenants } from '../tenants/tenants.ts'
import { type ReceivedBody, sentText } from './read-input.ts'

/** One request and its result, for logs and observers. Contains no key, cookie or body. Times are ms. */
export interface RequestSummary
  extends Pick<
    JournalEntry,
    'id' | 'operation' | 'method' | 'status' | 'error' | 'reason' | 'wire' | 'org_id'
  > {
  readonly path: string
  /** The name of the organization, as `whoami` reports it: that in its key would tell the key. Null: not authenticated. */
  readonly org_name: string | null
  /** Mock time, since the epoch. */
  readonly at: number
  /** Real time until the response. */
  readonly duration_ms: number
}

/** What an edge passes along with a request. */
export interface Bindings {
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

/** The context of one request in the pipeline; what is recorded of it as it becomes known. */
export class RequestContext {
  readonly service: Service
  /** Null: an unknown path or method. */
  readonly operation: OperationId | null
  readonly route: Route | null
  readonly request: HonoRequest
  readonly bindings: Bindings | undefined
  /** When the request arrived, real time in ms. */
  readonly started = performance.now()
  /** The preferences of the `Prefer` header; undefined: none. */
  readonly preference: Preference | undefined
  /** The faults that were followed as far as the request itself goes. */
  readonly followed = new Set<Fault>()
  /** Undefined: not authenticated. */
  principal: Principal | undefined
  /** Mock time of the request, ms since the epoch; that of its organization once authenticated. */
  now: number
  /** Effects of faults; undefined: none apply. */
  effects: FaultEffects | undefined
  /** Ids of the quirks that changed how it was handled; undefined: its caller has no quirks. */
  quirks: Set<string> | undefined
  id = ''
  /** Null: none was sent, or none was read. */
  body: string | null
  decided_by: Stage = 'state'
  changes_before = 0
  changes_from = 0
  changes_to = 0
  credits = 0

  constructor(service: Service, operation: OperationId | null, { req, env }: Context) {
    const prefer = req.header('prefer')
    this.service = service
    this.operation = operation
    this.route = operation && routeOf(operation)
    this.request = req
    this.bindings = env as Bindings | undefined
    this.preference = prefer === undefined ? undefined : readPreference(prefer)
    this.now = service.clock.now()
    this.body = sentText(this.bindings?.body)
  }
}

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

export class Service {
  readonly options: Options
  readonly rules: Rules
  /** The clock of the mock; clocks of organizations follow it until they are changed. */
  readonly clock: Clock
  readonly faults: Faults
  readonly tenants: Tenants
  readonly journal: Journal
  readonly listeners = new Set<(event: OrganizationEvent) => void>()
  readonly observers = new Set<(request: RequestSummary) => void>()
  readonly bugs: unknown[] = []
  /**
   * Returns a snapshot of the state before the entry `until` of a recording, or before its first one, and what could
   * not be explained, in sentences. @throws Error for a recording that is too long.
   */
  readonly rebuild: (
    recorded: readonly Recorded[],
    until?: number,
  ) => Promise<{ readonly snapshot: object; readonly notes: readonly string[] }>

  constructor(options: Options, settings: Settings, rules: Rules, rebuild: Service['rebuild']) {
    this.options = options
    this.rules = rules
    this.rebuild = rebuild
    this.clock = createClock(settings.now)
    this.faults = new Faults(settings.seed, settings.faults)
    const emit = (event: OrganizationEvent) => {
      for (const listener of this.listeners) listener(event)
    }
    this.tenants = new Tenants({ clock: this.clock, settings, emit, faults: this.faults })
    this.journal = new Journal(settings.journal)
  }

  /** The current settings: those of the last scenario started, or the initial ones. */
  get settings(): Settings {
    return this.tenants.settings
  }

  onBug(error: unknown): void {
    this.bugs.push(error)
    const text = new Redaction([]).text((error instanceof Error && error.stack) || String(error))
    console.error(`Internal error of the mock. This is a bug; please report it. ${text}`)
  }
}
