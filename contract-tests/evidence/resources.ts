/** What checks create to have something to read; each keeps the answer that created it. */
import type { Client } from '../client.ts'
import { type Exchange, field, idOf } from '../exchange.ts'
import { NotExercised } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { need, needAccepted } from '../words.ts'
import { createdId } from './created.ts'

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
  return { ...created(kit, await client.call('createTask', { body: { text } })), text }
}

/** A new document with those fields. */
export async function newDocument(
  kit: Kit,
  fields: Record<string, string> = {},
  client: Client = kit.main,
): Promise<Created & { title: string }> {
  const title = fields.title ?? kit.name('Document')
  return { ...created(kit, await client.call('createDocument', { body: { ...fields, title } })), title }
}

/** What was created, by an id that nothing else has: else nothing that is read by it can be judged. */
export function created(kit: Kit, exchange: Exchange): Created {
  const { operation } = exchange
  const id = need(createdId(needAccepted(exchange)), `the id in the answer of ${operation}`)
  const same = kit.created.filter((one) => one.operation === operation && one.id === id)
  if (same.length > 1) throw new NotExercised(`${operation} has given the id ${id} before`)
  return { id, exchange }
}

/** A task that several requirements read and none runs. */
export const sharedTask = (kit: Kit) => kit.evidence('task', () => newTask(kit))

/** A document that several requirements read. */
export const sharedDocument = (kit: Kit) => kit.evidence('document', () => newDocument(kit))

/** A task or a document as its own route tells it; what keeps it from being read is another requirement's business. */
export async function readBack(kit: Kit, operation: 'getTask' | 'getDocument', id: string) {
  const exchange = needAccepted(await kit.call(operation, { id }))
  const item = field(exchange.json, operation === 'getTask' ? 'task' : 'item')
  if (need(idOf(field(item, 'id')), 'the id of what is read') !== id)
    throw new NotExercised(`${operation} of ${id} answers something else`)
  return { exchange, item }
}
