/** What a run does last: it gives the organization its balance back, and deletes the keys it made, and no others. */
import { field, idOf, isAccepted, items } from './exchange.ts'
import type { Kit } from './kit.ts'

/**
 * Deletes the keys that the run was told of, and those whose names carry its mark: their answer may have been
 * lost. Goes on also where a run was interrupted; ends quietly where the service is gone.
 */
export async function cleanUp(kit: Kit): Promise<void> {
  await restoreBalance(kit).catch(() => undefined)
  if (!kit.settings.sessionCookie || !kit.recorder.asked.has('createKey')) return
  try {
    // A client retries for some seconds; where nobody answers, one look is enough.
    if (kit.unreachable !== undefined)
      await kit.target.transport(kit.target.baseUrl, hurried(kit.settings.timeout))
    for (const { id } of [...kit.keys]) if (id !== undefined) await remove(kit, id)
    for (const id of await markedKeys(kit)) {
      if (kit.keys.some((made) => made.id === id)) continue
      kit.keys.push({ id, secret: '', others: [], shownBy: 0 })
      await remove(kit, id)
    }
  } catch {
    // What is left is in the report.
  }
}

/** Where credits were arranged, the organization is left with what it had, less what the run spent since. */
async function restoreBalance({ balanceBefore, budget, states }: Kit): Promise<void> {
  if (!balanceBefore) return
  const { org_id, credits, spent } = balanceBefore
  await states.setup('credits', { org_id, credits: Math.max(0, credits - (budget.spent - spent)) })
}

const hurried = (ms: number) => ({ method: 'GET', headers: {}, signal: AbortSignal.timeout(ms) })

/** Ids of the keys in the list that carry the mark of the run. */
async function markedKeys(kit: Kit): Promise<string[]> {
  const list = await kit.janitor.call('listKeys')
  const marked = items(list, 'keys').filter((key) => String(field(key, 'name')).includes(`(${kit.runId}-`))
  return marked.flatMap((key) => idOf(field(key, 'id')) ?? [])
}

/** Deletes one key; one that is no longer there is as good as deleted. */
async function remove(kit: Kit, id: string): Promise<void> {
  const exchange = await kit.janitor.call('deleteKey', { id })
  const at = kit.keys.findIndex((made) => made.id === id)
  if ((isAccepted(exchange) || exchange.status === 404) && at >= 0) kit.keys.splice(at, 1)
}
