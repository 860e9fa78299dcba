/** Other clients of the organization, noticed by tasks that nothing else explains. Pure. */
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import { createdId } from '../harness/created.ts'

/** Whether a later list of tasks shows one that neither the first list had nor the run has created. */
export function showsStrangers(exchanges: readonly Exchange[]): boolean {
  const known = new Map<string, Set<string>>()
  const created = new Set(exchanges.map(createdId))
  for (const one of exchanges) {
    if (one.operation !== 'listTasks' || !isAccepted(one)) continue
    const ids = items(one).flatMap((item) => idOf(field(item, 'id')) ?? [])
    const before = known.get(one.caller)
    if (before === undefined) known.set(one.caller, new Set(ids))
    else if (ids.some((id) => !before.has(id) && !created.has(id))) return true
  }
  return false
}
