/** Defects that show only by the key that does something. */
import { Failure, fail } from '#mocks/core/failure.ts'
import { combine } from '../mutations/mutation.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { charge, isTaken, onEnd, perOne } from './memory.ts'
import { watched } from './watched.ts'

/** What each key has created. */
const creations = () => perOne(() => new Map<string, string>())

export const whom: readonly HistoryDefect[] = [
  {
    id: 'run-by-created-key-free',
    title: 'The second run that a created key starts is free.',
    mutate: () =>
      watched(({ keyOf }) => {
        const runs = new Map<string, number>()
        return after('runTask', ({ org, now }, outcome) => {
          const key = keyOf(org)
          if (!key || key.isFirst || !isTaken(outcome)) return
          runs.set(key.id, (runs.get(key.id) ?? 0) + 1)
          if (runs.get(key.id) === 2) org.ledger.topUp(1, now)
        })
      }),
  },
  {
    id: 'refund-of-created-key-kept',
    title: 'A failed run that a created key started is not refunded.',
    mutate: () =>
      watched(({ keyOf }) => {
        const started = new Set<string>()
        return combine(
          after('runTask', ({ org, id }, outcome) => {
            const run = org.tasks.get(id)?.run
            if (run && isTaken(outcome) && keyOf(org)?.isFirst === false) started.add(run.id)
          }),
          onEnd((org, run, usual) => {
            usual()
            if (run.outcome === 'failed' && started.has(run.id)) charge(org, run)
          }),
        )
      }),
  },
  {
    id: 'tasks-die-with-key',
    title: 'The tasks that a key created are gone when the key is deleted.',
    mutate: () =>
      watched(({ keyOf }) => {
        const tasks = creations()
        return combine(
          after('createTask', ({ org }) => {
            const key = keyOf(org)
            if (key && !key.isFirst) tasks(org).set(String(org.tasks.newest(1)[0]?.id), key.id)
          }),
          handle('getTask', (call, usual) => {
            const owner = tasks(call.org).get(call.id)
            return owner && call.org.keys.get(owner)?.deleted ? fail('not_found') : usual(call)
          }),
        )
      }),
  },
  {
    id: 'docs-of-created-key-private',
    title: 'A document that a created key made is answered without its content to other created keys.',
    mutate: () =>
      watched(({ keyOf }) => {
        const documents = creations()
        return combine(
          after('createDocument', ({ org }) => {
            const key = keyOf(org)
            if (key && !key.isFirst) documents(org).set(String(org.documents.newest(1)[0]?.id), key.id)
          }),
          handle('getDocument', (call, usual) => {
            const answer = usual(call)
            const owner = documents(call.org).get(call.id)
            const reader = keyOf(call.org)
            return 'item' in answer && owner && !reader?.isFirst && owner !== reader?.id
              ? { ...answer, item: { ...answer.item, content_md: null } }
              : answer
          }),
        )
      }),
  },
  {
    id: 'unread-of-each-key',
    title: 'A notification that a created key marks as read stays unread for the other keys.',
    mutate: () =>
      watched(({ keyOf }) =>
        handle('readNotification', (call, usual) =>
          keyOf(call.org)?.isFirst === false && call.org.notifications.get(call.id)
            ? { ok: true }
            : usual(call),
        ),
      ),
  },
  {
    id: 'task-list-of-each-key',
    title: 'The task list of a created key leaves out the newest task of another key.',
    mutate: () =>
      watched(({ keyOf }) => {
        const tasks = creations()
        return combine(
          after('createTask', ({ org }) => {
            tasks(org).set(String(org.tasks.newest(1)[0]?.id), keyOf(org)?.id ?? '')
          }),
          handle('listTasks', (call, usual) => {
            const answer = usual(call)
            const key = keyOf(call.org)
            if (answer instanceof Failure || !key || key.isFirst) return answer
            const [newest, ...items] = answer.items
            return newest && tasks(call.org).get(String(newest.id)) !== key.id ? { ...answer, items } : answer
          }),
        )
      }),
  },
]
