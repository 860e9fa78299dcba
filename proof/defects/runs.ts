/** §3, §4 Tasks: runs that are refused, never end, or are reported wrongly. */

import { fail } from '#mocks/core/failure.ts'
import { rewriteField } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Answers a second run of a finished task in another way. */
const again = (id: string, title: string, answer: () => ReturnType<typeof fail>): Defect => ({
  id,
  title,
  breaks: ['RUN-AGAIN'],
  mutate: () =>
    handle('runTask', (call, usual) =>
      call.org.tasks.get(call.id)?.run?.ended ? (answer() as never) : usual(call),
    ),
})

export const runs: readonly Defect[] = [
  {
    id: 'run-refused',
    title: 'Every run is refused with 409 invalid_request.',
    breaks: ['RUN-ACCEPTED'],
    mutate: () =>
      handle('runTask', ({ org, id }) => (org.tasks.get(id) ? fail('conflict') : fail('not_found'))),
  },
  {
    id: 'run-no-credits-always',
    title: 'Every run is refused with 402 at any balance.',
    breaks: ['RUN-ACCEPTED'],
    mutate: () =>
      handle('runTask', ({ org, id }) => (org.tasks.get(id) ? fail('no_credits') : fail('not_found'))),
  },
  {
    id: 'run-other-task-id',
    title: 'taskId of a run is the id of the run.',
    breaks: ['RUN-TASK-ID'],
    variant: 'first',
    mutate: () => rewriteField('taskId', (id) => String(id).replace('task', 'run'), 'runTask'),
  },
  {
    id: 'run-not-ok',
    title: 'ok of an accepted run is false.',
    breaks: ['RUN-OK'],
    variant: 'second',
    mutate: () => rewriteField('ok', () => false, 'runTask'),
  },
  {
    id: 'run-same-id',
    title: 'Every run has the same runId.',
    breaks: ['RUN-ID-UNIQUE'],
    variant: 'second',
    mutate: () => rewriteField('runId', () => 'run_1', 'runTask'),
  },
  {
    id: 'run-never-finished',
    title: 'A task is never finished.',
    breaks: ['RUN-ENDS'],
    mutate: () => rewriteField('finished', () => false, 'getTask'),
  },
  {
    id: 'run-completed-never-finished',
    title: 'A task is finished only where its run failed.',
    breaks: ['RUN-ENDS'],
    mutate: () =>
      rewriteField(
        'finished',
        (_, { task }) => Reflect.get(task as object, 'status') === 'failed',
        'getTask',
      ),
  },
  {
    id: 'run-answered-finished',
    title: 'The answer to a run says finished while the run is active.',
    breaks: ['RUN-ANSWER-FINISHED', 'RUN-IN-PROGRESS-UNFINISHED'],
    variant: 'first',
    mutate: () => rewriteField('finished', () => true, 'runTask'),
  },
  {
    id: 'run-finished-at-once',
    title: 'A task is finished as soon as its run is accepted.',
    breaks: ['RUN-IN-PROGRESS-UNFINISHED'],
    mutate: () =>
      handle('getTask', (call, usual) => {
        const answer = usual(call)
        return call.org.tasks.get(call.id)?.run ? { ...answer, finished: true } : answer
      }),
  },
  {
    id: 'run-forgotten',
    title: 'A finished task returns to pending after it was read.',
    breaks: ['RUN-FINISHED-STAYS', 'BUSY-FINISHED-STAYS'],
    mutate: () =>
      after('getTask', ({ org, id }) => {
        const task = org.tasks.get(id)
        if (task?.run?.ended) task.run = null
      }),
  },
  {
    id: 'run-listed-pending',
    title: 'The list gives every task the status pending.',
    breaks: ['RUN-LISTED-STATUS'],
    mutate: () => rewriteField('items.*.status', () => 'pending', 'listTasks'),
  },
  {
    id: 'run-overwrites-text',
    title: 'A run replaces the text of its task by its result.',
    breaks: ['RUN-KEEPS-TASK'],
    mutate: () =>
      rewriteField('task.text', (text, { finished_at }) => (finished_at ? `Done: ${text}` : text), 'getTask'),
  },
  again('run-again-not-found', 'Running a finished task again is answered 404.', () => fail('not_found')),
  again('run-again-fails', 'Running a finished task again is answered 500.', () => fail('internal_error')),
  {
    id: 'run-again-free',
    title: 'Running a finished task again is free.',
    breaks: ['RUN-AGAIN'],
    mutate: () =>
      handle('runTask', (call, usual) => {
        if (call.org.tasks.get(call.id)?.run?.ended) call.org.ledger.topUp(1, call.now)
        return usual(call)
      }),
  },
  {
    id: 'run-again-never-ends',
    title: 'A second run of a task never ends.',
    breaks: ['RUN-AGAIN'],
    mutate: () =>
      handle('runTask', (call, usual) => {
        const again = call.org.tasks.get(call.id)?.run?.ended
        return usual(again ? { ...call, runOverrides: { duration_ms: 1e12 } } : call)
      }),
  },
  {
    id: 'run-finished-late',
    title: 'finished is still false in the first read after the end.',
    breaks: ['RUN-FINISHED-BY-STATUS'],
    mutate() {
      const looked = new Set<string>()
      return handle('getTask', (call, usual) => {
        const answer = usual(call)
        const run = call.org.tasks.get(call.id)?.run
        if (!run?.ended || looked.has(run.id)) return answer
        looked.add(run.id)
        return { ...answer, finished: false }
      })
    },
  },
]
