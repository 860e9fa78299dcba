/** The answers of the control routes about organizations, as the views show them. */
import type { ControlAnswers } from '#mocks/edges/admin/index.ts'

/** The state of the mock and a summary of each organization, as the control route returns them. */
export type Overview = ControlAnswers['GET /overview']

/** The summary of one organization in the overview. */
export type OrganizationView = Overview['organizations'][number]

/** One message of the stream of overviews: the organizations that changed, and the ids of all that exist. */
export type OverviewStreamMessage = Overview & { readonly existing: readonly string[] }

/** All resources of one organization, now or right after a request; in every list the newest come first. */
export type OrganizationState = ControlAnswers['GET /organization']

/** A task of an organization, with all of its runs. */
export type TaskView = OrganizationState['tasks'][number]

/** One run of a task. */
export type RunView = TaskView['runs'][number]

/** An entry of the ledger, with the balance after it, credits. */
export type LedgerEntryView = OrganizationState['ledger'][number]

/** A row of any other resource than tasks and the ledger, with its fields by name. */
export type ResourceRow = Readonly<Record<string, unknown>> & { readonly id: string }
