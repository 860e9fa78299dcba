/** Defects that show only where requests arrive at once: tasks, documents, keys and notifications. */
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import { type Place, together } from './crowd.ts'
import type { HistoryDefect } from './history-defect.ts'
import { isLiving, made, perOne } from './memory.ts'
import { watched } from './watched.ts'

export const atOnceResources: readonly HistoryDefect[] = [
  {
    id: 'crowd-task-and-run-same-id',
    title:
      'A task that is created at once with a run by a created key is answered with the id of the task before it.',
    mutate: () =>
      together(
        ['createTask', 'runTask'],
        (here) =>
          watched(({ keyOf }) => {
            const ran = perOne(() => ({ among: undefined as Place['operations'] | undefined }))
            return combine(
              after('runTask', ({ org }) => {
                if (keyOf(org)?.isFirst === false) ran(org).among = here().operations
              }),
              handle('createTask', (call, usual) => {
                const [previous] = call.org.tasks.newest(1)
                const answer = usual(call)
                const isAtOnce = ran(call.org).among === here().operations
                return 'task' in answer && previous && isAtOnce
                  ? { ...answer, task: { ...answer.task, id: previous.id } }
                  : answer
              }),
            )
          }),
        true,
      ),
  },
  {
    id: 'crowd-task-lost',
    title: 'A task that is created at once with a run and a creative is not stored.',
    mutate() {
      const lost = new Set<string>()
      return together(['createTask', 'generateCreative', 'runTask'], (here) =>
        combine(
          after('createTask', ({ org }) => {
            if (here().operations.size === 3) lost.add(String(org.tasks.newest(1)[0]?.id))
          }),
          handle('getTask', (call, usual) => usual(lost.has(call.id) ? { ...call, id: '' } : call)),
        ),
      )
    },
  },
  {
    id: 'crowd-key-delete-lost',
    title: 'Of keys that are deleted at once, the first is still accepted.',
    mutate: () =>
      together(['deleteKey'], (here) =>
        handle('deleteKey', (call, usual) => {
          const { rank, size } = here()
          const key = call.org.keys.get(call.id)
          return key && isLiving(key) && size >= 2 && rank === 0 ? { ok: true } : usual(call)
        }),
      ),
  },
  {
    id: 'crowd-key-made-dead',
    title: 'A key that is created while another one is deleted is not accepted.',
    mutate: () =>
      together(['createKey', 'deleteKey'], (here) =>
        after('deleteKey', ({ org }) => {
          const { rank, size } = here()
          const [newest] = made(org).filter(isLiving)
          if (size >= 2 && rank >= 1 && newest) newest.deleted = true
        }),
      ),
  },
  {
    id: 'crowd-marks-counted-once',
    title: 'Notifications that are marked as read at once lower unread by one in all.',
    mutate() {
      const surplus = perOne(() => ({ n: 0 }))
      return together(['readNotification'], (here) =>
        combine(
          handle('readNotification', (call, usual) => {
            const was = call.org.notifications.get(call.id)?.read
            if (was === false && here().rank > 0) surplus(call.org).n++
            return usual(call)
          }),
          rewriteUnread((org) => surplus(org).n),
        ),
      )
    },
  },
  {
    id: 'crowd-same-mark-counted-each',
    title: 'A notification that is marked as read three times at once lowers unread by more than one.',
    mutate() {
      const deficit = perOne(() => ({ n: 0 }))
      return together(['readNotification'], (here) =>
        combine(
          handle('readNotification', (call, usual) => {
            const was = call.org.notifications.get(call.id)?.read
            if (was && here().rank >= 2) deficit(call.org).n++
            return usual(call)
          }),
          rewriteUnread((org) => -deficit(org).n),
        ),
      )
    },
  },
  {
    id: 'crowd-read-and-run-mixed',
    title: 'A task that is read at once with a run of another task is answered with the text of that one.',
    mutate() {
      let running = ''
      return together(['getTask', 'runTask'], (here) =>
        combine(
          handle('runTask', (call, usual) => {
            running = call.org.tasks.get(call.id)?.text ?? ''
            return usual(call)
          }),
          handle('getTask', (call, usual) => {
            const answer = usual(call)
            return 'task' in answer && here().rank > 0 && here().operations.has('runTask') && running
              ? { ...answer, task: { ...answer.task, text: running } }
              : answer
          }),
        ),
      )
    },
  },
]

/** Adds to `unread`, never below zero. */
const rewriteUnread = (by: (org: Organization) => number) =>
  handle('listNotifications', (call, usual) => {
    const answer = usual(call)
    return answer instanceof Failure
      ? answer
      : { ...answer, unread: Math.max(0, answer.unread + by(call.org)) }
  })
