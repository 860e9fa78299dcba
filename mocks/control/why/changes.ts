/** What one request changed, and what changed before it since the request before: rows as they were and became. */
import type { Change, ChangedResource } from '../../core/changes.ts'
import type { Organization } from '../../core/organization.ts'
import { type Past, pastOf } from '../history/past.ts'
import { viewRow } from '../history/row-view.ts'

/** One changed row. */
export interface ChangeView {
  readonly resource: ChangedResource
  /** Null: it has none, such as the agent. */
  readonly id: string | null
  readonly kind: 'added' | 'changed'
  /** Null: it was added. */
  readonly before: Readonly<Record<string, unknown>> | null
  readonly after: Readonly<Record<string, unknown>>
  /** The fields that differ. */
  readonly fields: readonly string[]
}

/** Changes of rows, and of the credits that can be spent. */
export interface Difference {
  readonly credits: { readonly before: number; readonly after: number }
  readonly changes: readonly ChangeView[]
}

/** What nobody can see. */
const unseen: readonly string[] = ['windows', 'chance'] satisfies ChangedResource[]

/** Returns what changed from one position to another; undefined: it is no longer kept. */
export function differenceBetween(org: Organization, from: number, to: number): Difference | undefined {
  const changes = org.changes.after(from)
  const [before, after] = [pastOf(org, from), pastOf(org, to)]
  if (!changes || !before || !after) return undefined
  const shown = changes.filter(({ number, resource }) => number <= to && !unseen.includes(resource))
  const rows = new Map(shown.map((one) => [one.row, one]))
  const views = [...rows.values()].flatMap((change) => viewChange(change, before, after))
  return { credits: { before: creditsIn(org, before), after: creditsIn(org, after) }, changes: views }
}

/** Changes that a person can do nothing with, such as a value that was set to what it was, are left out. */
function viewChange({ resource, row }: Change, before: Past, after: Past): ChangeView[] {
  const [old, changed] = [before.valueOf(row), after.valueOf(row)]
  if (!changed) return []
  const [was, is] = [old && viewRow(old), viewRow(changed)]
  const fields = Object.keys(is).filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is[name]))
  if (fields.length === 0) return []
  const { id } = is
  const kind = was ? 'changed' : 'added'
  return [{ resource, id: typeof id === 'string' ? id : null, kind, before: was, after: is, fields }]
}

function creditsIn(org: Organization, past: Past): number {
  return past.all(org.ledger.entries).reduce((sum, { amount }) => sum + amount, 0)
}
