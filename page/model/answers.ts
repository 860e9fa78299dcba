/** What the control routes answer that the page reads. Times are ISO 8601 in mock time, amounts are credits. */
import type { viewState } from '#mocks/control/history.ts'
import type { OrganizationView, Overview } from '#mocks/control/overview.ts'
import type { Why } from '#mocks/control/why.ts'
import type { Action } from '#mocks/journal/journal.ts'
import type { RequestCopies, RequestRow, RequestView } from '#mocks/journal/view.ts'

export type { ScenarioView as Scenario, Vocabulary } from '#mocks/edges/admin/mock.ts'

/** One request in the list, or what an operator did between two: its number is then no integer. */
export type Row = RequestRow

/** Whether a number is that of a request, and not of something that an operator did. */
export const isRequest = (number: number): boolean => number > 0 && Number.isInteger(number)

/** Returns what an operator did as a row. */
export const rowOfAction = (action: Action): Row => ({
  id: '',
  duration_ms: 0,
  operation: null,
  status: 0,
  error: null,
  reason: null,
  wire: null,
  credits: 0,
  decided_by: 'route',
  ...action,
})

/** An organization at a glance. */
export type OrgView = OrganizationView

/** The overview as the stream has it: organizations that changed, and the ids of all. */
export interface OverviewFrame extends Overview {
  readonly existing: readonly string[]
}

/** Everything that one organization has, now or right after a request; every list newest first. */
export type State = ReturnType<typeof viewState>

/** A task with its runs, newest first. */
export type TaskView = State['tasks'][number]

/** One run of a task. */
export type RunView = TaskView['runs'][number]

/** A change of the balance. */
export type EntryView = State['ledger'][number]

/** A row of any other resource. */
export type Item = Readonly<Record<string, unknown>> & { readonly id: string }

/** One exchange with its reasons. */
export interface ExchangeDetail {
  readonly request: RequestView
  readonly why: Why
  readonly copy: RequestCopies
}
