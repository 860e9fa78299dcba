/** What the control routes answer that the page reads. Times are ISO 8601 in mock time, amounts are credits. */
import type { Variant } from '#contract/route.ts'

/** What decided an answer. */
export type Stage =
  | 'authentication'
  | 'route'
  | 'preference'
  | 'fault'
  | 'rate_limit'
  | 'availability'
  | 'extended_set'
  | 'input'
  | 'text'
  | 'state'
  | 'bug'

/** One request in the list. */
export interface Row {
  /** Number among all requests of the mock, from 1. */
  readonly number: number
  readonly id: string
  readonly at: string
  readonly duration_ms: number
  readonly org_id: string | null
  readonly operation: string | null
  readonly method: string
  /** With the query. */
  readonly path: string
  /** 0: no answer was sent. */
  readonly status: number
  readonly error: string | null
  readonly reason: string | null
  readonly wire: string | null
  readonly decided_by: Stage
}

/** Mock time. */
export interface ClockView {
  readonly now: string
  readonly frozen: boolean
  readonly following: boolean
}

/** The agent of an organization. */
export interface AgentView {
  readonly state: 'idle' | 'busy' | 'other_work'
  readonly task_id: string | null
  readonly run_id: string | null
  readonly ends_at: string | null
  readonly free_at: string | null
  readonly queue: readonly { readonly task_id: string; readonly run_id: string; readonly text: string }[]
}

/** How much of a rate limit a credential has used. */
export interface LimitView {
  /** The id of a key, or `session`. */
  readonly credential: string
  readonly used: number
  readonly limit: number
  readonly opened_at: string
  readonly resets_at: string
}

/** One organization at a glance. */
export interface OrgView {
  readonly org_id: string
  readonly name: string
  /** The part of its key after `wak_test_`. */
  readonly key_name: string
  readonly api_key: string
  readonly session_cookie: string
  readonly credits: number
  readonly reserved: number
  readonly agent: AgentView
  readonly limits: readonly LimitView[]
  readonly limit: { readonly limit: number; readonly window_ms: number } | null
  readonly unread: number
  readonly variant: Variant | 'mixed'
  readonly extended: boolean
  readonly clock: ClockView
  readonly next_event: string | null
  readonly overrides: {
    readonly next_run_fails: boolean
    readonly next_creative_fails: boolean
    readonly unavailable: boolean
  }
  readonly counts: Readonly<Record<string, number>>
  readonly requests: number
}

/** The mock at a glance. */
export interface MockView {
  readonly now: string
  readonly frozen: boolean
  readonly seed: string
  readonly variant: Variant
  readonly extended: boolean
  readonly scenario: string | null
  readonly strict_client: string | null
  readonly chaos: number | null
  readonly version: string
  readonly organizations: number
}

/** The mock and its organizations. */
export interface Overview {
  readonly mock: MockView
  readonly organizations: readonly OrgView[]
  readonly faults_changed: number
}

/** One run of a task. */
export interface RunView {
  readonly id: string
  readonly accepted_at: string
  readonly started_at: string | null
  readonly ends_at: string | null
  readonly ended: boolean
  readonly outcome: 'completed' | 'failed' | null
  readonly refunded: boolean
  readonly waited_ms: number | null
}

/** A task with its runs, newest first. */
export interface TaskView {
  readonly id: string
  readonly text: string
  readonly description: string | null
  readonly status: string
  readonly created_at: string
  readonly runs: readonly RunView[]
}

/** A change of the balance. */
export interface EntryView {
  readonly id: string
  readonly at: string
  readonly kind: 'top_up' | 'reserve' | 'refund'
  readonly amount: number
  readonly balance: number
  readonly subject: string | null
  readonly request_id: string | null
}

/** The ledger of an organization; entries oldest first. */
export interface LedgerView {
  readonly balance: number
  readonly reserved: number
  readonly spent: number
  readonly refunded: number
  readonly added: number
  readonly entries: readonly EntryView[]
}

/** A row of any other resource. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** Everything about one organization, now or right after a request. */
export interface Organization {
  readonly at: { readonly number: number | null; readonly time: string }
  readonly org: OrgView
  readonly tasks: readonly TaskView[]
  readonly documents: readonly Item[]
  readonly notifications: readonly Item[]
  readonly keys: readonly Item[]
  readonly creatives: readonly Item[]
  readonly landing_pages: readonly Item[]
  readonly campaigns: readonly Item[]
  readonly prospects: readonly Item[]
  readonly wallet: Readonly<Record<string, unknown>>
  readonly ledger: LedgerView
}

/** A fault rule with its counts. */
export interface Rule {
  readonly id: string
  readonly operation: string | null
  readonly org_id: string | null
  readonly faults: readonly string[]
  readonly times: number | null
  readonly rate: number
  readonly after: number
  readonly matched: number
  readonly fired: number
  readonly remaining: number | null
  /** The rule in the grammar of `--fault`. */
  readonly text: string
}

/** An operation, and what can be done to it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Codes that a fault can make it answer. */
  readonly errors: readonly string[]
  readonly set: string
  readonly auth: 'key' | 'cookie'
  readonly cost: number
  readonly summary: string
  readonly body: readonly string[]
}

/** The words of the mock. */
export interface Vocabulary {
  readonly operations: readonly Operation[]
  readonly wire: readonly { readonly word: string; readonly says: string }[]
  readonly words: readonly string[]
  readonly quirks: readonly { readonly id: string; readonly says: string }[]
}

/** A change that a request made. */
export interface Change {
  readonly resource: string
  readonly id: string
  readonly kind: 'added' | 'changed'
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>> | null
  readonly fields: readonly string[]
}

/** Why an answer is what it is. */
export interface Why {
  readonly decided_by: Stage
  readonly sentence: string
  readonly rule: { readonly id: string; readonly fault: string; readonly remaining: number | null } | null
  readonly origin: 'rule' | 'prefer' | 'magic' | null
  readonly quirks: readonly string[]
  readonly variant: Variant
  readonly credits: { readonly before: number; readonly after: number } | null
  readonly changes: readonly Change[]
  readonly earlier: readonly Change[]
  readonly complete: boolean
  readonly specification: readonly {
    readonly anchor: string
    readonly section: string
    readonly sentence: string
  }[]
}

/** One side of an exchange. */
interface Message {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One exchange with its reasons. */
export interface ExchangeDetail {
  readonly request: Omit<Row, 'method' | 'path' | 'decided_by'> & {
    readonly key_id: string | null
    readonly variant: Variant
    readonly request: Message & { readonly method: string; readonly url: string }
    readonly answer: Message
  }
  readonly why: Why
  /** Texts for the clipboard, with variables in place of secrets. */
  readonly copy: { readonly curl: string; readonly typescript: string; readonly har: string }
}

/** A scenario. */
export interface Scenario {
  readonly id: string
  readonly title: string
  readonly shows: string
  readonly options: Readonly<Record<string, unknown>>
  readonly expects: readonly string[]
}
