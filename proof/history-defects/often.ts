/** Defects that show only the n-th time: runs and creatives. */
import { Failure } from '#mocks/core/failure.ts'
import type { Task } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { charge, isTaken, onEnd, perOne } from './memory.ts'

/** How often each task was run. */
const runsOf = () => perOne<{ n: number }, Task>(() => ({ n: 0 }))

export const often: readonly HistoryDefect[] = [
  {
    id: 'refund-same-task-again',
    title: 'The second failure of a task in a row is not refunded.',
    mutate() {
      const failures = runsOf()
      return onEnd((org, run, usual) => {
        usual()
        const task = org.tasks.get(run.task_id)
        if (!task) return
        const count = failures(task)
        count.n = run.outcome === 'failed' ? count.n + 1 : 0
        if (count.n >= 2) charge(org, run)
      })
    },
  },
  {
    id: 'rerun-second-never-finished',
    title: 'A task that runs a third time is answered unfinished when that run has ended.',
    mutate() {
      const runs = runsOf()
      return combine(
        after('runTask', ({ org, id }, outcome) => {
          const task = org.tasks.get(id)
          if (task && isTaken(outcome)) runs(task).n++
        }),
        handle('getTask', (call, usual) => {
          const answer = usual(call)
          const task = call.org.tasks.get(call.id)
          return 'finished' in answer && task && runs(task).n >= 3 ? { ...answer, finished: false } : answer
        }),
      )
    },
  },
  {
    id: 'no-credits-fifth-time-runs',
    title: 'A task whose run was refused four times with 402 runs free the fifth time.',
    mutate() {
      const refusals = runsOf()
      return handle('runTask', (call, usual) => {
        const { org, id, now } = call
        const task = org.tasks.get(id)
        if (task && refusals(task).n >= 4 && !org.ledger.solvent) org.ledger.topUp(1, now)
        const outcome = usual(call)
        if (task && outcome instanceof Failure && outcome.name === 'no_credits') refusals(task).n++
        return outcome
      })
    },
  },
]
