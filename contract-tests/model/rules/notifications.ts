/** §2 Notification, §3.4: a notification is unread until it is marked, and read for ever after. */
import { field } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import { brief, identified, isBefore, mayFall, numberAt, spanOf } from '../matching.ts'
import type { Notification } from '../state.ts'
import { hold, type Objection, type Rule, rule } from '../violation.ts'

/** Judges each listed notification that is known; `true` where all fit. */
function eachListed(
  { answer }: Answered,
  known: ReadonlyMap<string, Notification>,
  judge: (notification: Notification, read: unknown, id: string) => Objection | undefined,
) {
  for (const { id, item } of identified(answer.json)) {
    const notification = known.get(id)
    const objection = notification && judge(notification, field(item, 'read'), id)
    if (objection) return objection
  }
  return isSuccess(answer) || undefined
}

const staysRead = (id: string, requirement: string, marked: boolean): Rule =>
  rule({
    id,
    requirement,
    anchor: 'notification-marking',
    operations: ['listNotifications'],
    judge: ({ notifications }, event, { lag }) =>
      eachListed(event, notifications, ({ read }, shown, id) =>
        shown === false && read?.marked === marked && isBefore(read, spanOf(event), lag)
          ? { expected: `read: true of ${id}`, actual: 'read: false', because: [read.by] }
          : undefined,
      ),
  })

export const notifications: readonly Rule[] = [
  staysRead('marked-read', 'NOTIFICATION-READ', true),
  staysRead('stays-read', 'NOTIFICATION-STAYS-READ', false),
  rule({
    id: 'stays-unread',
    requirement: 'NOTIFICATION-READ-ONE',
    anchor: 'notification-marking',
    operations: ['listNotifications'],
    others: true,
    judge: ({ notifications }, event, { lag }) =>
      eachListed(event, notifications, ({ unread, marks, foreign, read }, shown, id) =>
        shown === true &&
        !read &&
        unread &&
        ![...marks, ...foreign].some(
          (mark) => !isBefore(mark, unread, lag) && mayFall(mark, mark, spanOf(event)),
        )
          ? {
              expected: `read: false of ${id}, which was not marked`,
              actual: 'read: true',
              because: [unread.by],
            }
          : undefined,
      ),
  }),
  rule({
    id: 'unread-counted',
    requirement: 'NOTIFICATION-UNREAD-COUNT',
    anchor: 'notification-list',
    operations: ['listNotifications'],
    others: true,
    judge(_, { answer }) {
      const unread = numberAt(answer.json, 'unread')
      if (!isSuccess(answer) || unread === undefined) return undefined
      const shown = identified(answer.json).filter(({ item }) => field(item, 'read') === false).length
      return hold(unread >= shown, `unread: ${shown} or more`, `unread: ${unread}`)
    },
  }),
  rule({
    id: 'marking-accepted',
    requirement: 'ACCEPTS-readNotification',
    anchor: 'notification-marking',
    operations: ['readNotification'],
    others: true,
    judge({ notifications }, { resource, answer }) {
      const seen = notifications.get(resource ?? '')
      const by = seen?.unread?.by ?? seen?.read?.by
      if (by === undefined) return undefined
      return hold(answer.status !== 404, 'a success: the notification was listed', brief(answer), by)
    },
  }),
  rule({
    id: 'marking-ok',
    requirement: 'NOTIFICATION-READ-OK',
    anchor: 'read-notification',
    operations: ['readNotification'],
    judge(_, { answer }) {
      const ok = field(answer.json, 'ok')
      if (!isSuccess(answer) || typeof ok !== 'boolean') return undefined
      return hold(ok, 'ok: true', 'ok: false')
    },
  }),
]
