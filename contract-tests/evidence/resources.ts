/** What checks create to have something to read; each keeps the answer that created it. */

import { type Exchange, field, idOf } from '#traffic/exchange.ts'
import type { Client } from '../client/client.ts'
import { NotExercised } from '../client/finding.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import { need, needAccepted } from '../harness/expect.ts'

export interface Created {
  readonly id: string
  readonly exchange: Exchange
}

/** A new task with that text. */
export async function newTask(
  t: TestContext,
  text = t.name('Task'),
  client: Client = t.main,
): Promise<Created & { text: string }> {
  return { ...created(t, await client.call('createTask', { body: { text } })), text }
}

/** A new document with those fields. */
export async function newDocument(
  t: TestContext,
  fields: Record<string, string> = {},
  client: Client = t.main,
): Promise<Created & { title: string }> {
  const title = fields.title ?? t.name('Document')
  return { ...created(t, await client.call('createDocument', { body: { ...fields, title } })), title }
}

/** What was created, by an id that nothing else has: else nothing that is read by it can be judged. */
export function created(t: TestContext, exchange: Exchange): Created {
  const { operation } = exchange
  const id = need(createdId(needAccepted(exchange)), `the id in the answer of ${operation}`)
  const same = t.created.filter((one) => one.operation === operation && one.id === id)
  if (same.length > 1) throw new NotExercised(`${operation} has given the id ${id} before`)
  return { id, exchange }
}

/** A task that several requirements read and none runs. */
export const sharedTask = (t: TestContext) => t.evidence('task', () => newTask(t))

/** A document that several requirements read. */
export const sharedDocument = (t: TestContext) => t.evidence('document', () => newDocument(t))

/** A task or a document as its own route tells it; what keeps it from being read is another requirement's business. */
export async function readBack(t: TestContext, operation: 'getTask' | 'getDocument', id: string) {
  const exchange = needAccepted(await t.call(operation, { id }))
  const item = field(exchange.json, operation === 'getTask' ? 'task' : 'item')
  if (need(idOf(field(item, 'id')), 'the id of what is read') !== id)
    throw new NotExercised(`${operation} of ${id} answers something else`)
  return { exchange, item }
}
