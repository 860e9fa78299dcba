/** Defects that show only the n-th time: tasks, documents, keys and notifications. */
import { Failure } from '#mocks/core/failure.ts'
import type { Key, Notification } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { everyNth, perOne } from './memory.ts'

export const oftenResources: readonly HistoryDefect[] = [
  {
    id: 'mark-read-third-time-counts',
    title: 'Marking a notification as read the third time lowers unread again.',
    mutate() {
      const marks = perOne<{ n: number }, Notification>(() => ({ n: 0 }))
      const lost = perOne(() => ({ n: 0 }))
      return combine(
        after('readNotification', ({ org, id }) => {
          const one = org.notifications.get(id)
          if (one && ++marks(one).n === 3) lost(org).n++
        }),
        handle('listNotifications', (call, usual) => {
          const answer = usual(call)
          return answer instanceof Failure
            ? answer
            : { ...answer, unread: Math.max(0, answer.unread - lost(call.org).n) }
        }),
      )
    },
  },
  {
    id: 'doc-third-namesake-replaces',
    title: 'The third document of one title in one folder overwrites the content of the first.',
    mutate: () =>
      after('createDocument', ({ org, body: { title, folder_id = null, content_md = null } }) => {
        const namesakes = org.documents.newest(
          Infinity,
          (one) => one.title === title && one.folder_id === folder_id,
        )
        const first = namesakes.at(-1)
        if (first && namesakes.length >= 3) Object.assign(first, { content_md })
      }),
  },
  {
    id: 'task-fifth-namesake-is-first',
    title: 'The fifth task of the same text is answered with the id of the first.',
    mutate: () =>
      handle('createTask', (call, usual) => {
        const same = call.org.tasks.newest(Infinity, ({ text }) => text === call.body.text)
        const answer = usual(call)
        const first = same.at(-1)
        return 'task' in answer && first && same.length >= 4
          ? { ...answer, task: { ...answer.task, id: first.id } }
          : answer
      }),
  },
  {
    id: 'key-eighth-unlisted',
    title: 'Every eighth key is never listed.',
    mutate() {
      const isEighth = everyNth(8)
      const hidden = new Set<string>()
      return combine(
        after('createKey', ({ org }) => {
          const [key] = org.keys.newest(1)
          if (key && isEighth(org)) hidden.add(key.id)
        }),
        handle('listKeys', (call, usual) => {
          const answer = usual(call)
          return answer instanceof Failure
            ? answer
            : { keys: answer.keys.filter(({ id }) => !hidden.has(String(id))) }
        }),
      )
    },
  },
  {
    id: 'key-use-limited',
    title: 'A created key is accepted 25 times, then no more.',
    mutate() {
      const uses = perOne<{ n: number }, Key>(() => ({ n: 0 }))
      return {
        rules: (rules) => ({
          ...rules,
          authenticate(...given) {
            const principal = rules.authenticate(...given)
            const key = principal?.key
            if (!key || principal.org.keys.all()[0] === key) return principal
            return ++uses(key).n > 25 ? undefined : principal
          },
        }),
      }
    },
  },
]
