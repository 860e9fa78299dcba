/** Defects that show only above some number of things. */
import { Failure } from '#mocks/core/failure.ts'
import { viewTask } from '#mocks/handlers/views.ts'
import { type Fields, rewriteSuccess } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { perOne, tasksOf } from './memory.ts'

/** The answer of a list operation with another list of items. */
const relisted = (
  operation: 'listTasks' | 'listDocuments' | 'listNotifications',
  change: (items: Fields[], unfiltered: boolean) => Fields[],
) =>
  rewriteSuccess(({ body }, { request }) => {
    const answer = body as { items: Fields[] }
    answer.items = change(answer.items, request.url.includes('all=1'))
  }, operation)

export const many: readonly HistoryDefect[] = [
  {
    id: 'tasks-neighbour-text',
    title: 'In a list of more than 170 tasks, the third task has the text of the second.',
    mutate: () =>
      relisted('listTasks', (items) => {
        const [, second, third] = items
        if (items.length > 170 && second && third) third.text = second.text
        return items
      }),
  },
  {
    id: 'docs-full-folder-hides-newest',
    title: 'The list of a folder with more than 6 documents shows the 6 oldest.',
    mutate: () => relisted('listDocuments', (items, all) => (all ? items : folderPage(items, 6))),
  },
  {
    id: 'docs-fifth-folder-merged',
    title: 'Documents of every fifth folder are filed in the folder before it.',
    mutate() {
      const folders = perOne(() => [] as string[])
      return handle('createDocument', (call, usual) => {
        const { folder_id } = call.body
        const known = folders(call.org)
        if (!folder_id) return usual(call)
        if (!known.includes(folder_id)) known.push(folder_id)
        const at = known.indexOf(folder_id)
        const filed = at % 5 === 4 ? known[at - 1] : folder_id
        return usual({ ...call, body: { ...call.body, folder_id: filed as string } })
      })
    },
  },
  {
    id: 'unread-stops-at-twelve',
    title: 'unread counts no further than 12 above what it was at the start.',
    mutate() {
      const start = perOne(() => ({ n: undefined as number | undefined }))
      return handle('listNotifications', (call, usual) => {
        const answer = usual(call)
        if (answer instanceof Failure) return answer
        const first = start(call.org)
        first.n ??= answer.unread
        return { ...answer, unread: Math.min(answer.unread, first.n + 12) }
      })
    },
  },
  {
    id: 'mark-read-takes-oldest-unread',
    title: 'With more than 15 unread notifications, marking one as read marks the oldest unread one too.',
    mutate: () =>
      after('readNotification', ({ org, id }) => {
        const unread = org.notifications.newest(Infinity, (one) => !one.read && one.id !== id)
        const oldest = unread.at(-1)
        if (unread.length > 15 && oldest) org.notifications.markRead(oldest)
      }),
  },
  {
    id: 'task-index-collides',
    title:
      'A read of a task after which 64 others were created returns the text of the one that came 64 later.',
    mutate: () =>
      handle('getTask', (call, usual) => {
        const answer = usual(call)
        const tasks = call.org.tasks.all()
        const other = tasks[tasks.findIndex(({ id }) => id === call.id) + 64]
        return 'task' in answer && other
          ? { ...answer, task: { ...answer.task, text: viewTask(other).text } }
          : answer
      }),
  },
  {
    id: 'balance-shown-capped',
    title: 'whoami reports at most 120 credits.',
    mutate: () =>
      handle('whoami', (call, usual) => {
        const answer = usual(call)
        return answer instanceof Failure ? answer : { ...answer, credits: Math.min(answer.credits, 120) }
      }),
  },
  {
    id: 'run-tasks-list-counts-one-less',
    title: 'Where more than 30 tasks have run, credits of the task list are one less.',
    mutate: () =>
      handle('listTasks', (call, usual) => {
        const answer = usual(call)
        if (answer instanceof Failure) return answer
        const ran = tasksOf(call.org).filter(({ run }) => run).length
        return ran > 30 ? { ...answer, credits: Math.max(0, answer.credits - 1) } : answer
      }),
  },
]

const folderPage = (items: Fields[], most: number) =>
  items.length > most && items.every(({ folder_id }) => folder_id) ? items.slice(-most) : items
