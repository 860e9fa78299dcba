/** What checks create to have something to read; each keeps the answer that created it. */

import type { Client } from '../client.ts'
import { type Exchange, field, idOf, items } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { need, needAccepted } from '../words.ts'

export interface Created {
  readonly id: string
  readonly exchange: Exchange
}

/** A new task with that text. */
export async function newTask(
  kit: Kit,
  text = kit.name('Task'),
  client: Client = kit.main,
): Promise<Created & { text: string }> {
  const exchange = needAccepted(await client.call('createTask', { body: { text } }))
  const id = need(idOf(field(exchange.json, 'task', 'id')), 'task.id of the created task')
  kit.created.push({ operation: 'createTask', id })
  return { id, exchange, text }
}

/** A new document with those fields. */
export async function newDocument(
  kit: Kit,
  fields: Record<string, string> = {},
  client: Client = kit.main,
): Promise<Created & { title: string }> {
  const title = fields.title ?? kit.name('Document')
  const exchange = needAccepted(await client.call('createDocument', { body: { ...fields, title } }))
  const id = need(idOf(field(exchange.json, 'item', 'id')), 'item.id of the created document')
  kit.created.push({ operation: 'createDocument', id })
  return { id, exchange, title }
}

/** A task that several requirements read and none runs. */
export const sharedTask = (kit: Kit) => kit.evidence('task', () => newTask(kit))

/** A document that several requirements read. */
export const sharedDocument = (kit: Kit) => kit.evidence('document', () => newDocument(kit))

/** A new key, with all that its creation told. */
export async function newKey(kit: Kit, name = kit.name('Key')) {
  const exchange = needAccepted(await kit.session.call('createKey', { body: { name } }))
  const key = field(exchange.json, 'key')
  const secret = need(text(field(exchange.json, 'secret')), 'secret of the created key')
  const id = idOf(field(key, 'id')) ?? idOf(field(exchange.json, 'id')) ?? (await idByName(kit, name))
  const made = { id, secret, others: typeof key === 'string' ? [key] : [], shownBy: exchange.number }
  kit.keys.push(made)
  kit.secrets.push(made)
  if (id !== undefined) kit.created.push({ operation: 'createKey', id })
  return { ...made, name, exchange, key, candidates: [secret, ...stringsOf(key)] }
}

export type NewKey = Awaited<ReturnType<typeof newKey>>

/** A key that several requirements look at and none deletes. */
export const sharedKey = (kit: Kit) => kit.evidence('key', () => newKey(kit))

/** The entry of a key in the list: by id, else by its name. */
export async function listedKey(
  kit: Kit,
  key: { id: string | undefined; name: string },
): Promise<{ exchange: Exchange; entry: unknown }> {
  const exchange = needAccepted(await kit.session.call('listKeys'))
  const keys = items(exchange, 'keys')
  const entry =
    keys.find((one) => key.id !== undefined && idOf(field(one, 'id')) === key.id) ??
    keys.find((one) => field(one, 'name') === key.name)
  return { exchange, entry }
}

async function idByName(kit: Kit, name: string): Promise<string | undefined> {
  const { entry } = await listedKey(kit, { id: undefined, name })
  return idOf(field(entry, 'id'))
}

/** Deletes a key that the run has made. */
export async function deleteKey(kit: Kit, key: { id: string | undefined }): Promise<Exchange> {
  const id = need(key.id, 'id of the created key')
  const exchange = await kit.session.call('deleteKey', { id })
  const at = kit.keys.findIndex((made) => made.id === id)
  if (exchange.status >= 200 && exchange.status < 300 && at >= 0) kit.keys.splice(at, 1)
  return exchange
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A key may be a string, or an object with strings in it. */
function stringsOf(key: unknown): string[] {
  const values = typeof key === 'object' && key !== null ? Object.values(key) : [key]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}

export interface SeenNotification {
  readonly id: string
  readonly list: Exchange
}

/** An unread notification that came during the run: arranged as a state, or left by a run of ours. */
export const unreadNotification = (kit: Kit) =>
  kit.evidence('notification', async (): Promise<SeenNotification> => {
    const known = new Set(notificationIds(needAccepted(await kit.call('listNotifications'))))
    await kit.states.setup('unread_notification', { org_id: await kit.orgId() })
    const seen = await kit.until(kit.settings.runTimeout, async () => {
      const list = needAccepted(await kit.call('listNotifications'))
      const id = notificationIds(list).find((one) => !known.has(one))
      return id === undefined ? undefined : { id, list }
    })
    if (!seen)
      throw new NotExercised(
        `the provider's set-up is at fault: "unread_notification" brought no new notification`,
      )
    return seen
  })

/** The ids in a list of notifications. */
export function notificationIds(list: Exchange): string[] {
  return items(list).flatMap((item) => idOf(field(item, 'id')) ?? [])
}

/** The notification of an id in a list. */
export function notificationIn(list: Exchange, id: string): unknown {
  return items(list).find((item) => idOf(field(item, 'id')) === id)
}
