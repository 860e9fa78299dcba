/**
 * The model's knowledge of a service, by organization and resource: possible states as constraints, with the events
 * that they rest on. Anything unknown is unconstrained.
 */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { ModelEvent, OrderedMoment } from './event.ts'

export type { OrderedMoment }

/** A value and the id of the event that showed it. */
export interface Fact<T> {
  readonly value: T
  readonly eventId: number
}

/**
 * The interval in which a request takes effect, ends included: from its sending to its answer. `to` is null if the
 * answer was lost: it may take effect at any time after `from`.
 */
export interface EffectInterval {
  readonly eventId: number
  readonly from: OrderedMoment
  readonly to: OrderedMoment | null
}

/** The operation whose answer showed a task: a run, the task itself, or a list. */
export type TaskReadingSource = 'run' | 'task' | 'list'

/** The fact that an answer showed a task as finished, with the time, the status and the operation. */
export interface FinishedTaskReading extends EffectInterval {
  readonly to: OrderedMoment
  readonly finished: true
  readonly status?: string | undefined
  readonly source: TaskReadingSource
}

/** The fact that an answer showed a task as not finished, with the operation only, since no rule needs its time. */
export interface UnfinishedTaskReading {
  readonly finished: false
  readonly source: TaskReadingSource
}

/** The fact that an answer showed a task as finished or as not finished. */
export type TaskStatusReading = FinishedTaskReading | UnfinishedTaskReading

/** The knowledge of the model about a task. */
export interface KnownTask {
  readonly text?: Fact<string> | undefined
  /** Its status before it ever ran. */
  readonly initialStatus?: string | undefined
  /** Interval of its creation, if observed: then `runs` holds all its runs. */
  readonly created?: EffectInterval | undefined
  /** Runs that were or may have been accepted. */
  readonly runs: readonly EffectInterval[]
  /** Run requests of other organizations with its id. */
  readonly foreignRequests: readonly EffectInterval[]
  readonly readings: readonly TaskStatusReading[]
}

/** The knowledge of the model about a document, with its texts by field name. */
export interface KnownDocument {
  readonly created?: EffectInterval | undefined
  readonly fields: Readonly<Record<string, Fact<string>>>
  /** True if neither the request that created it nor the answer named a folder. */
  readonly isOutsideFolders?: boolean
}

/** A landing page. */
interface Page {
  readonly created: EffectInterval
  /** The last creation request whose answer contained the page. */
  readonly lastChange: EffectInterval
  /** The page's name in that answer; undefined if it had none or may have changed since. */
  readonly name: string | undefined
}

/**
 * The longest answer of a list so far. If a later one is longer, no cap has cut it, so that it had to show everything
 * older.
 */
interface LongestList extends EffectInterval {
  readonly entries: readonly { readonly id: string }[]
}

/**
 * The knowledge of the model about a notification. It is unread at first, and stays read once it was marked as read.
 */
export interface KnownNotification {
  /** The first list that showed it. */
  readonly firstListed?: EffectInterval | undefined
  /** Last list that showed it unread. */
  readonly lastSeenUnread?: EffectInterval | undefined
  /** First answer that showed it as read, or that accepted a request to mark it. */
  readonly seenRead?: (EffectInterval & { readonly marked: boolean }) | undefined
  /** The first list that showed it as read; `lastListedRead`: the last one. */
  readonly listedRead?: EffectInterval | undefined
  readonly lastListedRead?: EffectInterval | undefined
  /** Requests to mark it as read that may have taken effect. */
  readonly markRequests: readonly EffectInterval[]
  /** Requests to mark it as read that other organizations sent with its id. */
  readonly foreignRequests: readonly EffectInterval[]
}

/** The knowledge about a notification that nothing has shown yet. */
export const emptyNotificationKnowledge: KnownNotification = { markRequests: [], foreignRequests: [] }

/** The unread count and the items that a list of notifications showed. */
export interface NotificationListing extends EffectInterval {
  readonly to: OrderedMoment
  readonly unread: number
  /** Unread state of each listed notification, by id. */
  readonly shown: ReadonlyMap<string, boolean>
}

/** The knowledge of the model about a key, which works until it is deleted and never again after that. */
export interface KnownKey {
  readonly created: EffectInterval
  /** Id in lists; undefined if no answer showed it. */
  readonly id: string | undefined
  readonly name: string | undefined
  /** Prefix in the first answer that showed it. */
  readonly prefix: Fact<string> | undefined
  /** True if the answer to its creation has one text alone that may be the bearer token. */
  readonly hasOneText: boolean
  /** Deletion requests that may have taken effect. */
  readonly deletionRequests: readonly EffectInterval[]
  /** Deletion requests of other organizations with its id. */
  readonly foreignRequests: readonly EffectInterval[]
  /** The deletion that succeeded. */
  readonly deleted?: EffectInterval | undefined
  /** The first answer that accepted the key; `accepted`: the last one. */
  readonly firstAccepted?: EffectInterval | undefined
  readonly accepted?: EffectInterval | undefined
  /** True once a request was sent with it, whatever the answer. */
  readonly isRequested?: true | undefined
  /** Its `last_used_at` in the first list that showed the key, if no request had used the key before. */
  readonly shownUnused?: Fact<unknown> | undefined
  /** The first answer that refused the key, by operation. */
  readonly rejected?: ReadonlyMap<OperationId, EffectInterval> | undefined
}

