/** Tasks and documents that checks create, and ids that belong to nothing. */
import type { OperationId } from '#contract/operation.ts'
import { type Exchange, field, idOf, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { NotApplicable, NotExercised } from '../client/check-errors.ts'
import type { Client } from '../client/client.ts'
import { jsonTypes } from '../client/request.ts'
import type { TestContext } from '../harness/context.ts'
import { assumeAccepted, assumePresent, becauseOf } from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'

/** The accepted requests of an operation in the first organization, with any of its keys. */
export function acceptedIn({ recorder }: Pick<TestContext, 'recorder'>, operation: OperationId): Exchange[] {
  const isOwn = ({ caller }: Exchange) => caller === 'main' || caller === 'created key'
  return recorder.exchanges.filter((one) => one.operation === operation && isOwn(one) && isAccepted(one))
}

const huge = '2147483646'

/**
 * An id like the given one that should not exist: numbers and counters become huge; in any other id the last
 * letters and digits are rotated (hex stays hex, case and separators stay).
 */
export function unknownLike(id: string, by = 1): string {
  const [, head, digits] = /^(.*?)(\d{1,9})$/.exec(id) ?? []
  if (
    head !== undefined &&
    digits !== undefined &&
    !/[0-9a-f]$/i.test(head) &&
    head.length + digits.length < 16
  ) {
    return head + String(Number(huge) - by)
  }
  return id.replace(
    /[0-9a-z][^0-9a-z]*(?=(?:[^0-9a-z]*[0-9a-z]){0,5}[^0-9a-z]*$)/gi,
    (match) => rotated(match[0] ?? '', by) + match.slice(1),
  )
}

const rings = ['0123456789', 'abcdef', 'ghjkmnpqrstvwxyz', 'ABCDEF', 'GHJKMNPQRSTVWXYZ']

function rotated(character: string, by: number): string {
  const ring = rings.find((one) => one.includes(character))
  return ring ? (ring[(ring.indexOf(character) + by) % ring.length] ?? character) : character
}

/**
 * Sends a request with an id that should not exist, and if that is accepted, once more with another: the first
 * may have existed.
 */
export async function requestUnknown(
  known: string,
  request: (id: string) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await request(unknownLike(known, 1))
  return isAccepted(first) ? request(unknownLike(known, 3)) : first
}

interface Created {
  readonly id: string
  readonly exchange: Exchange
}

/** Creates a task. */
export async function newTask(
  t: TestContext,
  text = t.name('Task'),
  client: Pick<Client, 'call'> = t.main,
): Promise<Created & { text: string }> {
  return { ...created(t, await client.call('createTask', { body: { text } })), text }
}

/** Creates a document. */
export async function newDocument(
  t: TestContext,
  fields: Record<string, string> = {},
  client: Pick<Client, 'call'> = t.main,
): Promise<Created & { title: string }> {
  const title = fields.title ?? t.name('Document')
  return { ...created(t, await client.call('createDocument', { body: { ...fields, title } })), title }
}

/** The main caller, who names the charset of what is sent. */
export const withCharset = ({ main }: TestContext): Pick<Client, 'call'> => ({
  call: (operation, options) =>
    main.call(operation, { ...options, headers: { 'content-type': jsonTypes[1] } }),
})

/** What a response says was created. Continues only if its id is unique, since it is read by that id. */
export function created(t: TestContext, exchange: Exchange): Created {
  const { operation } = exchange
  const id = assumePresent(createdId(assumeAccepted(exchange)), `the id in the response of ${operation}`)
  const same = t.recorder.exchanges.filter(
    (one) =>
      one.operation === operation && isAccepted(one) && isBySame(one, exchange) && createdId(one) === id,
  )
  if (same.length > 1)
    throw becauseOf(
      operation === 'createTask' ? 'TASK-UNIQUE' : 'DOC-UNIQUE',
      `${operation} has returned the id ${id} before`,
    )
  return { id, exchange }
}

/** Whether two requests had the same credentials: ids may be counted per organization. */
function isBySame(a: Exchange, b: Exchange): boolean {
  return a.requestHeaders.authorization === b.requestHeaders.authorization
}

/** A task that several requirements read and none runs. */
export const sharedTask = (t: TestContext) => t.evidence('task', () => newTask(t))

/** A document that several requirements read: a summary must not become its content. */
export const sharedDocument = (t: TestContext) =>
  t.evidence('document', () => newDocument(t, { summary: t.name('Summary') }))

/** Lists all documents. */
export const listAllDocuments = (t: TestContext): Promise<Exchange> =>
  t.call('listDocuments', { query: { all: '1' } })

/** The list of all documents before others are looked for in it. */
export const firstOfAllDocuments = (t: TestContext): Promise<Exchange> =>
  t.evidence('all documents', () => listAllDocuments(t))

/** Reads a task or a document by its id; other requirements test that it can be read. */
export async function readBack(t: TestContext, operation: 'getTask' | 'getDocument', id: string) {
  return readOf(await t.call(operation, { id }), id)
}

/** What a response shows. Continues only if it has the id that was asked for. */
export function readOf(exchange: Exchange, id: string | undefined) {
  const { operation } = assumeAccepted(exchange)
  const item = field(exchange.json, operation === 'getTask' ? 'task' : 'item')
  if (assumePresent(idOf(field(item, 'id')), 'the id of what was read') !== id)
    throw new NotExercised(`${operation} of ${id} returns something else`)
  return { exchange, item }
}

/** Asks for a landing page with a unique name, and other fields. */
export async function requestLandingPage(t: TestContext, fields: Readonly<Record<string, unknown>> = {}) {
  const name = t.name('Site')
  const exchange = await t.call('createLandingPage', { body: { business_name: name, ...fields } })
  throwIfAbsent(t, exchange)
  return { name, exchange }
}

/** Creates a landing page with a unique name. */
export async function newLandingPage(t: TestContext): Promise<{ name: string; exchange: Exchange }> {
  const { name, exchange } = await requestLandingPage(t)
  return { name, exchange: assumeAccepted(exchange) }
}

/** @throws NotApplicable if the response shows that an extended route is not offered. */
export function throwIfAbsent({ settings }: TestContext, exchange: Exchange): void {
  if (isAbsent(exchange)) throw notOffered(settings, exchange)
}

/** That an extended route is not offered, as a response shows. */
export const notOffered = (
  { extended }: Pick<TestContext['settings'], 'extended'>,
  { operation, status }: Exchange,
): NotApplicable =>
  new NotApplicable(
    `the extended route ${operation} is not offered (${status})${extended === 'on' ? '; see EXTENDED-OFFERED' : ''}`,
  )
