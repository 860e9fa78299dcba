/** What a run does last: it deletes the keys that it has made, and no others. */
import { field, idOf, isAccepted, items } from './exchange.ts'
import type { Kit } from './kit.ts'

/**
 * Deletes the keys that the run was told of, and those whose names carry its mark: their answer may have been
 * lost. Goes on also where a run was interrupted; ends quietly where the service is gone.
 */
export async function cleanUp(kit: Kit): Promise<void> {
  if (!kit.settings.sessionCookie || !kit.recorder.asked.has('createKey')) return
  try {
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
