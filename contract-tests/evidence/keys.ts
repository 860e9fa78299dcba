/** Keys that checks make, each known by its id, its name and its secret, and deleted when the run is over. */
import type { Client } from '../client.ts'
import { type Exchange, field, idOf, isAccepted } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit, MadeKey } from '../kit.ts'
import { need, needAccepted, needItems } from '../words.ts'
import { createdId } from './created.ts'

/** Asks for a key, and takes note of what was made, so that it is deleted and never shown. */
export async function requestKey(
  kit: Kit,
  body: unknown = { name: kit.name('Key') },
  client: Client = kit.session,
): Promise<Exchange> {
  const exchange = await client.call('createKey', { body })
  if (!isAccepted(exchange)) return exchange
  const key = field(exchange.json, 'key')
  const name = text(field(body, 'name'))
  const id = createdId(exchange) ?? (name === undefined ? undefined : await idByName(client, name))
  const secret = text(field(exchange.json, 'secret')) ?? ''
  const made = { id, secret, others: typeof key === 'string' ? [key] : [], shownBy: exchange.number }
  kit.keys.push(made)
  if (secret) kit.secrets.push(made)
  return exchange
}

/** A new key, with all that its creation told. */
export async function newKey(kit: Kit, name = kit.name('Key'), session = kit.session) {
  const exchange = needAccepted(await requestKey(kit, { name }, session))
  const made = kit.secrets.find(({ shownBy }) => shownBy === exchange.number)
  const key = field(exchange.json, 'key')
  return {
    ...need(made, 'secret of the created key'),
    name,
    exchange,
    key,
    candidates: [made?.secret ?? '', ...stringsOf(key)],
  }
}

export type NewKey = Awaited<ReturnType<typeof newKey>>

/** The entry of a key in a list: by id, else by its name. */
export function entryIn(list: Exchange, key: { id: string | undefined; name: string }): unknown {
  const keys = needItems(needAccepted(list), 'keys')
  return (
    keys.find((one) => key.id !== undefined && idOf(field(one, 'id')) === key.id) ??
    keys.find((one) => field(one, 'name') === key.name)
  )
}

async function idByName(client: Client, name: string): Promise<string | undefined> {
  const list = await client.call('listKeys')
  return isAccepted(list) ? idOf(field(entryIn(list, { id: undefined, name }), 'id')) : undefined
}

/** Deletes a key that the run has made. */
export async function deleteKey(
  kit: Kit,
  key: Pick<MadeKey, 'id'>,
  session = kit.session,
): Promise<Exchange> {
  const id = need(key.id, 'id of the created key')
  const exchange = await session.call('deleteKey', { id })
  const at = kit.keys.findIndex((made) => made.id === id)
  if (isAccepted(exchange) && at >= 0) kit.keys.splice(at, 1)
  return exchange
}

/** Sees that a secret was given once: else what becomes of one key tells nothing of it. */
export function needOwnSecret(kit: Kit, { secret }: Pick<MadeKey, 'secret'>): void {
  if (kit.secrets.filter((made) => made.secret === secret).length > 1)
    throw new NotExercised('two keys were given the same secret')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A key may be a string, or an object with strings in it. */
function stringsOf(key: unknown): string[] {
  const values = typeof key === 'object' && key !== null ? Object.values(key) : [key]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
