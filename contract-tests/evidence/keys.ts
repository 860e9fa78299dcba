/** Keys that checks create; the clean-up deletes them at the end of the run. */

import { otherCookie } from '#traffic/curl.ts'
import { type Exchange, field, idOf, isAccepted } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumeItems, assumePresent } from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'
import type { MadeKey } from '../harness/run-state.ts'

/** Requests a key and records it, so that it is deleted and kept out of reports. */
export async function requestKey(
  t: TestContext,
  body: unknown = { name: t.name('Key') },
  client: Client = t.session,
): Promise<Exchange> {
  const exchange = await client.call('createKey', { body })
  if (!isAccepted(exchange)) return exchange
  const key = field(exchange.json, 'key')
  const name = text(field(body, 'name'))
  const id = createdId(exchange) ?? (name === undefined ? undefined : await idByName(t, client, name))
  const secret = text(field(exchange.json, 'secret')) ?? ''
  const made = { id, secret, others: typeof key === 'string' ? [key] : [], shownBy: exchange.number }
  t.keys.push(made)
  if (secret) t.secrets.push(made)
  return exchange
}

/** A new key, with everything that its creation returned. */
export const newKey = async (t: TestContext, name = t.name('Key'), session = t.session) =>
  keyOf(t, await requestKey(t, { name }, session))

/** The key that a response returned. */
export function keyOf(t: TestContext, answer: Exchange) {
  const exchange = assumeAccepted(answer)
  const name = String(field(JSON.parse(exchange.requestBody ?? '{}'), 'name'))
  const made = t.secrets.find(({ shownBy }) => shownBy === exchange.number)
  const key = field(exchange.json, 'key')
  return {
    ...assumePresent(made, 'secret of the created key'),
    name,
    exchange,
    key,
    candidates: [made?.secret ?? '', ...stringsOf(key)],
  }
}

export type NewKey = ReturnType<typeof keyOf>

/** A session cookie behind one that means nothing to the service, as browsers send them. */
export const besideOthers = (cookie: string | undefined) => ({ cookie: `${otherCookie}${cookie}` })

/** The entry of a key in a list, found by id or else by name. */
export function entryIn(list: Exchange, key: { id: string | undefined; name: string }): unknown {
  const keys = assumeItems(assumeAccepted(list), 'keys')
  return (
    keys.find((one) => key.id !== undefined && idOf(field(one, 'id')) === key.id) ??
    keys.find((one) => field(one, 'name') === key.name)
  )
}

/** The id of a key in the list, which may show it a moment late. */
async function idByName(t: TestContext, client: Client, name: string): Promise<string | undefined> {
  return t.until(t.settings.consistency, async () => {
    const list = await client.call('listKeys')
    return isAccepted(list) ? idOf(field(entryIn(list, { id: undefined, name }), 'id')) : undefined
  })
}

/** Deletes a key that the run has created. */
export async function deleteKey(
  t: TestContext,
  key: Pick<MadeKey, 'id'>,
  session = t.session,
): Promise<Exchange> {
  const id = assumePresent(key.id, 'id of the created key')
  const exchange = await session.call('deleteKey', { id })
  const at = t.keys.findIndex((made) => made.id === id)
  if (isAccepted(exchange) && at >= 0) t.keys.splice(at, 1)
  return exchange
}

/** Continues only if no other key has the same secret. */
export function assumeOwnSecret(t: TestContext, { secret }: Pick<MadeKey, 'secret'>): void {
  if (t.secrets.filter((made) => made.secret === secret).length > 1)
    throw new NotExercised('two keys have the same secret')
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A key may be a string, or an object with strings in it. */
function stringsOf(key: unknown): string[] {
  const values = typeof key === 'object' && key !== null ? Object.values(key) : [key]
  return values.filter((value): value is string => typeof value === 'string' && value !== '')
}
