/** §2 Notification, §3.4: a notification is unread until it is marked, and read for ever after. */
import { field } from '#traffic/exchange.ts'
import { refusals } from '../creations.ts'
import { type Answered, isSuccess } from '../event.ts'
import { brief, identified, intervalOf, isBefore, isPast, mayFall, numberAt } from '../matching.ts'
import type { Inbox, Interval, Notification, Organization, State } from '../state.ts'
import { type Finding, ofEach, type Rule, required, rule } from '../violation.ts'

/** Judges each listed notification that is known; `true` where all fit, and one `bears` on the rule. */
function eachListed(
  { notifications }: Organization,
  event: Answered,
  bears: (notification: Notification) => boolean,
  judge: (notification: Notification, read: unknown, id: string) => Finding,
): Finding {
  const listed = identified(event.answer.json).flatMap(({ id, item }) => {
    const one = notifications.get(id)
    return one ? [{ one, read: field(item, 'read'), id }] : []
  })
  const finding = ofEach(listed, event, ({ one, read, id }) => judge(one, read, id))
  return typeof finding === 'object' || listed.some(({ one }) => bears(one)) ? finding : undefined
}

const staysRead = (id: string, requirement: string, marked: boolean): Rule =>
  rule(id, requirement, 'notification-marking', ['listNotifications']).judge(
    (org, event, { consistency }) => {
      const bears = ({ read }: Notification) => read?.marked === marked
      return eachListed(org, event, bears, ({ read }, shown, id) => {
        if (read?.marked !== marked || !isBefore(read, intervalOf(event), consistency)) return undefined
        return required(shown !== false, `read: true of ${id}`, 'read: false', read.by)
      })
    },
  )

/** Whether a notification was to be marked by a request that was refused without effect. */
const isRefused = (refused: State['refused'], id: string) =>
  refusals.some(([status]) => refused.has(`${status} readNotification ${id}`))

export const notifications: readonly Rule[] = [
  staysRead('marked-read', 'NOTIFICATION-READ', true),
  staysRead('stays-read', 'NOTIFICATION-STAYS-READ', false),
  rule('stays-unread', 'NOTIFICATION-READ-ONE', 'notification-marking', ['listNotifications'], {
    others: true,
  }).judge((org, event, { consistency, refused }) => {
    const isMarked = [...org.notifications.values()].some(({ marks }) => marks.length > 0)
    const bears = ({ unread }: Notification) => isMarked && unread !== undefined
    return eachListed(org, event, bears, ({ unread, marks, foreign, read }, shown, id) => {
      if (!unread || read || shown !== true || isRefused(refused, id)) return undefined
      const isSince = (mark: Interval) =>
        !isBefore(mark, unread, consistency) && mayFall(mark, mark, intervalOf(event))
      const isOpen = [...marks, ...foreign].some(isSince)
      return required(isOpen, `read: false of ${id}, which was not marked`, 'read: true', unread.by)
    })
  }),
  ...refusals.map(([status, prefix, anchor]) =>
    rule(`refused-marking-${status}`, `${prefix}-MARKING`, anchor, ['listNotifications'], {
      others: true,
    }).judge(({ notifications }, event, { refused, consistency }) => {
      const at = intervalOf(event)
      const shown = identified(event.answer.json).flatMap(({ id, item }) => {
        const { unread, read, marks = [], foreign = [] } = notifications.get(id) ?? {}
        if (!unread || read) return []
        const isMarked = refused.has(`accepted readNotification ${id}`)
        const by = isMarked ? undefined : refused.get(`${status} readNotification ${id}`)
        const isUnasked = !isMarked && marks.length === 0 && !isRefused(refused, id)
        return [{ id, unread, by, isUnasked, marks, foreign, isRead: field(item, 'read') === true }]
      })
      // What marks others, too, may be anything else.
      const unasked = shown.filter((one) => one.isUnasked)
      const isElsewhere = unasked.some(({ isRead }) => isRead)
      const all = unasked.length > 0 ? [] : [...notifications.values()].flatMap((one) => one.marks)
      const tried = shown.filter(({ by }) => by !== undefined)
      return ofEach(tried.length > 0 ? tried : undefined, event, (one) => {
        const { id, unread, by, marks, foreign, isRead } = one
        // It was seen unread long after another organization has marked it, which then is not why.
        const theirs = foreign.filter(({ from }) => !isPast(from, unread.from, consistency))
        if (isElsewhere || [...all, ...marks, ...theirs].some((mark) => mayFall(mark, unread, at)))
          return undefined
        const expected = `read: false of ${id}, whose marking was refused`
        return required(!isRead, expected, 'read: true', unread.by, by)
      })
    }),
  ),
  rule('unread-counted', 'NOTIFICATION-UNREAD-COUNT', 'notification-list', ['listNotifications'], {
    others: true,
  }).judge((_, { answer }) => {
    const unread = numberAt(answer.json, 'unread')
    if (!isSuccess(answer) || unread === undefined) return undefined
    const shown = identified(answer.json).filter(({ item }) => field(item, 'read') === false).length
    return required(unread >= shown, `unread: ${shown} or more`, `unread: ${unread}`)
  }),
  rule('marking-accepted', 'ACCEPTS-readNotification', 'notification-marking', ['readNotification'], {
    others: true,
  }).judge(({ notifications }, { resource, answer }) => {
    const seen = notifications.get(resource ?? '')
    const by = seen?.unread?.by ?? seen?.read?.by
    if (by === undefined) return undefined
    return required(answer.status !== 404, 'a success: the notification was listed', brief(answer), by)
  }),
  rule('marking-again-accepted', 'NOTIFICATION-READ-AGAIN', 'notification-marking', [
    'readNotification',
  ]).judge(({ notifications }, event) => {
    const { read } = notifications.get(event.resource ?? '') ?? {}
    if (!read || !isBefore(read, intervalOf(event))) return undefined
    const isRefused = [400, 409, 422].includes(event.answer.status)
    return required(!isRefused, 'a success: it is read already', brief(event.answer), read.by)
  }),
  rule('marking-ok', 'NOTIFICATION-READ-OK', 'read-notification', ['readNotification']).judge(
    (_, { answer }) => {
      const ok = field(answer.json, 'ok')
      if (!isSuccess(answer) || typeof ok !== 'boolean') return undefined
      return required(ok, 'ok: true', 'ok: false')
    },
  ),
]

