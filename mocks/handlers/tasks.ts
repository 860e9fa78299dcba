/** §4 Tasks. */

import { Failure, fail } from '../core/failure.ts'
import { createTask, isFinished, requestRun, statusOf } from '../core/tasks.ts'
import type { Handlers } from './handler.ts'
import { longestList } from './limits.ts'
import { viewTask } from './views.ts'

/** Handlers of §4 Tasks. */
export const tasks: Pick<Handlers, 'listTasks' | 'createTask' | 'getTask' | 'runTask'> = {
  listTasks({ org, now }) {
    const credits = org.ledger.balance
    const usedToday = org.ledger.usedToday(now)
    return {
      items: org.tasks.newest(longestList).map(viewTask),
      credits,
      usedToday,
      limit: usedToday + credits,
      remaining: credits,
    }
  },

  createTask: ({ org, body, now }) => ({
    task: viewTask(createTask(org, body.text, now)),
    credits: org.ledger.balance,
  }),

  getTask({ org, id, now }) {
    const task = org.tasks.get(id)
    if (!task) return fail('not_found', 'No such task in this organization.')
    if (task.run) org.agent.polled(task.run, now)
    return { task: viewTask(task), finished: isFinished(task) }
  },

  runTask({ org, id, now, runOverrides }) {
    const task = org.tasks.get(id)
    if (!task) return fail('not_found', 'No such task in this organization.')
    const run = requestRun(org, task, now, runOverrides)
    if (run instanceof Failure) return run
    return { ok: true, taskId: task.id, runId: run.id, status: statusOf(task), finished: isFinished(task) }
  },
}
