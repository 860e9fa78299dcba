/** Tasks and their runs (§3, §4 Tasks). */

import { type Failure, fail } from './failure.ts'
import type { Organization } from './organization.ts'
import type { Run, RunOutcome, Task } from './resources.ts'

/** Creates a task; it waits until a run of it is asked for. */
export function createTask(org: Organization, text: string, now: number): Task {
  return org.tasks.append({
    id: org.newId('task'),
    text,
    description: null,
    scheduled_at: null,
    created_at: now,
    run: null,
  })
}

/** The status of a task, from its latest run. */
export function statusOf(task: Task): 'pending' | 'queued' | 'in_progress' | 'completed' | 'failed' {
  const { run } = task
  if (!run) return 'pending'
  if (run.ended) return run.outcome ?? 'completed'
  return run.started_at === null ? 'queued' : 'in_progress'
}

/** Whether the status of a task is final (§3.1). */
export function isFinished(task: Task): boolean {
  return task.run?.ended ?? false
}

/** How a run should go, where that was asked for. */
export interface RunWish {
  readonly outcome?: RunOutcome
  /** ms. */
  readonly duration_ms?: number
}

/**
 * Asks for a run of a task: one credit is reserved at once, also for a run that has to wait. Answers the run,
 * or why not; `busy` means that the run *was* accepted and waits its turn.
 */
export function requestRun(
  org: Organization,
  task: Task,
  now: number,
  wish: RunWish = {},
): Run | Failure<'conflict' | 'no_credits' | 'busy'> {
  if (task.run && !task.run.ended) return fail('conflict', 'This task is already queued or in progress.')
  const runId = org.newId('run')
  const reserve = org.ledger.reserve(runId, now)
  if (!reserve) {
    org.lacksCredits(now)
    return fail('no_credits')
  }
  const mustWait = org.agent.busy(now)
  const { duration_ms, progress } = org.runPolicy
  const run: Run = {
    id: runId,
    task_id: task.id,
    accepted_at: now,
    duration_ms: wish.duration_ms ?? (progress === 'immediate' ? 0 : duration_ms),
    polls: typeof progress === 'object' && wish.duration_ms === undefined ? progress.polls : null,
    destined: wish.outcome ?? null,
    reserve,
    started_at: null,
    ends_at: null,
    outcome: null,
    ended: false,
    looks: 0,
  }
  task.run = run
  org.emit('run_accepted', now, run.id)
  org.agent.accept(run, now)
  return mustWait ? fail('busy') : run
}