/** Fewest and most unread notifications that a list may count, by an earlier list. */
interface Expected {
  readonly before: Inbox
  readonly least: number
  readonly most: number
  /** Requests to mark a notification that may have had their effect in between. */
  readonly marks: readonly number[]
}

const unreadIn = ({ shown }: Pick<Inbox, 'shown'>) => [...shown.values()].filter(Boolean).length

/** What is expected by the last list that was certainly answered before. */
function expectedAt(org: Organization, event: Answered, { consistency }: State): Expected | undefined {
  const at = intervalOf(event)
  const before = org.inboxes.findLast((one) => isBefore(one, at))
  if (!before) return undefined
  const items = identified(event.answer.json)
  const fresh = items.filter(({ id }) => !before.shown.has(id))
  // A list that leaves some out may show old ones later, or leave new ones out.
  const isWhole = unreadIn(before) === before.unread
  const showsAll = [...before.shown.keys()].every((id) => items.some((one) => one.id === id))
  const isLonger = fresh.length === 0 || showsAll
  // One that may not show yet what another one did does not count it either.
  const isBehind = !showsAll && !isBefore(before, at, consistency)
  const arrived = isWhole ? fresh.filter(({ item }) => field(item, 'read') === false).length : 0
  const marked = [...org.notifications].filter(
    ([, { read, marks }]) =>
      isMarkable(read, before, consistency) &&
      marks.some((mark) => !isBefore(mark, before, consistency) && mayFall(mark, mark, at)),
  )
  const sure = [...org.notifications].filter(
    ([id, { read }]) =>
      before.shown.get(id) && read?.marked && isBefore(before, read) && isBefore(read, at, consistency),
  )
  // What is not listed any more may not exist any more.
  const left = new Set([...items.map(({ id }) => id), ...marked.map(([id]) => id)])
  const gone = [...before.shown].filter(([id, isUnread]) => isUnread && !left.has(id))
  return {
    before,
    least: isBehind ? 0 : before.unread + arrived - marked.length - gone.length,
    most: isLonger ? before.unread + fresh.length - sure.length : Number.POSITIVE_INFINITY,
    marks: marked.flatMap(([, { marks }]) => marks.map(({ by }) => by)),
  }
}

const isMarkable = (read: Notification['read'], before: Inbox, consistency: number) =>
  !read || !isBefore(read, before, consistency)

/** `isMarked`: judges the lists between which something may have been marked, or the others. */
const counted = (id: string, requirement: string, isMarked: boolean): Rule =>
  rule(id, requirement, 'notification-list', ['listNotifications'], { others: true }).judge(
    (org, event, state) => {
      const unread = numberAt(event.answer.json, 'unread')
      const expected = isSuccess(event.answer) ? expectedAt(org, event, state) : undefined
      if (unread === undefined || !expected || expected.marks.length > 0 !== isMarked) return undefined
      const { before, least, most, marks } = expected
      const range =
        least === most
          ? `${least}`
          : most === Number.POSITIVE_INFINITY
            ? `${least} or more`
            : `${least} to ${most}`
      return required(
        unread >= least && unread <= most,
        `unread: ${range}`,
        `unread: ${unread}`,
        before.by,
        ...marks,
      )
    },
  )

export const unread: readonly Rule[] = [
  counted('unread-after-marking', 'NOTIFICATION-READ-COUNT', true),
  counted('unread-without-marking', 'NOTIFICATION-NEW-COUNTED', false),
  rule('notification-listed', 'NOTIFICATION-LISTED', 'list-contents', ['listNotifications']).judge(
    ({ inboxes, notifications }, event, { consistency }) => {
      const unread = numberAt(event.answer.json, 'unread')
      if (!isSuccess(event.answer) || unread === undefined) return undefined
      const at = intervalOf(event)
      const items = identified(event.answer.json)
      const early = inboxes.filter((one) => isBefore(one, at, consistency))
      const grown = (since: Inbox) =>
        early.findLast((one) => isBefore(since, one, consistency) && one.unread > since.unread)
      // Something arrived between two lists, both long ago, is still unread, and nothing is listed that was new then.
      const since = early.findLast((one) => one.unread < unread && grown(one))
      const later = since && grown(since)
      const isOld = (id: string) => {
        const seen = notifications.get(id)?.seen
        return seen !== undefined && since !== undefined && isBefore(seen, since, consistency)
      }
      if (later)
        return required(
          !items.every(({ id }) => isOld(id)),
          'a notification that was new then',
          `${items.length} old ones`,
          since.by,
          later.by,
        )
      const first = early.find((one) => one.unread > 0)
      if (!first || unread === 0) return undefined
      return required(items.length > 0, `one of ${unread} unread`, 'an empty list', first.by)
    },
  ),
]
