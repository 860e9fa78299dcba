/** Runs that quirk: at once, late, behind work that nobody told of, or not a second time (§3). */
import type { OperationId } from '#contract/operation.ts'
import { Failure, fail } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { SeededRandom } from '../core/random.ts'
import type { Task } from '../core/resources.ts'
import type { RunOverrides } from '../core/tasks.ts'
import type { Call } from '../handlers/handler.ts'
import { happens, pick } from './draws.ts'
import type { QuirkProfile } from './quirk-profile.ts'

/** How much longer than usual a run takes. */
const lengths = [0, 0, 0.5, 1, 2, 4] as const

/** How long the agent is found busy, ms. */
const otherWork = [150, 800, 1_500] as const

/** Handles a run, or the marking or deletion of what may not be there, in the way of a character. */
export function handleWithQuirks(
  random: () => SeededRandom,
  profile: QuirkProfile,
  operation: OperationId,
  call: Call,
  usual: (call: Call) => object,
): object {
  const task = operation === 'runTask' ? call.org.tasks.get(call.id) : undefined
  if (task?.run?.ended && profile.runsOnce) return fail('conflict', 'This task has run; it runs once.')
  const runOverrides = task && (call.runOverrides ?? startle(random(), call.org, task, call.now))
  const outcome = usual(runOverrides ? { ...call, runOverrides } : call)
  const gone = outcome instanceof Failure && outcome.name === 'not_found'
  return gone && profile.forgives && forgivable.has(operation) ? { ok: true } : outcome
}

/** Operations that may just as well say that it is done. */
const forgivable = new Set<OperationId>(['deleteKey', 'readNotification'])

/**
 * Draws how a run goes. The first run of a task may find the agent busy: it is accepted all the same, and starts
 * by itself (§3.3).
 */
function startle(
  random: SeededRandom,
  org: Organization,
  { run }: Task,
  now: number,
): RunOverrides | undefined {
  if (run && !run.ended) return undefined
  const { duration_ms, progress } = org.runPolicy
  if (!run && org.ledger.solvent && happens(random, 0.25)) org.agent.busyUntil(now + pick(random, otherWork))
  return progress === 'time' ? { duration_ms: duration_ms * pick(random, lengths) } : undefined
}
