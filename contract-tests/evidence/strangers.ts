/** Other clients of the organization, noticed by tasks that nothing else explains. */
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'

/** Whether activity of others was seen in the organization so far, in any way. */
export function seesStrangers({ run, recorder }: TestContext): boolean {
  run.disturbed ||= showsStrangers(recorder.exchanges)
  return run.disturbed
}

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