/** A charge for paid work that was or may have been accepted. */
export interface Charge extends EffectInterval {
  /** Task of a run; undefined for a creative. */
  readonly taskId: string | undefined
  /** Completion of the work, if known. */
  readonly completion: PaidWorkCompletion | null
}

/** The end of paid work, and whether its credit was kept or refunded. */
export interface PaidWorkCompletion {
  readonly completedAt: OrderedMoment
  /** The answer that showed it. */
  readonly eventId: number
  /** The final status of the task. */
  readonly status?: string | undefined
  /**
   * The outcome, if it is certain. `refused`: the work was refused; its credit may have been taken and returned before
   * the answer.
   */
  readonly outcome?: 'kept' | 'failed' | 'refused' | undefined
}

/** A balance that an answer showed or a provider state set. */
export interface BalanceReading extends EffectInterval {
  readonly to: OrderedMoment
  readonly credits: number
}

/** The knowledge of the model about a balance, which only paid work lowers, and only refunds of that work raise. */
export interface KnownBalance {
  /** The latest readings. */
  readonly readings: readonly BalanceReading[]
  readonly charges: readonly Charge[]
  /** Interval of the last provider state that set the balance. Earlier or delayed readings are ignored. */
  readonly lastSet: EffectInterval | undefined
  /** Provider states that made a run fail. */
  readonly arrangedFailures: readonly ArrangedFailure[]
}

/** The interval in which a provider state may make the next run fail. */
export interface ArrangedFailure extends EffectInterval {
  /** Moment from which the state is certainly in force. */
  readonly setUpAt: OrderedMoment
}

/** The final statuses of runs: of those that a state made fail, and of those that none did. */
interface FinalStatuses {
  /** Entries are `tenant status`, since every organization may have its own words. */
  readonly failed: Set<string>
  readonly ordinary: Set<string>
}

/** A request to create something, whose outcome is unknown. */
interface PendingCreation extends EffectInterval {
  readonly operation: OperationId
  /** The name, the title or the text that it asks for; a landing page that exists may be given the name. */
  readonly name: string | undefined
}

/** The creations that used the same name or text: the first, with its id, and the last. */
export interface CreationsByName {
  readonly id: string | undefined
  readonly created: EffectInterval
  readonly last: EffectInterval
}

/** The number of consecutive 503 answers to the same request that count as more than a passing outage. */
export const minConsecutive503 = 4

/** The knowledge of the model about one organization. */
export interface KnownOrganization {
  id?: Fact<string> | undefined
  balance: KnownBalance
  readonly tasks: Map<string, KnownTask>
  readonly documents: Map<string, KnownDocument>
  /** The first document in each folder. */
  readonly folders: Map<string, EffectInterval>
  readonly pages: Map<string, Page>
  readonly notifications: Map<string, KnownNotification>
  /** The last lists of notifications. */
  notificationListings: readonly NotificationListing[]
  /** The created keys, by the id of the event that created each. */
  readonly keys: Map<number, KnownKey>
  /** The first list of keys, and the first that showed each id. */
  firstKeyList: EffectInterval | undefined
  readonly listedKeys: Map<string, EffectInterval>
  /** The longest answer of each list, the latest among equals, by operation and query. */
  readonly longestLists: Map<string, LongestList>
  /** Creation requests with an unknown outcome. */
  pendingCreations: readonly PendingCreation[]
  /** The creations that used a name or text, by operation and that text. */
  readonly createdNames: Map<string, CreationsByName>
  /** Ids of runs and creatives (`run ID`, `creative ID`), with the event and the task. */
  readonly issuedIds: Map<string, EffectInterval & { readonly of: string | undefined }>
  /** Intervals of provider states, by name. */
  readonly arrangedStates: Map<string, readonly EffectInterval[]>
  /** Consecutive 503 answers by request signature. */
  readonly recentUnavailable: Map<string, readonly number[]>
  /** Position (`seq`) of the last successful request to a key route; 0 if none. */
  lastServedSeq: number
  /** Position (`seq`) of the latest answer, if it was a 429; undefined otherwise. */
  lastRateLimit: Fact<number> | undefined
}

