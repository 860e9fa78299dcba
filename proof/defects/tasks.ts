/** §2 Task, §4 Tasks: tasks that are lost, damaged or confused with others. */
import { viewTask } from '#mocks/handlers/views.ts'
import { lateTasks } from '../mutations/lateness.ts'
import { field, insteadOf, items } from '../mutations/reply.ts'
import { answer, handle, refuse } from '../mutations/rules.ts'
import { type Defect, defectsFor, defectsOf } from './defect.ts'
import { damages, repeatedIds, wrapping } from './texts.ts'

/** Changes the text of every task when it is created. */
const damaged = (damage: (text: string) => string) =>
  handle('createTask', (call, usual) => usual({ ...call, body: { text: damage(call.body.text) } }))

export const tasks: readonly Defect[] = [
  ...defectsFor(damages, ({ name, description, damage }) => [
    `TASK-TEXT-${name}`,
    `task-text-${name.toLowerCase()}: The text of a task ${description}.`,
    damaged(damage),
  ]),
  ...defectsOf({
    'TASK-TEXT-LONG': {
      'task-text-cut: The text of a task is cut after 10,000 characters.': () =>
        damaged((text) => text.slice(0, 10_000)),
      'task-text-column: The text of a task is cut after 65,535 characters.': () =>
        damaged((text) => text.slice(0, 65_535)),
    },
    'TASK-TEXT-ENDS': {
      'task-text-stored-otherwise: A created task is read back without the spaces around its text.': () =>
        field('getTask', 'task.text', (text) => String(text).trim()),
    },
    'TASK-UNKNOWN ISOLATION-GET-TASK': {
      'task-unknown-invalid-request: getTask of an unknown task is answered with invalid_request.': () =>
        insteadOf([404], [400, 'invalid_request'], 'getTask'),
    },
    'TASK-UNKNOWN ISOLATION-GET-TASK TASK-ODD-ID MALFORMED-ID-getTask': {
      'task-unknown-internal-error: getTask of an unknown task is answered with internal_error.': () =>
        insteadOf([404], [500, 'internal_error'], 'getTask'),
    },
    'TASK-READABLE': {
      'task-lost: A created task is not found.': () =>
        refuse('getTask', 'not_found', ({ org, id }) => org.tasks.get(id)?.run === null),
      'task-other-id: A task is read back with another id.': () =>
        field('getTask', 'task.id', (id) => `task:${id}`),
      'late-read-task: A new task is not found by its id for 300 ms.': () =>
        refuse(
          'getTask',
          'not_found',
          ({ org, id, now }) => now - (org.tasks.get(id)?.created_at ?? 0) < 300,
        ),
    },
    'TASK-LISTED': {
      'task-unlisted: The newest tasks are not in the list.': () =>
        items('listTasks', (list) => list.slice(60)),
      'late-task: A new task is listed after 3 s.': () => lateTasks(3_000),
    },
    'TASK-LISTED-SAME': {
      'task-listed-cut: The list cuts texts after ten characters.': () =>
        field('listTasks', 'items.*.text', (text) => String(text).slice(0, 10)),
    },
    'TASK-LISTED-LAST': {
      'task-list-of-the-oldest: listTasks shows only the oldest 33 items.': () =>
        items('listTasks', (list) => list.slice(-33)),
    },
    'LIST-PROMPT': {
      'list-late: A new task is not in the first list after it was created.': () => {
        const seen = new Set<unknown>()
        return items('listTasks', (list) => list.filter(({ id }) => seen.has(id) || !seen.add(id)))
      },
    },
    'TASK-UNIQUE': {
      'task-same-id: All tasks that are created in the same second have the same id.': () =>
        handle('createTask', (call, usual) => {
          const { org, now, body } = call
          const [newest] = org.tasks.newest(1)
          if (!newest || Math.abs(now - newest.created_at) > 1_000) return usual(call)
          return { task: { ...viewTask(newest), text: body.text }, credits: org.ledger.balance }
        }),
      'task-id-repeated-sometimes: Every ninth task gets the id of the task before it.': () =>
        repeatedIds('createTask', 'task', 9),
      'task-id-wraps: The ids of tasks start again after thirty.': () => wrapping('task', 30),
    },
    'TASK-NEW-UNFINISHED': {
      'task-born-finished: A task that never ran is finished.': () =>
        answer('getTask', ({ finished }, { org, id }) => ({
          finished: finished || org.tasks.get(id)?.run === null,
        })),
    },
    'TASK-NEW-IDLE': {
      'task-born-in-progress: The response to createTask says in_progress.': () =>
        field('createTask', 'task.status', 'in_progress'),
    },
    'TASK-ANSWER-TEXT': {
      'task-answered-cut: The response to the 20th createTask shows the text without its last character.':
        () => {
          let count = 0
          return field('createTask', 'task.text', (text) =>
            ++count === 20 ? String(text).trim().slice(0, -1) : text,
          )
        },
    },
  }),
]
