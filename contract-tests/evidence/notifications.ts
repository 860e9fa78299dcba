/** Notifications that arrived during the run. */
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised, skip } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { Arranged } from '../client/recorder.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeItems, assumePresent, itemIn } from '../harness/expect.ts'
import { anotherRun, spendingElsewhere } from './runs.ts'

/** Notifications that arrived together. */
interface Arrived {
  /** Those that the list shows. */
  readonly ids: readonly string[]
  readonly count: number
  /** The first list that shows one of them, the first that contains all of them, and the list before they arrived. */
  readonly first: Exchange
  readonly list: Exchange
  readonly before: Exchange
}

/** Lets so many notifications arrive, or one run end, which may bring some. */
async function addUnread(t: TestContext, count: number): Promise<void> {
  if (!t.settings.statesUrl) return void (await anotherRun(t))
  const org_id = await t.orgId()
  await spendingElsewhere(t, async () => {
    for (let i = 0; i < count; i++) await t.states.setup('unread_notification', { org_id })
  })
}

/**
 * Notifications created by a provider state; `listed`: so many that the list has that many, of which not all are waited
 * for. Without states, unread ones that runs have brought, at least `brought`.
 */
export async function newNotifications(
  t: TestContext,
  least: number,
  { listed = 0, brought = 1 } = {},
): Promise<Arrived> {
  if (!t.settings.statesUrl) return takeBrought(t, brought, least)
  const before = assumeAccepted(await t.call('listNotifications'))
  const known = new Set(notificationIds(before))
  const count = Math.max(least, listed - known.size)
  await addUnread(t, count)
  const settled = t.target.now() + t.settings.consistency
  let last = undefined as Arrived | undefined
  const seen = await t.until(t.settings.runTimeout, async () => {
    const list = assumeAccepted(await t.call('listNotifications'))
    const ids = notificationIds(list).filter((one) => !known.has(one))
    last = { ids, count: ids.length, first: last && last.ids.length > 0 ? last.first : list, list, before }
    if (ids.length >= least) return last
    // A list may show its newest entries alone, and counts them all.
    const more = unreadOf(list) - unreadOf(before) - count
    const isShort = more === 0 || (more > 0 && t.target.now() >= settled)
    return ids.length > 0 && isShort ? { ...last, count } : undefined
  })
  // Some have arrived, of which the service may have lost or miscounted others.
  const arrived = seen ?? last
  if (!arrived || arrived.ids.length === 0) throw t.states.giveUp('unread_notification')
  return arrived
}

/**
 * Unread notifications that came since the first list, and that no other requirement has. If they are fewer than
 * `least`, tasks are run.
 */
async function takeBrought(t: TestContext, least: number, most: number): Promise<Arrived> {
  const taken = await t.evidence('notifications of runs', async () => new Set<string>())
  const before = listsOf(t)[0]?.exchange ?? assumeAccepted(await t.call('listNotifications'))
  const known = new Set(notificationIds(before))
  const look = async () => {
    const list = assumeAccepted(await t.call('listNotifications'))
    const isFree = (id: string) =>
      !known.has(id) && !taken.has(id) && field(itemIn(list, id), 'read') === false
    return { list, before, ids: notificationIds(list).filter(isFree) }
  }
  const brought = await lookWithRuns(t, least, look)
  const ids = brought.ids.slice(0, most)
  if (ids.length === 0)
    throw new NotExercised('no run brought an unread notification', 'the state "unread_notification"')
  for (const id of ids) taken.add(id)
  return { ...brought, first: brought.list, ids, count: ids.length }
}

/** What a look shows, with as many tasks run before it as it takes to show `least` ids; fewer, where a run brings none. */
async function lookWithRuns<Look extends { readonly ids: readonly string[] }>(
  t: TestContext,
  least: number,
  look: () => Promise<Look>,
): Promise<Look> {
  let last = await look()
  const afterRun = async () => {
    await anotherRun(t)
    return t.until(t.settings.consistency, async () => {
      const now = await look()
      return now.ids.length > last.ids.length ? now : undefined
    })
  }
  while (last.ids.length < least) {
    // Fewer will do, where no more may be spent.
    const more = await afterRun().catch(last.ids.length > 0 ? skip : undefined)
    if (!more) break
    last = more
  }
  return last
}

