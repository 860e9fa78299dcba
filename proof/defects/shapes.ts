/** §2, §4: answers that lack a field of every documented shape, or give it another type. */
import type { OperationId } from '#contract/operation.ts'
import { onRequest, rewriteField, rewriteSuccess } from '../mutations/reply.ts'
import type { Defect } from './defect.ts'

/** A field, its value (undefined: none), and the other requirements that this breaks. */
type Row = readonly [
  operation: OperationId,
  path: string,
  value: unknown,
  also?: readonly string[],
  variant?: Defect['variant'],
]

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

const leads = ['LEADS-FIELDS']

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
  ['listTasks', 'credits', undefined, [], 'first'],
  ['listTasks', 'limit', undefined, [], 'second'],
  ['listTasks', 'remaining', '12', [], 'second'],
  ['createTask', 'task.status', 1],
  ['getTask', 'finished', 'false'],
  ['getTask', 'task.status', ''],
  ['runTask', 'finished', 0, [], 'first'],
  ['runTask', 'runId', undefined, [], 'second'],
  ['listDocuments', 'items', null],
  ['getDocument', 'item.title', undefined, ['DOC-KEEPS-TITLE']],
  ['listNotifications', 'unread', '2'],
  ['listLeads', 'prospects.*.campaign', undefined, leads],
  ['listLeads', 'prospects.*.createdTime', undefined, leads],
]

const fields = rows.map(
  ([operation, path, value, also = [], variant]): Defect => ({
    id: `shape-${operation}-${path.replaceAll('.*', '').replaceAll('.', '-')}${value === undefined ? '' : `-${typeOf(value)}`}`,
    title: `${operation} answers ${value === undefined ? `without ${path}` : `${path}: ${JSON.stringify(value)}`}.`,
    breaks: [`SHAPE-${operation}`, ...also],
    ...(variant ? { variant } : {}),
    mutate: () => rewriteField(path, () => value, operation),
  }),
)

function typeOf(value: unknown): string {
  return value === null ? 'null' : value === '' ? 'empty' : typeof value
}

/** Answers with something other than a JSON object. */
const bodies = (['getInsights', 'getWallet', 'whoami'] as const).map(
  (operation): Defect => ({
    id: `shape-${operation}-list`,
    title: `${operation} answers a list.`,
    breaks: [`SHAPE-${operation}`],
    mutate: () =>
      rewriteSuccess((reply) => {
        reply.body = [reply.body]
      }, operation),
  }),
)

export const shapes: readonly Defect[] = [
  ...fields,
  ...bodies,
  {
    id: 'variant-mixed',
    title: 'runTask follows the other variant than all other operations.',
    breaks: ['VARIANT-CONSISTENT'],
    mutate: () =>
      onRequest((request, _, { mock }) => {
        const headers = new Headers(request.headers)
        headers.set('prefer', `variant=${mock.settings.variant === 'first' ? 'second' : 'first'}`)
        return new Request(request, { headers })
      }, 'runTask'),
  },
]
