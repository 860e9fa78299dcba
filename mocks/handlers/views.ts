/**
 * Types that handlers take and return; rows as response fields. Names that the specification does not show are choices
 * of the mock.
 */
import type { AnswerOf, BodyOf, FailureOf, OperationId, QueryOf } from '#contract/operation.ts'
import { isoTimeOf } from '../core/clock.ts'
import type { Failure } from '../core/failure.ts'
import { type Organization, visibleKeyPrefixOf } from '../core/organization.ts'
import type * as rows from '../core/resources.ts'
import { type RunOverrides, statusWordOf, taskStatusOf } from '../core/tasks.ts'

/** A documented resource as the mock shows it: its id is a text, and it has further fields. */
type Shown<Documented> = Documented & { readonly id: string } & Readonly<Record<string, unknown>>

/** Converts a task to its form in responses (§2 Task). */
export function viewTask(
  task: rows.Task,
): Shown<AnswerOf<'getTask'>['task']> & { readonly created_at: string } {
  const { run } = task
  const finished_at = run?.ended ? run.ends_at : null
  return {
    id: task.id,
    text: task.text,
    description: task.description,
    status: taskStatusOf(task),
    scheduled_at: isoTimeOf(task.scheduled_at),
    created_at: isoTimeOf(task.created_at),
    updated_at: isoTimeOf(finished_at ?? run?.started_at ?? run?.accepted_at ?? task.created_at),
    started_at: isoTimeOf(run?.started_at ?? null),
    finished_at: isoTimeOf(finished_at),
  }
}

/**
 * Creates a function that converts tasks to their form in responses; provider states may alter the words for statuses.
 */
export function createTaskViewer(org: Organization) {
  const view = (task: rows.Task): ReturnType<typeof viewTask> => ({
    ...viewTask(task),
    status: statusWordOf(org, task),
  })
  return org.overrides.status_words ? view : viewTask
}

/** Converts a key to its form in lists, without its secret (§2 API key). */
export function viewKey(key: rows.Key): Shown<AnswerOf<'listKeys'>['keys'][number]> {
  return {
    id: key.id,
    name: key.name,
    prefix: visibleKeyPrefixOf(key),
    created_at: isoTimeOf(key.created_at),
    last_used_at: isoTimeOf(key.last_used_at),
  }
}

/** Converts a document to its form in responses, with its content (§2 Document). */
export function viewDocument(document: rows.Document): Shown<AnswerOf<'getDocument'>['item']> {
  return { ...viewDocumentInList(document), content_md: document.content_md, summary: document.summary }
}

/** Converts a document to its form in lists, without its content. */
export function viewDocumentInList(
  document: rows.Document,
): Shown<AnswerOf<'listDocuments'>['items'][number]> {
  const { id, title, kind, folder_id } = document
  return { id, title, kind, folder_id, created_at: isoTimeOf(document.created_at) }
}

/** Converts a notification to its form in responses (§2 Notification). */
export function viewNotification(
  notification: rows.Notification,
): Shown<AnswerOf<'listNotifications'>['items'][number]> {
  return { ...notification, created_at: isoTimeOf(notification.created_at) }
}

/** Converts a prospect to its form in responses (§2). */
export function viewProspect({
  id,
  name,
  email,
  phone,
  campaign,
  created_at,
}: rows.Prospect): Shown<AnswerOf<'listLeads'>['prospects'][number]> {
  return { id, name, email, phone, createdTime: isoTimeOf(created_at), campaign }
}

/** Converts a landing page to its form in responses (§2). */
export function viewLandingPage(page: rows.LandingPage) {
  return { ...page, url: `https://${page.subdomain}.sites.example`, created_at: isoTimeOf(page.created_at) }
}

/** Converts a creative to its form in responses: its id, and its URL at an origin (§2). */
export function viewCreative(
  creative: rows.Creative,
  org: Organization,
  origin: string,
): AnswerOf<'generateCreative'> {
  const slot = org.slot === undefined ? '' : `?slot=${org.slot}`
  return {
    url: `${origin}/artifacts/${encodeURIComponent(org.id)}/${encodeURIComponent(creative.id)}.svg${slot}`,
    artifactId: creative.id,
  }
}

/** Converts a campaign to its form in responses, with its moment in ISO 8601. */
export function viewCampaign(campaign: rows.Campaign) {
  return { ...campaign, created_at: isoTimeOf(campaign.created_at) }
}

interface TenantDirectory {
  /** The name of the organization whose credentials are printed at the start. */
  readonly demoName: string
  admit(key: rows.Key, org: Organization): void
  /** Returns the organization with a name, created on first use. */
  organization(name: string): Organization
  otherThan(name: string): string
}

/** A valid, authenticated call of an operation. */
export interface HandlerCall<O extends OperationId = OperationId> {
  readonly org: Organization
  readonly tenants: TenantDirectory
  /** Mock time of the request, ms since the epoch; the organization is settled up to it. */
  readonly now: number
  /** The `:id` of the path, decoded; empty if the path has none. */
  readonly id: string
  readonly body: BodyOf<O>
  readonly query: QueryOf<O>
  readonly url: string
  /** Properties of the requested run or generation, if a fault sets them. */
  readonly runOverrides?: RunOverrides | undefined
}

/** A function that handles a call of an operation: returns a body with the fields of both variants, or a failure. */
export type Handler<O extends OperationId> = (call: HandlerCall<O>) => AnswerOf<O> | Failure<FailureOf<O>>

/** A handler for each operation; a missing one is a type error. */
export type Handlers = { readonly [O in OperationId]: Handler<O> }
