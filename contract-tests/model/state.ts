/**
 * What is known of a service: for each organization, and in it for each task, document, notification and key, the
 * possible states, kept as constraints with the events that they rest on. What is not known is not constrained.
 */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { ModelEvent, Moment } from './event.ts'

export type { Moment }

/** A value and the event that showed it. */
export interface Fact<T> {
  readonly value: T
  readonly by: number
}

/** Something that happened between two moments; `to` is null where its answer was lost: any time after `from`. */
export interface Interval {
  readonly by: number
  readonly from: Moment
  readonly to: Moment | null
}

/** An answer that said whether a task is finished. */
export interface Reading extends Interval {
  readonly to: Moment
  readonly finished: boolean
  readonly status?: string | undefined
  /** By the answer to a run, or by reading the task. */
  readonly said: 'run' | 'task' | 'list'
}

/** A task. */
export interface Task {
  readonly text?: Fact<string> | undefined
  /** Its status before it ever ran. */
  readonly first?: string | undefined
  /** Its creation was seen, so that it has run only if `runs` says so. */
  readonly born?: Interval | undefined
  /** Runs that were accepted or may have been. */
  readonly runs: readonly Interval[]
  /** Requests of other organizations to run one of this id. */
  readonly foreign: readonly Interval[]
  readonly readings: readonly Reading[]
}

/** A document: its texts by the names of their fields. */
export interface Document {
  readonly born?: Interval | undefined
  readonly fields: Readonly<Record<string, Fact<string>>>
  /** Neither the request nor its answer named a folder. */
  readonly isUnfiled?: boolean
}

/** A landing page. */
interface Page {
  readonly born: Interval
  /** The last creation that was answered with it. */
  readonly changed: Interval
  /** As that answer showed it; undefined: it did not, or another may have changed it since. */
  readonly name: string | undefined
}

/** A notification is unread, then read for ever. */
export interface Notification {
  /** The first list that showed it. */
  readonly seen?: Interval | undefined
  /** Last seen unread. */
  readonly unread?: Interval | undefined
  /** Seen read, or marked with success. */
  readonly read?: (Interval & { readonly marked: boolean }) | undefined
  /** Requests to mark it that may have had their effect. */
  readonly marks: readonly Interval[]
  /** Requests of other organizations to mark one of this id. */
  readonly foreign: readonly Interval[]
}

/** A list of notifications. */
export interface Inbox extends Interval {
  readonly to: Moment
  readonly unread: number
  /** What it showed, by id: whether that was unread. */
  readonly shown: ReadonlyMap<string, boolean>
}

/** A key works, then is deleted for ever. */
export interface Key {
  readonly born: Interval
  /** As lists show it; undefined: no answer has told it. */
  readonly id: string | undefined
  readonly name: string | undefined
  /** As an answer showed it first. */
  readonly prefix: Fact<string> | undefined
  /** Requests to delete it that may have had their effect. */
  readonly deletions: readonly Interval[]
  /** Requests of other organizations to delete one of this id. */
  readonly foreign: readonly Interval[]
  /** The deletion that succeeded. */
  readonly deleted?: Interval | undefined
  /** The first answer that it opened. */
  readonly works?: Interval | undefined
  /** The first answer that refused it. */
  readonly dead?: Interval | undefined
}

/** Paid work that was accepted or may have been. */
export interface Paid extends Interval {
  /** The task; undefined: a creative. */
  readonly of: string | undefined
  /** Since when it is known to be over, and how it ended; null: not known. */
  readonly over: Over | null
}

/** The end of paid work. */
export interface Over {
  readonly at: Moment
  /** The answer that showed it. */
  readonly by: number
  /** The final status of the task. */
  readonly status?: string | undefined
  /** Known for certain; `refused`: by the answer, before which its credit may have been taken and given back. */
  readonly ending?: 'kept' | 'failed' | 'refused' | undefined
}

/** A balance that was read or set. */
export interface Base extends Interval {
  readonly to: Moment
  readonly credits: number
}

/** The balance falls by paid work only, and rises by refunds of it only. */
export interface Balance {
  /** The last readings. */
  readonly bases: readonly Base[]
  readonly paid: readonly Paid[]
  /** When a state set it; what was read before, or late after it, tells nothing. */
  readonly set: Interval | undefined
  /** When a state made the next run fail. */
  readonly failing: readonly Failing[]
}

/** From when a state may have made the next run fail, until it was torn down or such a run is over. */
export interface Failing extends Interval {
  /** Since when it was set up for certain. */
  readonly set: Moment
}

/** The final statuses of runs: of those that a state made fail, and of those that none did. */
interface FinalStatuses {
  /** Each after the tenant and a space, since every organization may have words of its own. */
  readonly failed: Set<string>
  readonly ordinary: Set<string>
}

