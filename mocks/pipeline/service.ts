/** The parts of one mock, and the context of one request in the pipeline. */
import type { OperationId } from '#contract/operation.ts'
import type { Route } from '#contract/route.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { RecordedExchange } from '#traffic/recording.ts'
import { SecretRedactor } from '#traffic/redaction.ts'
import type { MockOptionsInput, MockSettings } from '../config/options.ts'
import type { OrganizationEvent } from '../core/changes.ts'
import { createClock } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import { parsePreferHeader } from '../faults/directives.ts'
import type { Fault, FaultEffects } from '../faults/fault.ts'
import { createFaultRules } from '../faults/faults.ts'
import type { Handlers } from '../handlers/views.ts'
import { RecordedEntry } from '../journal/entry.ts'
import { createJournal } from '../journal/journal.ts'
import type { Principal } from '../tenants/tenant.ts'
import { createTenants, type Tenants } from '../tenants/tenants.ts'
import { journalBodyText } from './read-input.ts'
import type { ReceivedRequest } from './received-request.ts'
import { findRoute } from './routes.ts'

/** One request and its result, for logs and observers. Contains no key, cookie or body. Times are ms. */
export interface RequestSummary
  extends Pick<
    JournalEntry,
    'id' | 'operation' | 'method' | 'status' | 'error' | 'reason' | 'wire' | 'org_id'
  > {
  readonly path: string
  /**
   * The name of the organization, as `whoami` reports it: the name in its key would reveal the key. Null: not
   * authenticated.
   */
  readonly org_name: string | null
  /** Mock time, since the epoch. */
  readonly at: number
  /** Real time until the response. */
  readonly duration_ms: number
}

/**
 * What the pipeline knows of one request while it handles it: its route, its caller, the effects of faults, and its
 * journal entry.
 */
export type RequestContext = ReturnType<typeof createRequestContext>

/** Creates the context of a request in the pipeline, before its caller is known. */
export function createRequestContext(service: MockParts, request: ReceivedRequest) {
  const { operation, route, id: target } = findRoute(request.method, request.path)
  const prefer = request.header('prefer')
  return {
    service,
    /** Null: an unknown path or method. */
    operation,
    route,
    request,
    /** The `:id` of the path, decoded; empty if it has none. */
    target,
    /** When the request arrived, real time in ms. */
    started: performance.now(),
    /** The preferences of the `Prefer` header; undefined if there are none. */
    preference: prefer === undefined ? undefined : parsePreferHeader(prefer),
    /** The faults that were applied before the request was handled; undefined if there were none. */
    followed: undefined as Set<Fault> | undefined,
    /** Undefined: not authenticated. */
    principal: undefined as Principal | undefined,
    /** The effects of faults; undefined if none apply. */
    effects: undefined as FaultEffects | undefined,
    /** The entry of the journal; its time is that of its organization once authenticated. */
    entry: new RecordedEntry(operation, request.method, journalBodyText(request.body), service.clock.now()),
  }
}

/** The context of a request that is for an operation and has a valid credential. */
export interface AuthenticatedContext extends RequestContext {
  readonly operation: OperationId
  readonly route: Route
  readonly principal: Principal
}

/** The decision of the pipeline on a request: a success body with the fields of both variants, or a failure. */
export type Decision = object | Failure

/** A function that returns a failure if a request is rejected, else undefined. */
export type Precondition = (context: AuthenticatedContext) => Failure | undefined

/**
 * The functions that decide the answers to requests: authentication, preconditions and handlers. The proof replaces
 * some of them to create defects.
 */
export interface DecisionFunctions {
  /** Returns the caller with the credential of a request; undefined: 401. */
  readonly authenticate: (
    request: ReceivedRequest,
    auth: Route['auth'],
    tenants: Tenants,
  ) => Principal | undefined
  readonly preconditions: readonly Precondition[]
  readonly handlers: Handlers
}

/** The parts of a mock, such as its organizations, journal and fault rules. */
export type MockParts = ReturnType<typeof createMockParts>

/**
 * Creates the parts that all routes of a mock share, such as its journal. `rebuild` works out the state before the
 * entry `until` of a recording, or before its first one, with `notes` on what that state could not explain. It throws
 * an Error for a recording that is too long.
 */
export function createMockParts(
  options: MockOptionsInput,
  settings: MockSettings,
  rules: DecisionFunctions,
  rebuild: (
    recorded: readonly RecordedExchange[],
    until?: number,
  ) => Promise<{ readonly snapshot: object; readonly notes: readonly string[] }>,
) {
  const bugs: unknown[] = []
  const listeners = new Set<(event: OrganizationEvent) => void>()
  const emit = (event: OrganizationEvent) => {
    for (const listener of listeners) listener(event)
  }
  /** The clock of the mock; clocks of organizations follow it until they are changed. */
  const clock = createClock(settings.now)
  const faults = createFaultRules(settings.seed, settings.faults)
  const tenants = createTenants({ clock, settings, emit, faults })
  return {
    ...{ options, rules, rebuild, clock, faults, tenants, listeners, bugs },
    journal: createJournal(settings.journal),
    observers: new Set<(request: RequestSummary) => void>(),
    /** The current settings: those of the last scenario started, or the initial ones. */
    get settings(): MockSettings {
      return tenants.settings
    },
    onBug(error: unknown): void {
      bugs.push(error)
      const text = new SecretRedactor([]).text((error instanceof Error && error.stack) || String(error))
      console.error(`Internal error of the mock. This is a bug; please report it. ${text}`)
    },
  }
}
