/** Deletes the keys that the search has made, in both organizations. */
import { type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import { credentialsOf } from './fill-in.ts'
import type { Stage } from './stage.ts'
import type { Tenant } from './step.ts'

/** Deletes what is known to exist, but for the first `kept`, and what has the mark of the run; what remains is named in the report. */
export async function deleteKeys(stage: Stage, tenants: readonly Tenant[], kept = 0): Promise<void> {
  const { t, keys } = stage
  for (const { tenant, id } of keys.splice(kept)) await remove(stage, tenant, id)
  if (!t.recorder.requested.has('createKey')) return
  for (const tenant of tenants) {
    const list = await ask(stage, tenant, 'listKeys')
    for (const key of list ? items(list, 'keys') : []) {
      const id = idOf(field(key, 'id'))
      if (id !== undefined && String(field(key, 'name')).includes(`(${t.runId}-`))
        await remove(stage, tenant, id)
    }
  }
}

async function remove(stage: Stage, tenant: Tenant, id: string): Promise<void> {
  const exchange = await ask(stage, tenant, 'deleteKey', id)
  const isGone = exchange && (exchange.status < 300 || exchange.status === 404)
  if (!isGone) stage.t.keys.push({ id, secret: '', others: [], shownBy: 0 })
}

async function ask(
  { t, wire }: Stage,
  tenant: Tenant,
  operation: 'listKeys' | 'deleteKey',
  resource?: string,
): Promise<Exchange | undefined> {
  const caller = credentialsOf(t, tenant, 'session')
  return wire.send({ operation, tenant, resource, ...caller }).catch(() => undefined)
}
