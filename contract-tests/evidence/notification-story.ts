/** Notifications from their arrival to their marking as read, shared among requirements. */
import { type Exchange, field, idOf, isAccepted, items } from '#traffic/exchange.ts'
import { NotExercised, skip } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumePresent, expectSame, itemIn } from '../harness/expect.ts'
import { anotherKey } from './key-use.ts'
import { lookAgain } from './late-effects.ts'
import {
  broughtByRuns,
  markRead,
  newNotification,
  newNotifications,
  notificationIds,
  sharedNotification,
  unreadOf,
} from './notifications.ts'
import { otherOrganization } from './organizations.ts'
import { unknownLike } from './resources.ts'
import { assumePositiveControl } from './valid-requests.ts'

/** Four new notifications that only `readNotifications` marks as read, and lists of the second organization around them. */
export const arrivedNotifications = (t: TestContext) =>
  t.evidence('arrived notifications', async () => {
    const isCompared = t.run.wants('ISOLATION-UNREAD') || t.run.wants('ISOLATION-LIST-NOTIFICATIONS')
    const other = isCompared ? await otherOrganization(t).catch(() => undefined) : undefined
    // Those for other requirements do not come between two lists.
    if (t.settings.statesUrl && t.run.evidence.has('notifications')) await sharedNotification(t).catch(skip)
    const first = await other?.call('listNotifications')
    const brought = t.run.isFor('NOTIFICATION-READ-ONE', 'ISOLATION-READ-NOTIFICATION') ? 3 : 1
    const arrived = await newNotifications(t, 4, { brought })
    const last = other && first && (await laterList(t, first, other))
    return { ...arrived, elsewhere: first && last && { before: first, after: last } }
  })

/** The second of them, or the only one in the list, marked as read twice: each response, and the lists before, between and after. */
export const readNotifications = (t: TestContext) =>
  t.evidence('read notifications', async () => {
    const { ids } = await arrivedNotifications(t)
    const [older, id, newer, ...more] = ids.length > 1 ? ids : [undefined, ...ids]
    const wanted = assumePresent(id, 'the new notification')
    const read = () => t.call('readNotification', { id: wanted })
    const listAfter = (before: Exchange, cause: Exchange) =>
      listRead(t, wanted, cause, () => laterList(t, before))
    const story = await t.run.unreadCount.write(async () => {
      // A service may mark what it lists a moment later.
      await t.target.sleep(400)
      const before = assumeAccepted(await listShowing(t, ids))
      const answer = await read()
      const after = await listAfter(before, answer)
      const again = await read()
      return { before, answer, after, again, later: await listAfter(after, again) }
    })
    // Two at once, and one of them twice, with another key of the organization; and one behind many newer ones.
    const other = await anotherKey(t)
    const old = t.settings.statesUrl && t.run.evidence.has('notifications') ? await newNotification(t) : ''
    // A service may keep only the newest.
    const isKept = itemIn(story.before, old) !== undefined
    const marked = more[0] === undefined ? [] : [newer, more[0], more[0], isKept ? old : undefined]
    await Promise.all(marked.map((one) => one && markRead(t, one, other)))
    // A list may follow late; after that it shows what lasts, to every key of the organization.
    await t.target.sleep(Math.max(1_000, t.settings.consistency + 50))
    const last = assumeAccepted(await other.call('listNotifications'))
    return { ...story, older, id: wanted, newer, last }
  })

/**
 * A notification that a run has brought, marked beside those of a provider state, and the list after that; undefined:
 * none is unread.
 */
export const markedOfRun = (t: TestContext) =>
  t.evidence('marked of a run', async () => {
    const least = t.run.exclusive?.id === 'NOTIFICATION-READ-ONE' ? 2 : 1
    const [id] = (t.settings.statesUrl && (await broughtByRuns(t, least).catch(skip))) || []
    if (id === undefined) return undefined
    const answer = await markRead(t, id)
    return { id, answer, list: await listRead(t, id, answer, () => t.call('listNotifications')) }
  })

