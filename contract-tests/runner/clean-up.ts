/** What a run does last: it gives the organization its balance back, and deletes the keys it made, and no others. */
import { field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'

/**
 * Deletes the keys that the run was told of, and those whose names carry its mark: their answer may have been
 * lost. Goes on also where a run was interrupted; ends quietly where the service is gone.
 */
export async function cleanUp(t: TestContext): Promise<void> {
  await restoreBalance(t).catch(() => undefined)
  if (!t.settings.sessionCookie || !t.recorder.asked.has('createKey')) return
  try {
    // A client retries for some seconds; where nobody answers, one look is enough.
    if (t.unreachable !== undefined) await t.target.transport(t.target.baseUrl, hurried(t.settings.timeout))
    for (const { id } of [...t.keys]) if (id !== undefined) await remove(t, id)
    for (const id of await markedKeys(t)) {
      if (t.keys.some((made) => made.id === id)) continue
      t.keys.push({ id, secret: '', others: [], shownBy: 0 })
      await remove(t, id)
    }
  } catch {
    // What is left is in the report.
  }
}

/** Where credits were arranged, the organization is left with what it had, less what the run spent since. */
async function restoreBalance({ balanceBefore, budget, states }: TestContext): Promise<void> {
  if (!balanceBefore) return
  const { org_id, credits, spent } = balanceBefore
  await states.setup('credits', { org_id, credits: Math.max(0, credits - (budget.spent - spent)) })
}

const hurried = (ms: number) => ({ method: 'GET', headers: {}, signal: AbortSignal.timeout(ms) })

/** Ids of the keys in the list that carry the mark of the run. */
async function markedKeys(t: TestContext): Promise<string[]> {
  const list = await t.janitor.call('listKeys')
  const marked = items(list, 'keys').filter((key) => String(field(key, 'name')).includes(`(${t.runId}-`))
  return marked.flatMap((key) => idOf(field(key, 'id')) ?? [])
}

/** Deletes one key; one that is no longer there is as good as deleted. */
async function remove(t: TestContext, id: string): Promise<void> {
  const exchange = await t.janitor.call('deleteKey', { id })
  const at = t.keys.findIndex((made) => made.id === id)
  if ((isAccepted(exchange) || exchange.status === 404) && at >= 0) t.keys.splice(at, 1)
}