/** The accepted lists of the organization under test, in the order of their ends. */
function listsOf(t: TestContext) {
  const { authorization } = bearer(t.settings.apiKey)
  return t.recorder.sent.flatMap(({ operation, requestHeaders, sent, received, exchange }) =>
    operation === 'listNotifications' &&
    requestHeaders.authorization === authorization &&
    exchange &&
    received &&
    isAccepted(exchange)
      ? [{ exchange, sent, received }]
      : [],
  )
}

/**
 * Unread notifications that came between two lists between which no provider state was set up. A repeated check has
 * tasks run until there are `least` of them.
 */
export async function broughtByRuns(t: TestContext, least: number): Promise<readonly string[]> {
  const tenant = t.first ? 'other' : 'main'
  const isOfState = (one: Arranged) => one.tenant === tenant && one.state === 'unread_notification'
  const seen = () => broughtIn(listsOf(t), t.recorder.arranged.filter(isOfState))
  if (t.run.attempt === 0 || seen().length >= least) return seen()
  const look = async () => {
    await t.call('listNotifications')
    return { ids: seen() }
  }
  return (await lookWithRuns(t, least, look)).ids
}

function broughtIn(lists: ReturnType<typeof listsOf>, states: readonly Arranged[]): string[] {
  const known = new Set<string>()
  const last = lists.at(-1)?.exchange
  return lists.flatMap(({ exchange, received }, i) => {
    const since = lists[i - 1]?.sent.place ?? received.place
    const isArranged = states.some((one) => one.received.place > since && one.sent.place < received.place)
    const ids = notificationIds(exchange).filter((id) => known.size < known.add(id).size)
    const isUnread = (id: string) => last !== undefined && field(itemIn(last, id), 'read') === false
    return i === 0 || isArranged ? [] : ids.filter(isUnread)
  })
}

/** More notifications than short lists show. */
const many = 22

/** New notifications, at least as many as requirements that can share them mark as read. */
const stock = (t: TestContext) =>
  t.evidence('notifications', async () => {
    const uses = t.first ? ['LIMIT-REFUSED-MARKING', 'UNAVAILABLE-MARKING'] : ['NO-CREDITS-FREE-ROUTES']
    const least = 1 + uses.filter((id) => t.run.wants(id)).length
    const { ids } = await newNotifications(t, least, { listed: t.first ? 0 : many })
    return { shared: assumePresent(ids[0], 'the new notification'), left: ids.slice(1) }
  })

/** The id of a notification that nobody else uses. */
export async function newNotification(t: TestContext): Promise<string> {
  const { left } = await stock(t)
  return left.pop() ?? assumePresent((await newNotifications(t, 1)).ids[0], 'the new notification')
}

/** A new notification that several requirements share; it may be marked as read. */
export const sharedNotification = async (t: TestContext): Promise<string> => (await stock(t)).shared

/** Marks a notification as read, at no time at which unread ones are counted. */
export function markRead(t: TestContext, id: string, client: Client = t.main): Promise<Exchange> {
  return t.run.unreadCount.read(() => client.call('readNotification', { id }))
}

/** ms in which somebody else who marks notifications would have marked a new one. */
const unlisted = 1_000

/** Whether new notifications are read when they are listed for the first time, a while after their arrival. */
export async function othersMark(t: TestContext): Promise<boolean> {
  const known = new Set(notificationIds(assumeAccepted(await t.call('listNotifications'))))
  await addUnread(t, 4)
  await t.target.sleep(unlisted)
  const list = assumeAccepted(await t.call('listNotifications'))
  return notificationIds(list).some((id) => !known.has(id) && field(itemIn(list, id), 'read') === true)
}

/** Whether the unread count rises by itself within so many ms. */
export async function othersAdd(t: TestContext, client: Client = t.main, ms = unlisted): Promise<boolean> {
  const count = async () => unreadOf(assumeAccepted(await client.call('listNotifications')))
  const before = await count()
  await t.target.sleep(ms)
  return (await count()) > before
}

/** The ids in a list of notifications. */
export function notificationIds(list: Exchange): string[] {
  return assumeItems(list).flatMap((item) => idOf(field(item, 'id')) ?? [])
}

/** The unread count of a list response. */
export function unreadOf(list: Exchange): number {
  const unread = field(list.json, 'unread')
  return assumePresent(typeof unread === 'number' ? unread : undefined, 'unread')
}
