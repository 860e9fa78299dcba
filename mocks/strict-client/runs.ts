/** Runs that surprise: at once, late, behind work that nobody told of, or not a second time (§3). */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '../core/organization.ts'
import type { Task } from '../core/resources.ts'
import type { RunWish } from '../core/tasks.ts'
import { Failure, fail } from '../failure.ts'
import type { Call } from '../handlers/handler.ts'
import type { Chance } from '../world.ts'
import type { Character } from './character.ts'
import { happens, pick } from './draws.ts'

/** How much longer than usual a run takes. */
const lengths = [0, 0, 0.5, 1, 2, 4] as const

/** How long the agent is found busy, ms. */
const otherWork = [150, 800, 1_500] as const

/** Handles a run, or the marking or deletion of what may not be there, in the way of a character. */
export function handleInCharacter(
  chance: () => Chance,
  character: Character,
  operation: OperationId,
  call: Call,
  usual: (call: Call) => object,
): object {
  const task = operation === 'runTask' ? call.org.tasks.get(call.id) : undefined
  if (task?.run?.ended && character.runsOnce) return fail('conflict', 'This task has run; it runs once.')
  const wish = task && (call.wish ?? startle(chance(), call.org, task, call.now))
  const outcome = usual(wish ? { ...call, wish } : call)
  const gone = outcome instanceof Failure && outcome.name === 'not_found'
  return gone && character.forgives && forgivable.has(operation) ? { ok: true } : outcome
}

/** Operations that may just as well say that it is done. */
const forgivable = new Set<OperationId>(['deleteKey', 'readNotification'])

/**
 * Draws how a run goes. The first run of a task may find the agent busy: it is accepted all the same, and starts
 * by itself (§3.3).
 */
function startle(chance: Chance, org: Organization, { run }: Task, now: number): RunWish | undefined {
  if (run && !run.ended) return undefined
  const { duration_ms, progress } = org.runPolicy
  if (!run && org.ledger.solvent && happens(chance, 0.25)) org.agent.busyUntil(now + pick(chance, otherWork))
  return progress === 'time' ? { duration_ms: duration_ms * pick(chance, lengths) } : undefined
}
