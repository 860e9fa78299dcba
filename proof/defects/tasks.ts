/** §2 Task, §4 Tasks: tasks that are lost, damaged or confused with others. */

import { fail } from '#mocks/core/failure.ts'
import { viewTask } from '#mocks/handlers/views.ts'
import { rewriteField } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'
import { damages } from './texts.ts'

/** Changes the text of every task when it is created. */
const damaged = (damage: (text: string) => string) => () =>
  handle('createTask', (call, usual) => usual({ ...call, body: { text: damage(call.body.text) } }))

const texts = damages.map(
  ({ name, description, damage }): Defect => ({
    id: `task-text-${name.toLowerCase()}`,
    title: `The text of a task ${description}.`,
    breaks: [`TASK-TEXT-${name}`],
    mutate: damaged(damage),
  }),
)

/** Answers requests for unknown tasks otherwise than with 404. */
const unknown = (operation: 'getTask' | 'runTask', answer: 'invalid_request' | 'internal_error'): Defect => ({
  id: `${operation === 'getTask' ? 'task' : 'run'}-unknown-${answer.replaceAll('_', '-')}`,
  title: `${operation} of an unknown task is answered with ${answer}.`,
  breaks:
    operation === 'runTask'
      ? ['RUN-UNKNOWN', 'ISOLATION-RUN-TASK']
      : [
          'TASK-UNKNOWN',
          'ISOLATION-GET-TASK',
          ...(answer === 'internal_error' ? ['TASK-ODD-ID', 'MALFORMED-ID-getTask'] : []),
        ],
  mutate: () => ({
    async middleware(context, next) {
      const response = await next(context.request)
      if (context.operation !== operation || response.status !== 404) return response
      const status = answer === 'internal_error' ? 500 : 400
      return Response.json({ error: answer, message: 'No such task.' }, { status })
    },
  }),
})

export const tasks: readonly Defect[] = [
  ...texts,
  unknown('getTask', 'invalid_request'),
  unknown('getTask', 'internal_error'),
  unknown('runTask', 'invalid_request'),
  {
    id: 'task-text-cut',
    title: 'The text of a task is cut after 10,000 characters.',
    breaks: ['TASK-TEXT-LONG'],
    mutate: damaged((text) => text.slice(0, 10_000)),
  },
  {
    id: 'task-text-column',
    title: 'The text of a task is cut after 65,535 characters.',
    breaks: ['TASK-TEXT-LONG'],
    mutate: damaged((text) => text.slice(0, 65_535)),
  },
  {
    id: 'task-text-stored-otherwise',
    title: 'A created task is read back without the spaces around its text.',
    breaks: ['TASK-TEXT-ENDS'],
    mutate: () => rewriteField('task.text', (text) => String(text).trim(), 'getTask'),
  },
  {
    id: 'task-lost',
    title: 'A created task is not found.',
    breaks: ['TASK-READABLE'],
    mutate: () =>
      handle('getTask', (call, usual) =>
        call.org.tasks.get(call.id)?.run === null ? fail('not_found') : usual(call),
      ),
  },
  {
    id: 'task-other-id',
    title: 'A task is read back with another id.',
    breaks: ['TASK-READABLE'],
    mutate: () => rewriteField('task.id', (id) => `task:${id}`, 'getTask'),
  },
  {
    id: 'task-unlisted',
    title: 'The newest tasks are not in the list.',
    breaks: ['TASK-LISTED'],
    mutate: () => rewriteField('items', (list) => (Array.isArray(list) ? list.slice(60) : list), 'listTasks'),
  },
  {
    id: 'task-listed-cut',
    title: 'The list cuts texts after ten characters.',
    breaks: ['TASK-LISTED-SAME'],
    mutate: () => rewriteField('items.*.text', (text) => String(text).slice(0, 10), 'listTasks'),
  },
  {
    id: 'task-same-id',
    title: 'All tasks that are created in the same second have the same id.',
    breaks: ['TASK-UNIQUE'],
    mutate: () =>
      handle('createTask', ({ org, body, now }, usual) => {
        const [newest] = org.tasks.newest(1)
        if (!newest || Math.abs(now - newest.created_at) > 1_000) return usual({ org, body, now } as never)
        return { task: { ...viewTask(newest), text: body.text }, credits: org.ledger.balance }
      }),
  },
  {
    id: 'task-born-finished',
    title: 'A task that never ran is finished.',
    breaks: ['TASK-NEW-UNFINISHED'],
    mutate: () =>
      handle('getTask', (call, usual) => {
        const answer = usual(call)
        return call.org.tasks.get(call.id)?.run === null ? { ...answer, finished: true } : answer
      }),
  },
]