/** The organization that first used a distinctive text or id, and when. */
export interface TextOwnership {
  readonly tenant: string
  readonly created: EffectInterval
}

/** A request that changes a resource with an id, and whether it was accepted. */
export interface RequestOutcome {
  readonly eventId: number
  /** Null: the organization of the sender is unknown. */
  readonly tenant: string | null
  readonly status: number
  readonly isRefused: boolean
}

/** The knowledge of the model about a service, by organization. */
export interface ModelState {
  /** What is known of each organization, by tenant. */
  readonly organizations: Map<string, KnownOrganization>
  /** The longest delay of a change in a list or a balance, ms. */
  readonly consistency: number
  /** The longest delay of a refund after the end of a run, ms. */
  readonly runTimeout: number
  readonly finalStatuses: FinalStatuses
  /** Distinctive texts and ids of tasks by length, with the organizations that used them first. */
  readonly knownTexts: Map<number, Map<string, readonly TextOwnership[]>>
  /** Required response variant; undefined allows both. */
  readonly variant: Variant | undefined
  /** First answer with the shape of each variant, and of both. */
  readonly shownVariants: { readonly eventId: number; readonly shown: readonly Variant[] }[]
  /** The first event that showed a task with a status and a value of `finished`, by tenant and both. */
  readonly firstByStatus: Map<string, number>
  /** Tenants that created a resource, or to which a task or a document was shown that they had not created, by its kind and id. */
  readonly owners: Map<string, readonly string[]>
  /**
   * Creations of any tenant that were refused and must have no effect, by operation, status and the name that they
   * asked for.
   */
  readonly refusedCreations: Map<OperationId, Map<number, Map<string, EffectInterval>>>
  /** Outcomes of requests to mark a notification as read, by its id; two organizations may use the same ids. */
  readonly marks: Map<string, readonly RequestOutcome[]>
  /** Outcomes of deletions of keys by the id in the path, which no key may have. */
  readonly keyDeletions: Map<string, readonly RequestOutcome[]>
  /** Position (`seq`) of the last request of each operation that was sent by an unknown organization. */
  readonly lastUnowned: Map<OperationId, number>
  /** Odd texts of tasks and documents, by the operation that reads them and the id. */
  readonly oddTexts: Map<string, Fact<string>>
  /** The latest events: those since the last balance show what changed it. */
  readonly recentEvents: ModelEvent[]
  /** Requirements that a balance has confirmed, since only one explanation fits it. */
  readonly confirmedRequirements: Set<string>
}

/**
 * Creates a model state without knowledge. `consistency` and `runTimeout`: how late lists, balances and refunds may
 * be, ms.
 */
export function createModelState(
  consistency = 2_000,
  runTimeout = 60_000,
  finalStatuses: FinalStatuses = { failed: new Set(), ordinary: new Set() },
  variant?: Variant,
): ModelState {
  const things = {
    organizations: new Map(),
    knownTexts: new Map(),
    owners: new Map(),
    firstByStatus: new Map(),
    lastUnowned: new Map(),
    oddTexts: new Map(),
    marks: new Map(),
    keyDeletions: new Map(),
  }
  const events = { refusedCreations: new Map(), recentEvents: [], confirmedRequirements: new Set<string>() }
  return { consistency, runTimeout, finalStatuses, variant, ...things, shownVariants: [], ...events }
}

/** Minimum number of remembered events; trimmed at twice as many. */
const maxRecentEvents = 100

/** Keeps an event among the recent ones of the model. */
export function rememberEvent({ recentEvents }: ModelState, event: ModelEvent): void {
  recentEvents.push(event)
  if (recentEvents.length >= 2 * maxRecentEvents) recentEvents.splice(0, maxRecentEvents)
}

/** The knowledge of the model about an organization, which is added to the state on first use. */
export function getOrCreateKnownOrganization(
  { organizations }: ModelState,
  tenant: string,
): KnownOrganization {
  const known = organizations.get(tenant)
  if (known) return known
  const fresh: KnownOrganization = {
    balance: { readings: [], charges: [], lastSet: undefined, arrangedFailures: [] },
    tasks: new Map(),
    documents: new Map(),
    folders: new Map(),
    pages: new Map(),
    notifications: new Map(),
    notificationListings: [],
    keys: new Map(),
    firstKeyList: undefined,
    listedKeys: new Map(),
    longestLists: new Map(),
    pendingCreations: [],
    createdNames: new Map(),
    issuedIds: new Map(),
    arrangedStates: new Map(),
    recentUnavailable: new Map(),
    lastServedSeq: 0,
    lastRateLimit: undefined,
  }
  organizations.set(tenant, fresh)
  return fresh
}

/**
 * The knowledge about an organization of which nothing is known, for requests without a valid credential; it never
 * changes.
 */
export const emptyOrganization = getOrCreateKnownOrganization(createModelState(), '')
