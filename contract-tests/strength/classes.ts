/** The verdict of the specification on each mutant, written down before any is run. The first row that fits decides. */
import type { OperationId } from '#contract/operation.ts'
import type { FieldOperatorName } from './fields.ts'

/**
 * Whether the specification allows an altered answer (a mutant): a run must notice a `forbidden` one, may notice an
 * `arguable` one, and must not object to a `legal` one.
 */
export type MutantLegality = 'forbidden' | 'arguable' | 'legal'

/**
 * The name of a change to requests: they have no effect, get the first answer, are sent twice, or are sent again later.
 */
type RequestOperatorName = 'dropped' | 'cached' | 'doubled' | 'replayed'

/** A field of the answers of an operation, or its requests, and the operator that changes them. */
type Mutated = { readonly operation: OperationId } & (
  | { readonly path: string; readonly operator: FieldOperatorName }
  | { readonly path: null; readonly operator: RequestOperatorName }
)

interface Verdict {
  readonly is: MutantLegality
  readonly because: string
}

interface Row extends Verdict {
  /** Undefined: all. */
  readonly operations?: readonly OperationId[]
  /** Undefined: all. */
  readonly operators?: readonly Mutated['operator'][]
}

/** `fields`: ends of the paths of fields, such as `org.name`; undefined: all. */
type FieldRow = Row & { readonly fields?: readonly string[] }

const openValues = '#task-fields, #org-plan, #org-name, #usage-numbers'
const openFields = ['description', 'plan', 'org.name', 'usedToday', 'limit', 'remaining']
const byOthers = 'another client could have done it too'

/** Extended operations that only read. */
const extendedReads = ['listLeads', 'listCampaigns', 'getInsights', 'getWallet', 'getBilling'] as const
const landingPages = ['createLandingPage', 'listLandingPages'] as const
const documentOptions = ['content_md', 'summary', 'folder_id']
const creations = ['createKey', 'createTask', 'createDocument', 'createLandingPage'] as const
const reads = [
  'whoami',
  'listTasks',
  'getTask',
  'listDocuments',
  'getDocument',
  'listKeys',
  'listNotifications',
  'listLandingPages',
  ...extendedReads,
] as const

const legal = (because: string, row: Omit<FieldRow, keyof Verdict>) =>
  ({ is: 'legal', because, ...row }) as const
const arguable = (because: string, row: Omit<FieldRow, keyof Verdict>) =>
  ({ is: 'arguable', because, ...row }) as const
const forbidden = (because: string, row: Omit<FieldRow, keyof Verdict>) =>
  ({ is: 'forbidden', because, ...row }) as const