/** The first list that shows a notification as read, for as long as one may be late; else the last one. */
const listRead = (t: TestContext, id: string, cause: Exchange, look: () => Promise<Exchange>) =>
  lookAgain(
    t,
    { kind: 'list', what: `that ${id} is read`, source: 'read in lists', cause },
    async () => assumeAccepted(await look()),
    (list) => field(itemIn(list, id), 'read') !== false,
  )

/**
 * The first list that shows all these notifications, for as long as they may be missing; else the last one. Behind
 * replicas a list may not show yet what another one did, and then does not count it either.
 */
async function listShowing(t: TestContext, ids: readonly string[], client = t.main): Promise<Exchange> {
  let last = await client.call('listNotifications')
  const shows = () => !isAccepted(last) || new Set(ids).isSubsetOf(new Set(idsIn(last)))
  if (shows()) return last
  await t.until(t.settings.consistency, async () => {
    last = await client.call('listNotifications')
    return shows() || undefined
  })
  return last
}

/** A list whose unread count can be compared with that of an earlier one. */
const laterList = (t: TestContext, before: Exchange, client?: Client) => listShowing(t, idsIn(before), client)

const idsIn = (list: Exchange) => items(list).flatMap((item) => idOf(field(item, 'id')) ?? [])

/**
 * Requires the unread count to differ by `change` from that of an earlier list, and by the new ones. Where the earlier
 * one left some out, those may be old.
 */
export function expectUnread(before: Exchange, after: Exchange, change: number, ...shown: Exchange[]): void {
  const [least, unread, added] = [
    unreadOf(before) + change,
    unreadOf(after),
    unreadOnlyIn(after, before).length,
  ]
  // Where every one is new, more may have come than the list shows.
  if (added > 0 && added === items(after).length && unread >= least) return
  const most = least + added
  if (showsAllUnread(before) || unread < least || unread > most) expectSame(unread, most, 'unread', ...shown)
}

/** Unread notifications that a service keeps at least. */
const keptAtLeast = 20

/**
 * How many unread notifications a later list does not show since they are gone: none if one of them can still be marked.
 * A list that is shorter than its count tells nothing of many.
 */
export async function droppedSince(t: TestContext, before: Exchange, later: Exchange): Promise<number> {
  if (!showsAllUnread(later)) return unreadOf(later) < keptAtLeast ? 0 : Infinity
  const missing = unreadOnlyIn(before, later)
  const [newest] = missing
  if (newest === undefined) return 0
  // Where unknown ones are marked, too, that one is taken for gone.
  const isThere = isAccepted(await markRead(t, newest)) && !isAccepted((await unknownMarked(t)).answer)
  return isThere ? 0 : missing.length
}

/** Whether a list shows as many unread notifications as it counts. */
const showsAllUnread = (list: Exchange) =>
  items(list).filter((item) => field(item, 'read') === false).length >= unreadOf(list)

/** The unread notifications that a list shows and another one does not. */
function unreadOnlyIn(list: Exchange, other: Exchange): string[] {
  const known = new Set(notificationIds(other))
  return notificationIds(list).filter((id) => !known.has(id) && field(itemIn(list, id), 'read') !== true)
}

/** The answer to marking an unknown notification, and the list after that. Continues only if a known id shows what ids look like. */
export const unknownMarked = (t: TestContext) =>
  t.evidence('unknown notification', async () => {
    const list = await assumePositiveControl(t, 'listNotifications')
    const isOffered = t.states.mayOffer('unread_notification')
    const shared = isOffered && (await sharedNotification(t).catch(skip))
    const known = notificationIds(list)[0] ?? (shared || undefined)
    if (known === undefined)
      throw new NotExercised(
        'there is no notification whose id shows what an unknown id looks like',
        'the state "unread_notification", or an organization with notifications',
      )
    const answer = await t.call('readNotification', { id: unknownLike(known) })
    return { answer, list: await t.call('listNotifications') }
  })
