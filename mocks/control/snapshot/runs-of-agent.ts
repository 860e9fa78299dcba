/** Which runs the agent executes and which wait, as the tasks say. */
import type { LedgerEntry, Task } from '../../core/resources.ts'
import type { AgentState } from '../../core/state.ts'

/** The agent executes the run that started and has not ended; those that have not started wait in order (§3). */
export function runsOfAgent(
  tasks: readonly Task[],
  ledger: readonly LedgerEntry[],
): Pick<AgentState, 'active' | 'waiting'> {
  const unfinished = tasks.flatMap(({ run }) => (run && !run.ended ? [run] : []))
  if (unfinished.length === 0) return { active: null, waiting: [] }
  const places = new Map(ledger.map(({ id }, place) => [id, place]))
  const waiting = unfinished
    .filter(({ started_at }) => started_at === null)
    .sort((a, b) => (places.get(a.reserve.id) ?? 0) - (places.get(b.reserve.id) ?? 0))
  return {
    active: unfinished.find(({ started_at }) => started_at !== null)?.task_id ?? null,
    waiting: waiting.map(({ task_id }) => task_id),
  }
}
