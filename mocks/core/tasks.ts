/** Tasks and their runs (§3, §4 Tasks). */
import { createFailure } from './failure.ts'
import type { Organization } from './organization.ts'
import type { LedgerEntry, Run, RunOutcome, Task, TaskStatus } from './resources.ts'

/** Creates the row of a task that was never run; `created_at`: ms since the epoch. */
export function newTaskRow(id: string, text: string, created_at: number): Task {
  return { id, text, description: null, scheduled_at: null, created_at, run: null }
}

/**
 * Creates the row of a run that has not started; `accepted_at`: ms since the epoch, `reserve`: the ledger entry of its
 * credit.
 */
export function newRunRow(id: string, task_id: string, accepted_at: number, reserve: LedgerEntry): Run {
  return {
    id,
    task_id,
    accepted_at,
    duration_ms: 0,
    polls: null,
    destined: null,
    reserve,
    started_at: null,
    ends_at: null,
    outcome: null,
    ended: false,
    looks: 0,
  }
}

/** Creates a task without running it; `now` is ms since the epoch. */
export function createTask(org: Organization, text: string, now: number): Task {
  const id = org.takeForetold('tasks', (one) => one.text === text)?.id ?? org.newId('task')
  return org.tasks.append(newTaskRow(id, text, now))
}

/** The status of a task, derived from its latest run (§3). */
export function taskStatusOf(task: Task): TaskStatus {
  const { run } = task
  if (!run) return 'pending'
  if (run.ended) return run.outcome ?? 'completed'
  return run.started_at === null ? 'queued' : 'in_progress'
}

/**
 * The text of a task's status: that of the mock or, in a mock rebuilt from a recording, that of the recorded service.
 */
export function statusWordOf({ overrides }: Organization, task: Task): string {
  const status = taskStatusOf(task)
  return overrides.status_words?.[status] ?? status
}

/** True if the status of a task is final (§3.1). */
export function isTaskFinished(task: Task): boolean {
  return task.run?.ended ?? false
}

/** The outcome and the length (ms of mock time) of one run, where a fault makes them differ from the usual ones. */
export interface RunOverrides {
  readonly outcome?: RunOutcome
  readonly duration_ms?: number
}

/**
 * Requests a run of a task (§3). One credit is reserved immediately, even if the run is queued.
 * @param now ms since the epoch.
 * @returns the run, or the failure; `busy` means that the run *was* accepted and is queued.
 */
export function startOrQueueRun(org: Organization, task: Task, now: number, overrides: RunOverrides = {}) {
  if (task.run && !task.run.ended)
    return createFailure('conflict', 'This task is already queued or in progress.')
  const known = org.ledger.canReserve
    ? org.takeForetold('runs', ({ task_id }) => task_id === task.id)
    : undefined
  const runId = known?.id ?? org.newId('run')
  const reserve = org.reserve(runId, now)
  if (!reserve) return createFailure('no_credits')
  const mustWait = org.agent.busy(now)
  const { duration_ms, progress } = org.runPolicy
  const left = known && Math.max(0, now + known.takes_ms - org.agent.freeAt(now))
  const run = newRunRow(runId, task.id, now, reserve)
  run.duration_ms = overrides.duration_ms ?? left ?? (progress === 'immediate' ? 0 : duration_ms)
  if (typeof progress === 'object' && (overrides.duration_ms ?? left) === undefined)
    run.polls = progress.polls
  run.destined = overrides.outcome ?? known?.outcome ?? null
  org.changes.change('tasks', task, { run })
  org.emit('run_accepted', now, run.id)
  org.agent.accept(run, now)
  return mustWait ? createFailure('busy') : run
}
