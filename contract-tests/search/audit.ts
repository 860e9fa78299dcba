/** The end of a case: waits until everything is over, then looks at all that the case touched, and at old things. */
import type { Draw } from './draw.ts'
import type { Thing } from './inventory.ts'
import type { Step } from './step.ts'

/** Most things of a kind that are read again, and most old ones. */
const most = { touched: 5, old: 2 } as const

/** The steps for one organization, to be done `lag` ms after the last change. */
export function auditOf(d: Draw): Step[] {
  const { inventory, random, tenant, offers } = d
  const touched = (kind: Thing['kind']) =>
    inventory.of(kind, tenant).filter(({ used }) => used === inventory.case)
  const some = (kind: Thing['kind']) => {
    const old = inventory.of(kind, tenant).filter(({ used }) => used < inventory.case)
    return [
      ...touched(kind).slice(-most.touched),
      ...Array.from({ length: most.old }, () => random.pick(old)).filter((one) => one !== undefined),
    ]
  }
  const documents = some('document')
  const folders = new Set(documents.flatMap(({ folder }) => folder ?? []))
  const keys = offers.session(tenant) ? some('key') : []
  return [
    d.call('whoami', { as: 'key' }),
    d.call('listTasks', { as: 'key' }),
    d.call('listNotifications', { as: 'key' }),
    ...some('task').map(({ made }) => d.call('getTask', { as: 'key', of: { made } })),
    ...documents.map(({ made }) => d.call('getDocument', { as: 'key', of: { made } })),
    ...(touched('document').length > 0 ? [d.call('listDocuments', { as: 'key', query: { all: '1' } })] : []),
    ...[...folders].map((folder_id) => d.call('listDocuments', { as: 'key', query: { folder_id } })),
    ...keys.map(({ made }) => d.call('whoami', { as: { made } })),
    ...(keys.length > 0 ? [d.call('listKeys', { as: 'session' })] : []),
    ...(offers.extended && touched('page').length > 0 ? [d.call('listLandingPages')] : []),
  ]
}

/** Waits for the runs of a case to end. */
export function ends(d: Draw): Step[] {
  const touched = d.inventory
    .of('task', d.tenant)
    .filter(({ used, runs }) => used === d.inventory.case && runs > 0)
  return touched.map(({ made }) => d.end({ made }))
}
