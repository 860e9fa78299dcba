/** §2, §4: answers that lack a field of every documented shape, or give it another type. */
import type { OperationId } from '#contract/operation.ts'
import { field, onRequest, rewriteSuccess } from '../mutations/reply.ts'
import { type Defect, defectsFor, defectsOf } from './defect.ts'

/** A field, its value (undefined: none), the other requirement that this breaks, and the only variant in which it does. */
type Row = readonly [operation: OperationId, path: string, value: unknown, also?: string, variant?: string]

/** Fields that are left out. */
const missing: Partial<Record<OperationId, string>> = {
  whoami: 'org org.name plan',
  createKey: 'key secret',
  listKeys: 'keys.*.last_used_at keys.*.prefix',
  deleteKey: 'ok',
  listTasks: 'items items.*.status items.*.description',
  createTask: 'task.description task',
  getTask: 'finished',
  runTask: 'status',
  listDocuments: 'items.*.title',
  createDocument: 'item',
  listNotifications: 'unread items.*.read',
  readNotification: 'ok',
  listLeads: 'connected',
  generateCreative: 'url artifactId',
  listLandingPages: 'items',
  createLandingPage: 'version published',
  listCampaigns: 'connected campaigns',
  getWallet: 'balance funding autoRecharge',
  getBilling: 'credits tiers packs',
}

const rows: readonly Row[] = [
  ...Object.entries(missing).flatMap(([operation, paths]) =>
    paths.split(' ').map((path): Row => [operation as OperationId, path, undefined]),
  ),
  ['whoami', 'org.id', ''],
  ['whoami', 'plan', 3],
  ['whoami', 'credits', '25'],
  ['whoami', 'credits', null],
  ['listKeys', 'keys', {}],
  ['deleteKey', 'ok', 'yes'],
  ['listTasks', 'credits', undefined, '', ' (first)'],
  ['listTasks', 'limit', undefined, '', ' (second)'],
  ['listTasks', 'remaining', '12', '', ' (second)'],
  ['createTask', 'task.status', 1],
  ['getTask', 'finished', 'false'],
  ['getTask', 'task.status', ''],
  ['runTask', 'finished', 0, '', ' (first)'],
  ['runTask', 'runId', undefined, '', ' (second)'],
  ['listDocuments', 'items', null],
  ['getDocument', 'item.title', undefined, ' DOC-KEEPS-TITLE'],
  ['listNotifications', 'unread', '2'],
  ['listLeads', 'prospects.*.campaign', undefined, ' LEADS-FIELDS'],
  ['listLeads', 'prospects.*.createdTime', undefined, ' LEADS-FIELDS'],
]

const typeOf = (value: unknown): string => (value === null ? 'null' : value === '' ? 'empty' : typeof value)

export const shapes: readonly Defect[] = [
  ...defectsFor(rows, ([operation, path, value, also = '', variant = '']) => {
    const id = `shape-${operation}-${path.replaceAll('.*', '').replaceAll('.', '-')}`
    const [named, answered] =
      value === undefined
        ? [id, `without ${path}`]
        : [`${id}-${typeOf(value)}`, `${path}: ${JSON.stringify(value)}`]
    return [
      `SHAPE-${operation}${also} ${named}${variant}: ${operation} answers ${answered}.`,
      field(operation, path, () => value),
    ]
  }),
  ...defectsFor(['getInsights', 'getWallet', 'whoami'], (operation) => [
    `SHAPE-${operation} shape-${operation}-list: ${operation} answers a list.`,
    rewriteSuccess((reply) => {
      reply.body = [reply.body]
    }, operation),
  ]),
  ...defectsOf({
    'VARIANT-CONSISTENT variant-mixed: runTask follows the other variant than all other operations.': () =>
      onRequest((request, _, { mock }) => {
        const headers = new Headers(request.headers)
        headers.set('prefer', `variant=${mock.settings.variant === 'first' ? 'second' : 'first'}`)
        return new Request(request, { headers })
      }, 'runTask'),
  }),
]
