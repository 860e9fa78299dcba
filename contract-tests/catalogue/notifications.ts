/** §2 Notification, §3.4, §4 Notifications. */
import { notificationIds, notificationIn, unreadNotification } from '../evidence/resources.ts'
import { type Exchange, field, items } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectAccepted, expectSame, expectThat, need, needAccepted, show } from '../words.ts'

const traits = { writes: true, alone: true, quiet: true, needs: ['state:unread_notification'] } as const

/** `unread` of a list answer. */
function unreadOf(list: Exchange): number {
  const unread = field(list.json, 'unread')
  return need(typeof unread === 'number' ? unread : undefined, 'unread')
}

/** A notification marked as read, twice: each answer, and the list before, between and after. */
const reading = (kit: Kit) =>
  kit.evidence('reading', async () => {
    const { id } = await unreadNotification(kit)
    const before = needAccepted(await kit.call('listNotifications'))
    const answer = await kit.call('readNotification', { id })
    const after = needAccepted(await kit.call('listNotifications'))
    const again = await kit.call('readNotification', { id })
    const later = needAccepted(await kit.call('listNotifications'))
    return { id, before, answer, after, again, later }
  })

export const notifications: Requirement[] = [
  probe(
    'NOTIFICATION-UNREAD-COUNT',
    'MUST',
    '§2',
    'listNotifications',
    'unread counts at least the unread items that are listed.',
    async (kit) => {
      if (kit.states.mayOffer('unread_notification') && !kit.settings.readOnly)
        await unreadNotification(kit).catch(() => undefined)
      const list = needAccepted(await kit.call('listNotifications'))
      const listed = items(list).filter((item) => field(item, 'read') === false).length
      if (items(list).length === 0)
        throw new NotExercised(
          'there are no notifications',
          'the state "unread_notification", or an organization with notifications',
        )
      expectThat(unreadOf(list) >= listed, `unread of at least ${listed}`, String(unreadOf(list)), list)
    },
    { alone: true, quiet: true },
  ),

  probe(
    'NOTIFICATION-NEW-UNREAD',
    'MUST',
    '§3.4',
    'listNotifications',
    'A new notification is unread.',
    async (kit) => {
      const { id, list } = await unreadNotification(kit)
      const read = field(notificationIn(list, id), 'read')
      expectThat(read !== true, 'read: false', 'read: true', list)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-NEW-COUNTED',
    'MUST',
    '§2',
    'listNotifications',
    'A new notification raises unread by one.',
    async (kit) => {
      const before = unreadOf(needAccepted(await kit.call('listNotifications')))
      const known = new Set(notificationIds(needAccepted(await kit.call('listNotifications'))))
      await kit.states.setup('unread_notification', { org_id: await kit.orgId() })
      const list = await kit.until(kit.settings.runTimeout, async () => {
        const seen = needAccepted(await kit.call('listNotifications'))
        return notificationIds(seen).some((id) => !known.has(id)) ? seen : undefined
      })
      if (!list)
        throw new NotExercised(
          `the provider's set-up is at fault: "unread_notification" brought no new notification`,
        )
      const fresh = notificationIds(list).filter((id) => !known.has(id)).length
      expectSame(unreadOf(list), before + fresh, 'unread', list)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ',
    'MUST',
    '§3.4',
    'readNotification',
    'Marking a notification as read sets its read to true.',
    async (kit) => {
      const { id, answer, after } = await reading(kit)
      needAccepted(answer)
      const item = need(notificationIn(after, id), 'the notification in the list')
      expectThat(field(item, 'read') !== false, 'read: true', 'read: false', answer, after)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-OK',
    'MUST',
    '§4',
    'readNotification',
    'Marking a notification as read is accepted and answers ok: true.',
    async (kit) => {
      const { answer } = await reading(kit)
      const ok = field(expectAccepted(answer).json, 'ok')
      if (typeof ok === 'boolean') expectSame(ok, true, 'ok', answer)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-COUNT',
    'MUST',
    '§2, §3.4',
    'readNotification',
    'Marking an unread notification as read lowers unread by one.',
    async (kit) => {
      const { before, answer, after } = await reading(kit)
      needAccepted(answer)
      const fresh = notificationIds(after).filter((id) => !notificationIds(before).includes(id)).length
      expectSame(unreadOf(after), unreadOf(before) - 1 + fresh, 'unread', before, answer, after)
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-ONE',
    'MUST',
    '§3.4',
    'readNotification',
    'Marking a notification as read changes no other.',
    async (kit) => {
      for (let i = 0; i < 2; i++) await kit.states.setup('unread_notification', { org_id: await kit.orgId() })
      const before = needAccepted(await kit.call('listNotifications'))
      const unread = notificationIds(before).filter(
        (one) => field(notificationIn(before, one), 'read') === false,
      )
      const id = unread.length > 1 ? unread[0] : undefined
      needAccepted(await kit.call('readNotification', { id: need(id, 'a pair of unread notifications') }))
      const after = needAccepted(await kit.call('listNotifications'))
      const changed = notificationIds(before).filter((one) => {
        const [then, now] = [
          field(notificationIn(before, one), 'read'),
          field(notificationIn(after, one), 'read'),
        ]
        return one !== id && now !== undefined && then !== now
      })
      expectThat(
        changed.length === 0,
        'all others as they were',
        `read changed on ${show(changed)}`,
        before,
        after,
      )
    },
    traits,
  ),

  probe(
    'NOTIFICATION-READ-AGAIN',
    'MUST',
    '§3.4',
    'readNotification',
    'Marking it again is accepted and changes nothing.',
    async (kit) => {
      const { id, answer, after, again, later } = await reading(kit)
      needAccepted(answer)
      expectAccepted(again)
      const fresh = notificationIds(later).filter((one) => !notificationIds(after).includes(one)).length
      expectSame(unreadOf(later), unreadOf(after) + fresh, 'unread', after, later)
      expectThat(field(notificationIn(later, id), 'read') !== false, 'read: true', 'read: false', later)
    },
    traits,
  ),
]