const fieldRows: readonly FieldRow[] = [
  // Fields whose values are open.
  legal(openValues, { fields: openFields, operators: ['swapped', 'stale', 'off by one'] }),
  legal('#key-last-used', { fields: ['last_used_at'], operators: ['stale', 'off by one'] }),
  legal(openValues, { fields: openFields, operators: ['constant', 'emptied'] }),
  forbidden('#prospect-fields, #opaque-objects', { operations: extendedReads, operators: ['dropped'] }),
  arguable('#prospect-fields, #opaque-objects', { operations: extendedReads }),
  legal('#landing-page-fields', {
    operations: landingPages,
    fields: ['version', 'published'],
    operators: ['emptied', 'constant', 'constant false', 'swapped', 'stale'],
  }),
  arguable('#landing-page-fields', {
    operations: landingPages,
    operators: ['off by one', 'swapped', 'stale', 'constant'],
  }),
  arguable('#document-kinds: the suite sends none', { fields: ['kind'] }),
  arguable('#key-value: a string or an object', {
    fields: ['key'],
    operators: ['constant', 'swapped', 'stale'],
  }),
  arguable('#key-value', { fields: ['key'], operators: ['emptied'] }),
  arguable('#key-last-used: the format is open', { operations: ['listKeys'], fields: ['last_used_at'] }),
  // Lists of documents may omit fields, and answers to a creation need not show all.
  arguable('#document-item: lists may omit both', { operations: ['listDocuments'], fields: documentOptions }),
  arguable('#create-document', {
    operations: ['createDocument'],
    fields: documentOptions,
    operators: ['dropped', 'emptied', 'stale'],
  }),
  arguable('#document-input: a folder may be unknown', {
    operations: ['createDocument', 'getDocument'],
    fields: ['folder_id'],
  }),
  // Lists may be capped, and come in any order.
  arguable('#list-contents: the length is open, of more than one', {
    fields: ['items', 'keys'],
    operators: ['off by one'],
  }),
  arguable('#real-deployments: a list may be a moment late', {
    fields: ['items', 'keys'],
    operators: ['swapped'],
  }),
  // Whole things. A creation is answered with a thing of its own, so that nothing is stale there.
  legal('it is said of each thing once', {
    operations: creations,
    fields: ['task', 'item'],
    operators: ['stale'],
  }),
  legal('it does not change', { operations: ['getDocument'], fields: ['item'], operators: ['stale'] }),
  arguable('#status-names: other statuses are open', {
    operations: ['getTask'],
    fields: ['task'],
    operators: ['stale'],
  }),
  arguable('#creative-cost: nobody can tell whose result is there', {
    operations: ['generateCreative'],
    fields: ['url'],
    operators: ['swapped', 'stale'],
  }),
  // Each run and creative has an id of its own.
  forbidden('#run-names-itself', {
    operations: ['runTask'],
    fields: ['runId', 'taskId'],
    operators: ['swapped', 'stale', 'constant'],
  }),
  forbidden('#creative-fields', { operations: ['generateCreative'] }),
  // A field that never changes for the same thing.
  legal('it does not change', {
    fields: ['id', 'folder_id', 'text', 'title', 'content_md', 'summary', 'name', 'prefix'],
    operators: ['stale'],
  }),
  legal('it is true in every success', { fields: ['ok'], operators: ['constant', 'swapped', 'stale'] }),
  arguable('another client could have changed it and changed it back', {
    operations: ['whoami'],
    fields: ['credits'],
    operators: ['swapped'],
  }),
  legal('new tasks are alike', {
    operations: ['createTask'],
    fields: ['status'],
    operators: ['swapped', 'stale'],
  }),
  arguable('#status-names: a new task may have a status of its own', {
    operations: ['createTask'],
    fields: ['status'],
    operators: ['constant'],
  }),
  arguable('#status-names: that at acceptance is open', {
    operations: ['runTask'],
    fields: ['status'],
    operators: ['swapped', 'stale', 'constant'],
  }),
  arguable('#run-task: it was so at acceptance', {
    operations: ['runTask'],
    fields: ['finished'],
    operators: ['constant false', 'swapped', 'stale'],
  }),
  arguable('#other-transitions', {
    operations: ['getTask', 'listTasks'],
    fields: ['status'],
    operators: ['swapped'],
  }),
  arguable('tasks that are alike agree', {
    operations: ['getTask'],
    fields: ['finished'],
    operators: ['swapped'],
  }),
  forbidden('#key-name, #key-prefix', {
    operations: ['listKeys'],
    fields: ['prefix', 'name'],
    operators: ['swapped'],
  }),
  arguable('#notification-list: a list may be capped', {
    operations: ['listNotifications'],
    fields: ['unread'],
    operators: ['off by one'],
  }),
  arguable('notifications that are alike agree', {
    operations: ['listNotifications'],
    fields: ['read', 'unread'],
    operators: ['swapped'],
  }),
]

const requestRows: readonly Row[] = [
  arguable(byOthers, { operations: ['generateCreative'], operators: ['replayed'] }),
  forbidden('#creative-fields', { operations: ['generateCreative'] }),
  arguable('#rate-limit: it counts towards the limit of the key that sent it', {
    operations: ['whoami', 'listTasks', 'listDocuments', 'listNotifications'],
    operators: ['doubled', 'replayed'],
  }),
  legal('reading has no effect', { operations: reads, operators: ['doubled', 'replayed'] }),
  arguable('#error-unavailable: a cache answers during an outage too', {
    operations: ['getDocument'],
    operators: ['cached'],
  }),
  arguable('nothing changes them, but a cache is up in an outage', { operations: extendedReads }),
  arguable('#list-landing-pages: a SHOULD', { operations: ['listLandingPages'] }),
  legal('#notification-marking', { operations: ['readNotification'], operators: ['doubled', 'replayed'] }),
  legal('#status-404: deleting a key that is gone', { operations: ['deleteKey'], operators: ['replayed'] }),
  forbidden('#success-status: the second is answered 404', {
    operations: ['deleteKey'],
    operators: ['doubled'],
  }),
  arguable(byOthers, { operations: [...creations, 'runTask'], operators: ['doubled', 'replayed'] }),
  arguable('#landing-page-fields: a site may be updated', {
    operations: ['createLandingPage'],
    operators: ['dropped'],
  }),
  arguable('the address names the thing, not the request', {
    operations: [...creations, 'runTask', 'deleteKey', 'readNotification'],
    operators: ['cached'],
  }),
]

const fits = ({ operations, operators }: Row, { operation, operator }: Mutated): boolean =>
  (operations?.includes(operation) ?? true) && (operators?.includes(operator) ?? true)

const isAt = ({ fields }: FieldRow, path: string): boolean =>
  fields?.some((field) => path === field || path.endsWith(`.${field}`)) ?? true

/**
 * Classifies a mutant by the specification; returns the class with the reason: `legal`, `arguable`, or `forbidden`,
 * also if no row fits.
 */
export function classifyMutant(mutated: Mutated): Verdict {
  const { path } = mutated
  const row =
    path === null
      ? requestRows.find((one) => fits(one, mutated))
      : fieldRows.find((one) => fits(one, mutated) && isAt(one, path))
  return row ?? { is: 'forbidden', because: 'no rule leaves it open' }
}
