/** The answers of the control routes about organizations, as the views show them. */
import type { ControlAnswers } from '#mocks/edges/admin/index.ts'

/** The mock and its organizations at a glance, as the control route returns them. */
export type Overview = ControlAnswers['GET /overview']

/** An organization in the overview. */
export type OrganizationView = Overview['organizations'][number]

/** One message of the stream of overviews: the organizations that changed, and the ids of all. */
export type OverviewStreamMessage = Overview & { readonly existing: readonly string[] }

/** Everything that one organization has, now or right after a request; every list newest first. */
export type OrganizationState = ControlAnswers['GET /organization']

/** A task of an organization, with its runs. */
export type TaskView = OrganizationState['tasks'][number]

/** One run of a task. */
export type RunView = TaskView['runs'][number]

/** An entry of the ledger, with the balance after it, credits. */
export type LedgerEntryView = OrganizationState['ledger'][number]

/** A row of any resource but tasks and the ledger, with its fields by name. */
export type ResourceRow = Readonly<Record<string, unknown>> & { readonly id: string }
