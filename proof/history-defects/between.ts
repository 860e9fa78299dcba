/** Defects that show only after something else was done in between: tasks, runs and credits. */
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Run, Task } from '#mocks/core/resources.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { type Fields, rewrite } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { charge, isTaken, onEnd, perOne } from './memory.ts'

/** Whether a task was run before, and how it ended then. */
const before = () => perOne<{ outcome?: Run['outcome'] }, Task>(() => ({}))

const taskOf = (org: Organization, run: Run) => org.tasks.get(run.task_id)

/** A run with one outcome costs more if the run of its task before it had another one. */
function chargeAfter(first: Run['outcome'], then: Run['outcome'], credits = 1): Mutation {
  const last = before()
  return onEnd((org, run, usual) => {
    usual()
    const task = taskOf(org, run)
    if (!task) return
    if (last(task).outcome === first && run.outcome === then) charge(org, run, credits)
    last(task).outcome = run.outcome
  })
}

export const between: readonly HistoryDefect[] = [
  {
    id: 'rerun-after-failure-refunded',
    title: 'A run that completes after a failed run of the same task is refunded too.',
    mutate: () => chargeAfter('failed', 'completed', -1),
  },
  {
    id: 'rerun-failure-after-success-kept',
    title: 'A failed run of a task that completed before is not refunded.',
    mutate: () => chargeAfter('completed', 'failed'),
  },
  {
    id: 'refused-rerun-refunded-at-end',
    title: 'A run whose task was asked to run again meanwhile gives its credit back when it completes.',
    mutate() {
      const asked = new WeakSet<Run>()
      return combine(
        after('runTask', ({ org, id }, outcome) => {
          const run = org.tasks.get(id)?.run
          if (run && outcome instanceof Failure && outcome.name === 'conflict') asked.add(run)
        }),
        onEnd((org, run, usual) => {
          usual()
          if (asked.has(run) && run.outcome === 'completed') charge(org, run, -1)
        }),
      )
    },
  },
  {
    id: 'created-during-run-gets-its-text',
    title: 'A task that is created while another one runs is stored with the text of that one.',
    mutate: () =>
      after('createTask', ({ org }) => {
        const [task, ...others] = org.tasks.newest(20)
        const going = others.find(({ run }) => run && !run.ended && run.started_at !== null)
        if (task && going && org.agent.load >= 2) Object.assign(task, { text: going.text })
      }),
  },
  {
    id: 'refused-task-during-run-loses-next',
    title: 'A task that is created just after a refused one, while a run is going, is not stored.',
    mutate() {
      const refused = new Map<string | null, boolean>()
      const lost = new Set<string>()
      let isGoing = false
      return combine(
        handle('createTask', (call, usual) => {
          isGoing = call.org.agent.load > 0
          return usual(call)
        }),
        rewrite(({ status, body }, { request }) => {
          const caller = request.headers.get('authorization')
          const isNext = refused.get(caller) === true
          refused.set(caller, status === 400 || status === 422)
          if (status < 300 && isNext && isGoing) lost.add(String((body as { task: Fields }).task.id))
        }, 'createTask'),
        handle('getTask', (call, usual) => usual(lost.has(call.id) ? { ...call, id: '' } : call)),
      )
    },
  },
  {
    id: 'rerun-free-after-read-failure',
    title: 'A task that was read after its run failed runs again free.',
    mutate() {
      const read = new WeakSet<Task>()
      return combine(
        after('getTask', ({ org, id }) => {
          const task = org.tasks.get(id)
          if (task?.run?.ended && task.run.outcome === 'failed') read.add(task)
        }),
        after('runTask', ({ org, id, now }, outcome) => {
          const task = org.tasks.get(id)
          if (!task || !isTaken(outcome) || !read.delete(task)) return
          org.ledger.topUp(1, now)
        }),
      )
    },
  },
  {
    id: 'mark-read-during-run-undone',
    title: 'A notification that is marked as read while a run is going is unread again when the run ends.',
    mutate() {
      const marked = perOne(() => new Set<string>())
      return combine(
        after('readNotification', ({ org, id }) => {
          if (org.agent.load > 0) marked(org).add(id)
        }),
        handle('listNotifications', (call, usual) => {
          const answer = usual(call)
          if (answer instanceof Failure || call.org.agent.load > 0) return answer
          const back = marked(call.org)
          const items = answer.items.map((one) => (back.has(String(one.id)) ? { ...one, read: false } : one))
          return { items, unread: answer.unread + items.filter(({ id }) => back.has(String(id))).length }
        }),
      )
    },
  },
]
