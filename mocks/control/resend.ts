/** Sends a recorded request again, changed or not, or a new one on behalf of an organization. */

import { z } from 'zod'
import { pairsOf } from '#traffic/redaction.ts'
import { Refusal } from '../core/failure.ts'
import { isTruncated } from '../journal/journal.ts'
import type { RecordedEntry } from '../journal/view.ts'
import { pathsWithSession } from '../pipeline/decide.ts'
import type { Bindings, Service } from '../pipeline/service.ts'
import { cookieOf, sessionOf } from '../tenants/tenant.ts'

/** Whether a path is one of the API after what URLs do to it: `/api/cli/../` is another. */
function staysInApi(path: string): boolean {
  const url = URL.parse(path, 'http://mock.test')
  return url?.host === 'mock.test' && url.pathname.startsWith('/api/cli/')
}

/** Fields of a request to send; what is missing stays as it was. */
export const requestParts = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z
    .string()
    .regex(/^\/api\/cli\//, 'takes a path below /api/cli/')
    .refine(staysInApi, 'takes a path below /api/cli/, without /../ that leaves it')
    .optional()
    .describe('Path and query.'),
  headers: z.record(z.string(), z.string()).optional().describe('Headers to add or replace.'),
  body: z.string().optional().describe('The body as text.'),
}
type RequestParts = Readonly<z.output<z.ZodObject<typeof requestParts>>>

/** What takes requests: the mock itself. */
export type Send = (request: Request, bindings: Bindings) => Response | Promise<Response>

/** Headers that belong to a connection. */
const ofConnection =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|expect|upgrade|keep-alive|te|trailer|origin|referer|sec-.*)$/i

/** Returns a recorded request with some parts replaced. @throws Refusal if the journal has only a part of it. */
export function repeat(entry: RecordedEntry, parts: RequestParts): Request {
  if (parts.body === undefined && entry.body !== null && isTruncated(entry.body))
    throw new Refusal(409, 'The journal holds only the beginning of the body; send a body, too.')
  const sent = pairsOf(entry.headers).find(([name]) => name.toLowerCase() === 'content-length')
  if (parts.body === undefined && entry.body === null && Number(sent?.[1] ?? 0) > 0)
    throw new Refusal(409, 'The request was answered before its body was read; send a body, too.')
  const kept = pairsOf(entry.headers).filter(([name]) => !ofConnection.test(name))
  const headers = new Headers(kept)
  for (const [name, value] of Object.entries(parts.headers ?? {})) headers.set(name, value)
  const url = parts.path === undefined ? entry.url : new URL(parts.path, entry.url).href
  return requestOf(url, parts.method ?? entry.method, headers, parts.body ?? entry.body)
}

/** Returns a request with the credential of an organization that its route takes. */
export function onBehalfOf(service: Service, name: string, origin: string, parts: RequestParts): Request {
  const { method = 'GET', path = '/', body = null } = parts
  const headers = new Headers(parts.headers)
  const url = new URL(path, origin)
  if (pathsWithSession.some((one) => url.pathname.startsWith(one)))
    headers.set('cookie', cookieOf(sessionOf(name)))
  else headers.set('authorization', `Bearer ${service.tenants.keyFor(name)}`)
  if (body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return requestOf(url.href, method, headers, body)
}

/** Sends a request to the mock. Its answer is as its sender got it; null: none came. @throws Refusal without a journal. */
export async function sendTo(service: Service, send: Send, request: Request) {
  const connection = {}
  const response = await send(request, { connection })
  const id = service.connections.lastOn(connection)
  const entry = id && service.journal.entries().findLast((one) => one.id === id)
  if (!entry) throw new Refusal(409, 'The request was sent, but the journal does not hold it.')
  const { number, status } = entry
  return { number, id, status, answer: status === 0 ? null : await response.text() }
}

function requestOf(url: string, method: string, headers: Headers, body: string | null): Request {
  const bodiless = method === 'GET' || method === 'HEAD' || body === null
  return new Request(url, { method, headers, ...(bodiless ? {} : { body }) })
}
