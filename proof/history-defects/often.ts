/** Defects that show only the n-th time: runs and creatives. */
import { Failure, fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Task } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { charge, everyNth, isTaken, onEnd, perOne } from './memory.ts'

/** How often each task was run. */
const runsOf = () => perOne<{ n: number }, Task>(() => ({ n: 0 }))

export const often: readonly HistoryDefect[] = [
  {
    id: 'refund-fifth-lost',
    title: 'Every fifth failed run of an organization is not refunded.',
    mutate() {
      const isFifth = everyNth(5)
      return onEnd((org, run, usual) => {
        usual()
        if (run.outcome === 'failed' && isFifth(org)) charge(org, run)
      })
    },
  },
  {
    id: 'refund-sixth-twice',
    title: 'Every sixth failed run of an organization is refunded twice.',
    mutate() {
      const isSixth = everyNth(6)
      return onEnd((org, run, usual) => {
        usual()
        if (run.outcome === 'failed' && isSixth(org)) charge(org, run, -1)
      })
    },
  },
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
    id: 'rerun-second-costs-two',
    title: 'The second re-run of a task costs two credits.',
    mutate() {
      const runs = runsOf()
      return after('runTask', ({ org, id, now }, outcome) => {
        const task = org.tasks.get(id)
        if (task && isTaken(outcome) && ++runs(task).n === 3) org.ledger.topUp(-1, now)
      })
    },
  },
  {
    id: 'rerun-third-free',
    title: 'From its third re-run on, a task runs free.',
    mutate() {
      const runs = runsOf()
      return after('runTask', ({ org, id, now }, outcome) => {
        const task = org.tasks.get(id)
        if (task && isTaken(outcome) && ++runs(task).n >= 4) org.ledger.topUp(1, now)
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
    id: 'rerun-third-no-credits',
    title: 'The third re-run of a task is refused with 402 at any balance.',
    mutate() {
      const runs = runsOf()
      return handle('runTask', (call, usual) => {
        const task = call.org.tasks.get(call.id)
        if (task && runs(task).n === 3 && task.run?.ended) return fail('no_credits')
        const outcome = usual(call)
        if (task && isTaken(outcome)) runs(task).n++
        return outcome
      })
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
  {
    id: 'creative-fourth-costs-two',
    title: 'Every fourth creative costs two credits.',
    mutate() {
      const isFourth = everyNth(4)
      return after('generateCreative', ({ org, now }, outcome) => {
        if (!(outcome instanceof Failure) && isFourth(org)) org.ledger.topUp(-1, now)
      })
    },
  },
  {
    id: 'creative-third-failure-kept',
    title: 'Every third generation that fails is not refunded.',
    mutate() {
      const isThird = everyNth<Organization>(3)
      return after('generateCreative', ({ org, now }, outcome) => {
        const failed = outcome instanceof Failure && outcome.name === 'unavailable'
        if (failed && isThird(org)) org.ledger.topUp(-1, now)
      })
    },
  },
]
