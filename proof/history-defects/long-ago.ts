/** Defects that show only a while after, or after nobody asked for a while. */
import { Failure } from '#mocks/core/failure.ts'
import type { Key, Run, Task } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { type Fields, rewriteSuccess } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { everyNth, onEnd, perOne } from './memory.ts'

const second = 1_000

export const longAgo: readonly HistoryDefect[] = [
  {
    id: 'doc-leaves-folder',
    title: 'A document leaves its folder three seconds after its creation.',
    mutate: () =>
      after('listDocuments', ({ org, now }) => {
        for (const one of org.documents.newest(Infinity))
          if (now - one.created_at >= 3 * second) Object.assign(one, { folder_id: null })
      }),
  },
  {
    id: 'key-unused-expires',
    title: 'A created key that was not used for two seconds is refused.',
    mutate() {
      const used = perOne<{ at?: number }, Key>(() => ({}))
      return {
        rules: (rules) => ({
          ...rules,
          authenticate(...given) {
            const principal = rules.authenticate(...given)
            const key = principal?.key
            if (!key || principal.org.keys.all()[0] === key) return principal
            const now = principal.org.clock.now()
            const last = used(key)
            const isIdle = last.at !== undefined && now - last.at >= 2 * second
            last.at = now
            return isIdle ? undefined : principal
          },
        }),
      }
    },
  },
  {
    id: 'mark-read-forgotten',
    title: 'A notification that was marked as read is unread again three seconds later.',
    plainRun: ['NOTIFICATION-READ'],
    mutate() {
      const marked = perOne(() => new Map<string, number>())
      return combine(
        handle('readNotification', (call, usual) => {
          if (call.org.notifications.get(call.id)?.read === false) marked(call.org).set(call.id, call.now)
          return usual(call)
        }),
        handle('listNotifications', (call, usual) => {
          const answer = usual(call)
          if (answer instanceof Failure) return answer
          const isBack = (id: unknown) =>
            call.now - (marked(call.org).get(String(id)) ?? call.now) >= 3 * second
          const items = answer.items.map((one) => (isBack(one.id) ? { ...one, read: false } : one))
          return { items, unread: answer.unread + items.filter(({ id }) => isBack(id)).length }
        }),
      )
    },
  },
  {
    id: 'run-charged-again-later',
    title: 'Every third completed run of an organization costs another credit two seconds after its end.',
    mutate() {
      const due = perOne(() => [] as Run[])
      const isThird = everyNth(3)
      return combine(
        onEnd((org, run, usual) => {
          usual()
          if (run.outcome === 'completed' && isThird(org)) due(org).push(run)
        }),
        {
          onOrganization(org) {
            const settle = org.settle.bind(org)
            org.settle = (now) => {
              settle(now)
              while (now - (due(org)[0]?.ends_at ?? now) >= 2 * second) {
                due(org).shift()
                org.ledger.topUp(-1, now)
              }
            }
          },
        },
      )
    },
  },
  {
    id: 'refund-taken-back-later',
    title: 'The refund of every third failed run is taken back three seconds later.',
    mutate() {
      const isThird = everyNth(3)
      const due = perOne(() => [] as Run[])
      return combine(
        onEnd((org, run, usual) => {
          usual()
          if (run.outcome === 'failed' && isThird(org)) due(org).push(run)
        }),
        {
          onOrganization(org) {
            const settle = org.settle.bind(org)
            org.settle = (now) => {
              settle(now)
              while (now - (due(org)[0]?.ends_at ?? now) >= 3 * second) {
                due(org).shift()
                org.ledger.topUp(-1, now)
              }
            }
          },
        },
      )
    },
  },
  {
    id: 'task-finished-forgotten',
    title: 'A task that ran twice is unfinished again a second and a half after its run ended.',
    mutate() {
      const runs = perOne<{ n: number }, Task>(() => ({ n: 0 }))
      return combine(
        onEnd((org, run, usual) => {
          usual()
          const task = org.tasks.get(run.task_id)
          if (task) runs(task).n++
        }),
        handle('getTask', (call, usual) => {
          const answer = usual(call)
          const task = call.org.tasks.get(call.id)
          const isLate =
            task && runs(task).n >= 2 && call.now - (task.run?.ends_at ?? call.now) >= 1.5 * second
          return 'finished' in answer && isLate ? { ...answer, finished: false } : answer
        }),
      )
    },
  },
  {
    id: 'rerun-later-free',
    title: 'Running a task again more than a second and a half after its end is free.',
    mutate: () =>
      handle('runTask', (call, usual) => {
        const { org, id, now } = call
        const ended = org.tasks.get(id)?.run?.ends_at
        const outcome = usual(call)
        const isLate = ended && now - ended >= 1.5 * second
        if (isLate && !(outcome instanceof Failure)) org.ledger.topUp(1, now)
        return outcome
      }),
  },
  {
    id: 'run-of-old-task-costs-two',
    title: 'The first run of a task that is older than two seconds costs two credits.',
    mutate: () =>
      handle('runTask', (call, usual) => {
        const { org, id, now } = call
        const task = org.tasks.get(id)
        const isFirst = task?.run === null && now - task.created_at >= 2 * second
        const outcome = usual(call)
        if (isFirst && !(outcome instanceof Failure)) org.ledger.topUp(-1, now)
        return outcome
      }),
  },
  {
    id: 'task-idle-read-stale',
    title: 'The first read of a finished task after a second without a read shows it as it was read last.',
    mutate() {
      const reads = new Map<string, { at: number; body: Fields }>()
      return rewriteSuccess((reply, { request, mock }) => {
        const now = mock.clock.now()
        const body = reply.body as Fields
        const last = reads.get(request.url)
        if (last && now - last.at >= second && body.finished === true) reply.body = last.body
        reads.set(request.url, { at: now, body })
      }, 'getTask')
    },
  },
  {
    id: 'no-credits-forgiven',
    title: 'A run that was refused with 402 is accepted a second and a half later, without a credit.',
    mutate() {
      const refused = perOne(() => ({ at: Number.POSITIVE_INFINITY }))
      return handle('runTask', (call, usual) => {
        const { org, now } = call
        const last = refused(org)
        if (!org.ledger.solvent && now - last.at >= 1.5 * second) org.ledger.topUp(1, now)
        const outcome = usual(call)
        if (outcome instanceof Failure && outcome.name === 'no_credits') last.at = Math.min(last.at, now)
        else last.at = Number.POSITIVE_INFINITY
        return outcome
      })
    },
  },
]