/** A request to create something. */
interface Creating extends Interval {
  readonly operation: OperationId
  /** The name, the title or the text that it asks for; a landing page that exists may be given the name. */
  readonly name: string | undefined
}

/** Times in a row that the same request must be answered 503 for that to be no passing outage. */
export const staysAfter = 4

/** What one organization is known to have. */
export interface Organization {
  id?: Fact<string> | undefined
  balance: Balance
  readonly tasks: Map<string, Task>
  readonly documents: Map<string, Document>
  readonly pages: Map<string, Page>
  readonly notifications: Map<string, Notification>
  /** The last lists of notifications. */
  inboxes: readonly Inbox[]
  /** By the id of the event that created them. */
  readonly keys: Map<number, Key>
  /** The first list of keys, and the first that showed each id. */
  keyList: Interval | undefined
  readonly listedKeys: Map<string, Interval>
  /** Requests to create something of which nobody knows whether they did. */
  creating: readonly Creating[]
  /** Tasks, documents and keys that were created first with a text, by what creates them and that text. */
  readonly named: Map<string, { readonly id: string | undefined; readonly born: Interval }>
  /** `run …`, `creative …`: what was given an id, with the event and the resource. */
  readonly issuedIds: Map<string, Interval & { readonly of: string | undefined }>
  /** By the name of a state: when it was set up, until it was torn down. */
  readonly arranged: Map<string, readonly Interval[]>
  /** The last refusals with 503 of the same request, by what it asks, since another answer to it. */
  readonly unavailable: Map<string, readonly number[]>
  /** The place of the last request to a key route that was accepted; 0: none. */
  served: number
  /** The last answer, if it was a 429, with the place where it came. */
  limited: Fact<number> | undefined
}

/** Whose the text or the id of a task is, which nobody uses by chance. */
export interface Told {
  readonly tenant: string
  readonly born: Interval
}

/** What is known of a service. */
export interface State {
  /** By tenant. */
  readonly organizations: Map<string, Organization>
  /** How late a list or a balance may show a change, ms. */
  readonly consistency: number
  /** How late a refund may follow the end of a run, ms. */
  readonly runTimeout: number
  readonly finalStatuses: FinalStatuses
  /** The texts and the ids of tasks by their lengths, each with the first organizations that used it. */
  readonly told: Map<number, Map<string, readonly Told[]>>
  /** The variant that answers must have; undefined: either. */
  readonly variant: Variant | undefined
  /** The first answer that has the shape of either variant, and of both. */
  readonly variants: { readonly by: number; readonly shown: readonly Variant[] }[]
  /** The first answer with a status of a task that is finished or not, by tenant, status and that. */
  readonly statuses: Map<string, number>
  /** Whose things are: the tenants that created one, by its kind and id. */
  readonly owners: Map<string, readonly string[]>
  /** Creations that were refused and markings, anybody's: the event, by the status or `accepted`, the operation and the name or the id. */
  readonly refused: Map<string, number>
  /** The last events, for what a balance follows from. */
  readonly recent: ModelEvent[]
  /** Requirements that a balance has fitted which could be no other. */
  readonly fitted: Set<string>
}

/** Nothing is known. `consistency`: how late a list or a balance may show a change; `runTimeout`: how late a refund may come; ms. */
export function newState(
  consistency = 2_000,
  runTimeout = 60_000,
  finalStatuses: FinalStatuses = { failed: new Set(), ordinary: new Set() },
  variant?: Variant,
): State {
  const things = { organizations: new Map(), told: new Map(), owners: new Map(), statuses: new Map() }
  const events = { refused: new Map(), recent: [], fitted: new Set<string>() }
  return { consistency, runTimeout, finalStatuses, variant, ...things, variants: [], ...events }
}

/** So many events are remembered, and up to twice as many. */
const mostRecent = 100

/** Remembers an event. Changes `state`. */
export function remember({ recent }: State, event: ModelEvent): void {
  recent.push(event)
  if (recent.length >= 2 * mostRecent) recent.splice(0, mostRecent)
}

/** What is known of an organization; at first nothing. */
export function organizationOf({ organizations }: State, tenant: string): Organization {
  const known = organizations.get(tenant)
  if (known) return known
  const fresh: Organization = {
    balance: { bases: [], paid: [], set: undefined, failing: [] },
    tasks: new Map(),
    documents: new Map(),
    pages: new Map(),
    notifications: new Map(),
    inboxes: [],
    keys: new Map(),
    keyList: undefined,
    listedKeys: new Map(),
    creating: [],
    named: new Map(),
    issuedIds: new Map(),
    arranged: new Map(),
    unavailable: new Map(),
    served: 0,
    limited: undefined,
  }
  organizations.set(tenant, fresh)
  return fresh
}

/** An organization of which nothing is known: of requests that are nobody's. Nothing changes it. */
export const unknownOrganization = organizationOf(newState(), '')
