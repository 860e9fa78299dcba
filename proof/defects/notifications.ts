/** §2 Notification, §3.4, §4 Notifications: notifications that are miscounted, or wrongly marked as read. */
import { setImmediate } from 'node:timers/promises'
import type { Organization } from '#mocks/core/organization.ts'
import type { Notification, Run } from '#mocks/core/resources.ts'
import { carriesCreatedKey, combineMutations, hasKey, type Mutation } from '../mutations/mutation.ts'
import {
  callAfterRunEnd,
  overrideNewIds,
  withDelayedEffects,
  withOtherOrganizationPredicate,
} from '../mutations/organizations.ts'
import {
  changeField,
  changeItems,
  changeRequests,
  type MutableJsonObject,
  rewriteSuccess,
} from '../mutations/reply.ts'
import { callAfterHandling, changeAnswer, refuseRequests, replaceHandler } from '../mutations/rules.ts'
import { type Defect, defectsOfTable } from './defect.ts'

const isOfRun = ({ task_id }: Notification) => task_id !== null
const isOfFailure = ({ task_id }: Notification, org: Organization) =>
  org.tasks.get(task_id ?? '')?.run?.outcome === 'failed'

const all = ({ notifications }: Organization) => notifications.newest(Infinity)

/** Replaces what marking a notification as read does to it; the answer is the usual one. */
const marking = (mark: (one: Notification, org: Organization) => void) =>
  replaceHandler('readNotification', (call, usual) => {
    const one = call.org.notifications.get(call.id)
    if (!one) return usual(call)
    mark(one, call.org)
    return { ok: true }
  })

/** Loses the first of several marks that are set at the same moment. */
function marksLost(): Mutation {
  let going = 0
  return {
    async middleware({ request, operation }, next) {
      if (operation !== 'readNotification' || !hasKey(request)) return next(request)
      const isFirst = going++ === 0
      await setImmediate(undefined)
      const isLost = isFirst && going > 1
      going--
      return isLost ? Response.json({ ok: true }) : next(request)
    },
  }
}

/** Shows a notification as read only to the key that has marked it. */
function readByKey(): Mutation {
  const readers = new Map<unknown, string | null>()
  const keyOf = ({ headers }: Request) => headers.get('authorization')
  return combineMutations(
    rewriteSuccess((_, { request }) => {
      const id = /([^/]+)\/read$/.exec(new URL(request.url).pathname)?.[1]
      readers.set(id, keyOf(request))
    }, 'readNotification'),
    rewriteSuccess(({ body }, { request }) => {
      const list = body as { items: MutableJsonObject[]; unread: number }
      for (const item of list.items.filter(({ id }) => readers.has(id)))
        if (item.read && readers.get(item.id) !== keyOf(request)) {
          item.read = false
          list.unread++
        }
    }, 'listNotifications'),
  )
}

/** Marks the notification of a run as read when the run ends. */
const readFromStart = (isMeant: (run: Run) => boolean): Mutation =>
  callAfterRunEnd((org, run) => {
    const [newest] = org.notifications.newest(1)
    if (newest && newest.task_id === run.task_id && isMeant(run)) org.notifications.markRead(newest)
  })

/** Leaves some notifications of runs since the first request out of the unread count, as a stored count may. */
function unreadWithoutRuns(isLeftOut: (nth: number) => boolean): Mutation {
  const first = new Map<Organization, number>()
  return combineMutations(
    { onOrganization: (org) => void first.set(org, org.clock.now()) },
    changeAnswer('listNotifications', ({ unread }, { org }) => {
      const since = first.get(org) ?? 0
      const brought = all(org).filter((one) => isOfRun(one) && one.created_at > since)
      const leftOut = brought.toReversed().filter((one, nth) => !one.read && isLeftOut(nth))
      return { unread: unread - leftOut.length }
    }),
  )
}

/** Shows and counts notifications as unread by the time since they were first marked, ms. */
function showUnread(isUnread: (since: number) => boolean): Mutation {
  const markedAt = new Map<string, number>()
  return combineMutations(
    callAfterHandling('readNotification', ({ id, now }) => void markedAt.set(id, markedAt.get(id) ?? now)),
    changeAnswer('listNotifications', ({ items, unread }, { now }) => {
      const isBack = (id: string | number) => {
        const at = markedAt.get(String(id))
        return at !== undefined && isUnread(now - at)
      }
      return {
        unread: unread + items.filter((one) => one.read && isBack(one.id)).length,
        items: items.map((one) => (isBack(one.id) ? { ...one, read: false } : one)),
      }
    }),
  )
}

