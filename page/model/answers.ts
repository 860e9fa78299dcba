/** What the control routes answer that the page reads. Times are ISO 8601 in mock time, amounts are credits. */
import type { OrganizationView, Overview } from '#mocks/control/overview.ts'
import type { ChangeView, Why } from '#mocks/control/why.ts'
import type { RuleReport } from '#mocks/faults/rule.ts'
import type { RequestRow, RequestView } from '#mocks/journal/view.ts'

/** A fault rule with its counts. */
export type Rule = RuleReport

/** A change that a request made. */
export type Change = ChangeView

export type { Why } from '#mocks/control/why.ts'

/** One request in the list. */
export type Row = RequestRow

/** An organization at a glance. */
export type OrgView = OrganizationView

/** Mock time of an organization. */
export type ClockView = OrgView['clock']

/** The overview as the stream has it: organizations that changed, and the ids of all. */
export interface OverviewFrame extends Overview {
  readonly existing: readonly string[]
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

/** A row of any other resource. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** Everything that one organization has, now or right after a request; every list newest first. */
export interface State {
  readonly at: { readonly number: number | null; readonly time: string }
  readonly credits: number
  /** The ids of the tasks that run and wait. */
  readonly agent: { readonly active: string | null; readonly waiting: readonly string[] }
  readonly tasks: readonly TaskView[]
  readonly documents: readonly Item[]
  readonly notifications: readonly Item[]
  readonly keys: readonly Item[]
  readonly creatives: readonly Item[]
  readonly landing_pages: readonly Item[]
  readonly campaigns: readonly Item[]
  readonly prospects: readonly Item[]
  readonly wallet: Readonly<Record<string, unknown>>
  readonly ledger: readonly EntryView[]
}

/** An operation, and what can be done to it. */
export interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  /** Codes that a fault can make it answer. */
  readonly errors: readonly string[]
  /** The status of each. */
  readonly statuses: readonly number[]
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
  readonly others: Vocabulary['wire']
  readonly quirks: readonly { readonly id: string; readonly says: string }[]
}

/** One exchange with its reasons. */
export interface ExchangeDetail {
  readonly request: RequestView
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
