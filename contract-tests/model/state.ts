/**
 * What is known of a service: for each organization, and in it for each task, document, notification and key, the
 * possible states, kept as constraints with the events that they rest on. What is not known is not constrained.
 */
import type { Moment } from './event.ts'

/** A value and the event that showed it. */
export interface Fact<T> {
  readonly value: T
  readonly by: number
}

/** Something that happened between two moments; `to` is null where its answer was lost: any time after `from`. */
export interface Span {
  readonly by: number
  readonly from: Moment
  readonly to: Moment | null
}

/** Whether a task was seen finished. */
export interface Reading extends Span {
  readonly to: Moment
  readonly finished: boolean
}

/** A task. */
export interface Task {
  readonly text?: Fact<string> | undefined
  /** Its creation was seen, so that it has run only if `runs` says so. */
  readonly born?: Span | undefined
  /** Runs that were accepted or may have been. */
  readonly runs: readonly Span[]
  readonly readings: readonly Reading[]
}

/** A document: its fields by name. */
export interface Document {
  readonly born?: Span | undefined
  readonly fields: Readonly<Record<string, Fact<string>>>
}

/** A notification is unread, then read for ever. */
export interface Notification {
  /** Seen unread. */
  readonly unread?: Span | undefined
  /** Known to be read from here on. */
  readonly read?: Span | undefined
  /** Requests to mark it that may have had their effect. */
  readonly marks: readonly Span[]
}

/** A key works, then is deleted for ever. */
export interface Key {
  /** The event that created it. */
  readonly born: Span
  readonly id?: string | undefined
  readonly name?: string | undefined
  readonly deletions: readonly Span[]
  readonly deleted?: Span | undefined
}

/** The balance: what it was when it was read, and what may have been taken or given back since. */
export interface Balance {
  /** Fewest and most credits that may be there now; undefined: nobody has looked. */
  readonly least: number | undefined
  readonly most: number | undefined
  /** Paid requests that were accepted or may have been. */
  readonly paid: readonly Span[]
  /** The reading that `least` and `most` rest on. */
  readonly read?: Span | undefined
}

export interface Organization {
  id?: Fact<string> | undefined
  balance: Balance
  readonly tasks: Map<string, Task>
  readonly documents: Map<string, Document>
  readonly notifications: Map<string, Notification>
  /** By the id of the event that created them. */
  readonly keys: Map<number, Key>
  /** Ids of runs and creatives, each with the event that showed it. */
  readonly minted: Map<string, number>
}

export interface State {
  readonly organizations: Map<string, Organization>
  /** How late a list or a balance may show a change, ms. */
  readonly lag: number
}

export function newState(lag = 2_000): State {
  return { organizations: new Map(), lag }
}

function newOrganization(): Organization {
  return {
    balance: { least: undefined, most: undefined, paid: [] },
    tasks: new Map(),
    documents: new Map(),
    notifications: new Map(),
    keys: new Map(),
    minted: new Map(),
  }
}

/** What is known of an organization; at first nothing. */
export function organizationOf(state: State, tenant: string): Organization {
  const known = state.organizations.get(tenant)
  if (known) return known
  const fresh = newOrganization()
  state.organizations.set(tenant, fresh)
  return fresh
}

/** A copy that can be changed apart. */
export function copyOf({ organizations, lag }: State): State {
  const copy = (org: Organization): Organization => ({
    ...org,
    tasks: new Map(org.tasks),
    documents: new Map(org.documents),
    notifications: new Map(org.notifications),
    keys: new Map(org.keys),
    minted: new Map(org.minted),
  })
  return { lag, organizations: new Map([...organizations].map(([name, org]) => [name, copy(org)])) }
}