/** Deliberate defects of notifications that are counted or marked wrongly. */
export const notificationDefects: readonly Defect[] = defectsOfTable({
  'NOTIFICATION-UNREAD-COUNT': {
    'unread-kept-at-runs: unread is kept when a run brings a notification.': () =>
      unreadWithoutRuns(() => true),
    'unread-kept-at-first-run: unread is kept when the first run brings a notification.': () =>
      unreadWithoutRuns((nth) => nth === 0),
  },
  'NOTIFICATION-UNREAD-COUNT notification-unread-low: unread is one too few.': () =>
    changeField('listNotifications', 'unread', (unread) => Math.max(0, Number(unread) - 1)),
  'NOTIFICATION-UNREAD-COUNT notification-unknown-counted: Marking an unknown notification lowers unread.':
    () => {
      const unknown = new WeakMap<Organization, number>()
      return combineMutations(
        callAfterHandling('readNotification', ({ org, id }) => {
          if (!org.notifications.get(id)) unknown.set(org, (unknown.get(org) ?? 0) + 1)
        }),
        changeAnswer('listNotifications', ({ unread }, { org }) => ({
          unread: Math.max(0, unread - (unknown.get(org) ?? 0)),
        })),
      )
    },
  'NOTIFICATION-NEW-UNREAD notification-born-read: A notification is listed as read from the start.': () =>
    changeField('listNotifications', 'items.*.read', true),
  'NOTIFICATION-NEW-UNREAD notification-of-run-born-read: A notification of a run is read from the start.':
    () => readFromStart(() => true),
  'NOTIFICATION-NEW-UNREAD notification-of-failure-born-read: The notification of a failed run is read from the start.':
    () => readFromStart(({ outcome }) => outcome === 'failed'),
  'NOTIFICATION-STAYS-UNREAD notification-read-by-listing: Listing notifications marks them as read.': () =>
    callAfterHandling('listNotifications', ({ org }) => {
      for (const one of all(org)) org.notifications.markRead(one)
    }),
  'NOTIFICATION-STAYS-UNREAD notification-read-after-listing: Listing notifications marks them as read 300 ms later.':
    () =>
      withDelayedEffects((arrange) =>
        callAfterHandling('listNotifications', ({ org, now }) => {
          const shown = all(org)
          arrange(org, now + 300, () => shown.forEach((one) => void org.notifications.markRead(one)))
        }),
      ),
  'NOTIFICATION-NEW-COUNTED notification-page-counted: The list shows the three newest notifications, and unread counts those alone.':
    () =>
      changeAnswer('listNotifications', ({ items }) => {
        const page = items.slice(0, 3)
        return { items: page, unread: page.filter(({ read }) => !read).length }
      }),
  'NOTIFICATION-NEW-COUNTED notification-counted-twice: A new notification increases unread by two.': () => {
    const twice = new WeakMap<Organization, number>()
    return combineMutations(
      overrideNewIds('notification', (org, usual) => () => {
        twice.set(org, (twice.get(org) ?? 0) + 1)
        return usual()
      }),
      changeAnswer('listNotifications', ({ unread }, { org }) => ({
        unread: unread + (twice.get(org) ?? 0),
      })),
    )
  },
  'NOTIFICATION-UNREAD-COUNT notification-uncounted: unread is always zero.': () =>
    changeField('listNotifications', 'unread', 0),
  'NOTIFICATION-READ-ONE notification-unknown-marks-newest: Marking an unknown notification marks the newest unread.':
    () =>
      callAfterHandling('readNotification', ({ org: { notifications }, id }) => {
        const [newest] = notifications.newest(1, ({ read }) => !read)
        if (newest && !notifications.get(id)) notifications.markRead(newest)
      }),
  'NOTIFICATION-UNREAD-COUNT notification-uncounted-elsewhere: unread is 0 in all organizations but one.':
    () =>
      withOtherOrganizationPredicate((isElsewhere) =>
        changeAnswer('listNotifications', (_, { org }) => (isElsewhere(org) ? { unread: 0 } : undefined)),
      ),
  'NOTIFICATION-READ NOTIFICATION-UNREAD-COUNT notification-stays-unread: Marking a notification as read changes unread only.':
    () => changeField('listNotifications', 'items.*.read', false),
  'NOTIFICATION-READ notification-read-ignored: Marking a notification as read does nothing.': () =>
    marking(() => {}),
  'LIST-PROMPT notification-mark-late: A notification is shown as read 150 ms after it was marked.': () =>
    showUnread((since) => since < 150),
  'NOTIFICATION-READ notification-marks-of-created-keys-lost: Marking a notification with a created key does nothing.':
    () =>
      changeRequests(
        (request) => (carriesCreatedKey(request) ? Response.json({ ok: true }) : undefined),
        'readNotification',
      ),
  'NOTIFICATION-READ notification-marks-of-old-ones-lost: Marking any but the ten newest notifications does nothing.':
    () =>
      marking((one, { notifications }) => {
        if (notifications.newest(10).includes(one)) notifications.markRead(one)
      }),
  'NOTIFICATION-READ notification-marks-lost: Of two notifications that are marked at the same time, one stays unread.':
    marksLost,
  'NOTIFICATION-LISTED notification-list-of-the-oldest: listNotifications shows only the oldest 20 items.':
    () => changeItems('listNotifications', (list) => list.slice(-20)),
  'NOTIFICATION-LISTED notification-list-of-the-oldest-100: Of an organization with 150 tasks that ran, listNotifications shows only the oldest 100 items.':
    () =>
      combineMutations(
        { options: { past: 150 } },
        changeItems('listNotifications', (list) => list.slice(-100)),
      ),
  'NOTIFICATION-STAYS-READ notification-unread-again: A notification that was marked as read is unread again half a second later.':
    () => showUnread((since) => since > 500),
  'NOTIFICATION-STAYS-READ notification-read-by-key: A notification is read only for the key that has marked it.':
    readByKey,
  'NOTIFICATION-READ-OK notification-read-not-ok: Marking a notification as read answers ok: false.': () =>
    changeField('readNotification', 'ok', false),
  'NOTIFICATION-READ-COUNT notification-read-uncounted: Marking a notification as read leaves unread as it was.':
    () =>
      changeAnswer('listNotifications', ({ items, unread }) => ({
        unread: unread + items.filter(({ read }) => read).length,
      })),
  'NOTIFICATION-READ-ONE notification-read-by-longer-id: Marking an id that begins with that of a notification marks the notification.':
    () =>
      replaceHandler('readNotification', (call, usual) => {
        const [one] = call.org.notifications.newest(1, ({ id }) => call.id.startsWith(id))
        return usual({ ...call, id: one?.id ?? call.id })
      }),
  'NOTIFICATION-READ-ONE notification-read-older: Marking a notification as read marks the older ones too.':
    () =>
      callAfterHandling('readNotification', ({ org, id }) => {
        const place = all(org).findIndex((one) => one.id === id)
        for (const older of all(org).slice(place + 1)) older.read = true
      }),
  'NOTIFICATION-READ-ONE notification-read-all: Marking a notification as read marks all others too.': () =>
    callAfterHandling('readNotification', ({ org }) => {
      for (const one of all(org)) one.read = true
    }),
  'NOTIFICATION-READ-ONE notification-read-all-counted: Marking a notification as read marks all others too, and counts them.':
    () =>
      callAfterHandling('readNotification', ({ org }) => {
        for (const one of all(org)) org.notifications.markRead(one)
      }),
  'NOTIFICATION-READ notification-of-run-stays-unread: A notification of a run is not marked, whatever the answer.':
    () =>
      marking((one, { notifications }) => {
        if (!isOfRun(one)) notifications.markRead(one)
      }),
  'NOTIFICATION-READ notification-of-failure-stays-unread: The notification of a failed run is not marked, whatever the answer.':
    () =>
      marking((one, org) => {
        if (!isOfFailure(one, org)) org.notifications.markRead(one)
      }),
  'NOTIFICATION-NEW-COUNTED notification-of-failure-read-by-listing: Listing marks notifications of failed runs as read.':
    () =>
      callAfterHandling('listNotifications', ({ org }) => {
        for (const one of all(org)) if (isOfFailure(one, org)) org.notifications.markRead(one)
      }),
  'NOTIFICATION-READ-ONE notification-of-run-marks-all: Marking a notification of a run marks all of runs.':
    () =>
      marking((one, org) => {
        org.notifications.markRead(one)
        for (const other of isOfRun(one) ? all(org).filter(isOfRun) : []) org.notifications.markRead(other)
      }),
  'NOTIFICATION-READ-AGAIN notification-read-again-refused: Marking a notification as read again is refused with 409.':
    () => refuseRequests('readNotification', 'conflict', ({ org, id }) => org.notifications.get(id)?.read),
  'NOTIFICATION-READ-AGAIN notification-read-toggles: Marking a notification as read again makes it unread.':
    () =>
      marking((one, org) => {
        if (one.read) one.read = false
        else org.notifications.markRead(one)
      }),
  'NOTIFICATION-UNKNOWN NOTIFICATION-ODD-ID MALFORMED-ID-readNotification notification-unknown-fails: Marking an unknown notification as read is answered 500.':
    () => refuseRequests('readNotification', 'internal_error', ({ org, id }) => !org.notifications.get(id)),
  'NOTIFICATION-LISTED notifications-none-listed: The list of notifications is empty, whatever unread says.':
    () => changeField('listNotifications', 'items', []),
  'LIST-IDS-UNIQUE notification-same-id: The two newest notifications are listed with one id.': () =>
    changeItems('listNotifications', (list) =>
      list.length > 2 ? [...list.slice(0, -1), { ...list.at(-1), id: list.at(-2).id }] : list,
    ),
  'LIST-IDS-UNIQUE notification-id-repeated-sometimes: Every third notification gets the id of the one before it.':
    () =>
      overrideNewIds('notification', (_, usual) => {
        let last = ''
        let count = 0
        return () => {
          if (++count % 3 !== 0 || last === '') last = usual()
          return last
        }
      }),
})
