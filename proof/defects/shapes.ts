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

const leads = ['LEADS-FIELDS']

const rows: readonly Row[] = [
  ['whoami', 'org', undefined],
  ['whoami', 'org.id', ''],
  ['whoami', 'org.name', undefined],
  ['whoami', 'plan', undefined],
  ['whoami', 'plan', 3],
  ['whoami', 'credits', '25'],
  ['whoami', 'credits', null],
  ['createKey', 'key', undefined],
  ['createKey', 'secret', undefined],
  ['listKeys', 'keys', {}],
  ['listKeys', 'keys.*.last_used_at', undefined],
  ['listKeys', 'keys.*.prefix', undefined],
  ['deleteKey', 'ok', undefined],
  ['deleteKey', 'ok', 'yes'],
  ['listTasks', 'items', undefined],
  ['listTasks', 'items.*.status', undefined],
  ['listTasks', 'items.*.description', undefined],
  ['listTasks', 'credits', undefined, [], 'first'],
  ['listTasks', 'limit', undefined, [], 'second'],
  ['listTasks', 'remaining', '12', [], 'second'],
  ['createTask', 'task.description', undefined],
  ['createTask', 'task.status', 1],
  ['createTask', 'task', undefined],
  ['getTask', 'finished', undefined],
  ['getTask', 'finished', 'false'],
  ['getTask', 'task.status', ''],
  ['runTask', 'status', undefined],
  ['runTask', 'finished', 0, [], 'first'],
  ['runTask', 'runId', undefined, [], 'second'],
  ['listDocuments', 'items', null],
  ['listDocuments', 'items.*.title', undefined],
  ['getDocument', 'item.title', undefined, ['DOC-KEEPS-TITLE']],
  ['createDocument', 'item', undefined],
  ['listNotifications', 'unread', undefined],
  ['listNotifications', 'unread', '2'],
  ['listNotifications', 'items.*.read', undefined],
  ['readNotification', 'ok', undefined],
  ['listLeads', 'connected', undefined],
  ['listLeads', 'prospects.*.campaign', undefined, leads],
  ['listLeads', 'prospects.*.createdTime', undefined, leads],
  ['generateCreative', 'url', undefined],
  ['generateCreative', 'artifactId', undefined],
  ['listLandingPages', 'items', undefined],
  ['createLandingPage', 'version', undefined],
  ['createLandingPage', 'published', undefined],
  ['listCampaigns', 'connected', undefined],
  ['listCampaigns', 'campaigns', undefined],
  ['getWallet', 'balance', undefined],
  ['getWallet', 'funding', undefined],
  ['getWallet', 'autoRecharge', undefined],
  ['getBilling', 'credits', undefined],
  ['getBilling', 'tiers', undefined],
  ['getBilling', 'packs', undefined],
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
