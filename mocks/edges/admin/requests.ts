/** `/__admin/requests`: the journal, with secrets redacted; recorded requests sent again, and new ones. */
import { z } from 'zod'
import type { Har } from '#traffic/har.ts'
import { isTruncated } from '#traffic/journal-entry.ts'
import { headerPairsOf } from '#traffic/redaction.ts'
import { encodeStateBeforeRequest } from '../../control/link.ts'
import { explainAnswer, explanationSchema } from '../../control/why.ts'
import { ControlRefusal } from '../../core/failure.ts'
import type { Answer } from '../../handlers/respond.ts'
import type { RecordedEntry } from '../../journal/entry.ts'
import { createJournalReader, requestFilterSchema, waitFieldSchemas } from '../../journal/reader.ts'
import {
  exportRequest,
  requestExportsSchema,
  requestRowSchema,
  requestViewSchema,
} from '../../journal/view.ts'
import { sessionPathPrefixes } from '../../pipeline/elsewhere.ts'
import type { MockParts } from '../../pipeline/service.ts'
import { cookieHeaderOf, sessionTokenOf } from '../../tenants/tenant.ts'
import { isPipelineAnswer } from '../request.ts'
import { bodySchemaWithOrgId, type ControlCall, declareControlRoute, querySchemaWithOrgId } from './route.ts'

/** True if a path stays in the API when URLs resolve it: `/api/cli/../` does not. */
function staysInApi(path: string): boolean {
  const url = URL.parse(path, 'http://mock.test')
  return url?.host === 'mock.test' && url.pathname.startsWith('/api/cli/')
}

/** Fields of a request to send; of a repeated request, those that are missing stay as they were. */
const requestParts = {
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
  path: z
    .string()
    .regex(/^\/api\/cli\//, 'takes a path below /api/cli/')
    .refine(staysInApi, 'takes a path below /api/cli/, without /../ that leaves it')
    .optional()
    .describe('Path and query.'),
  headers: z
    .record(
      z.string(),
      z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'takes characters that a header can carry'),
    )
    .optional()
    .describe('Headers to add or replace.'),
  body: z.string().optional().describe('The body as text.'),
}
type RequestParts = Readonly<z.output<z.ZodObject<typeof requestParts>>>

const ofConnection =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|expect|upgrade|keep-alive|te|trailer|origin|referer|sec-.*)$/i

/** Returns a recorded request with some parts replaced. @throws ControlRefusal if the journal has only a part of it. */
function repeat(entry: RecordedEntry, parts: RequestParts): Request {
  if (parts.body === undefined && entry.body !== null && isTruncated(entry.body))
    throw new ControlRefusal(409, 'The journal holds only the beginning of the body; send a body, too.')
  const hasBody = headerPairsOf(entry.headers).some(
    ([name, value]) => /^(?:content-length|transfer-encoding)$/i.test(name) && value !== '0',
  )
  if (parts.body === undefined && entry.body === null && hasBody)
    throw new ControlRefusal(409, 'The request was answered before its body was read; send a body, too.')
  const kept = headerPairsOf(entry.headers).filter(([name]) => !ofConnection.test(name))
  const headers = new Headers(kept)
  for (const [name, value] of Object.entries(parts.headers ?? {})) headers.set(name, value)
  const url = parts.path === undefined ? entry.url : new URL(parts.path, entry.url).href
  const { method = entry.method } = parts
  const body = method === 'GET' || method === 'HEAD' ? null : entry.body
  return requestOf(url, method, headers, parts.body ?? body)
}

/** Returns a request, with the credential of an organization that the route needs unless one is given. */
function onBehalfOf(service: MockParts, name: string, origin: string, parts: RequestParts): Request {
  const { method = 'GET', path = '/', body = null } = parts
  const headers = new Headers(parts.headers)
  const url = new URL(path, origin)
  const [header, credential] = sessionPathPrefixes.some((one) => url.pathname.startsWith(one))
    ? ['cookie', cookieHeaderOf(sessionTokenOf(name))]
    : ['authorization', `Bearer ${service.tenants.keyFor(name)}`]
  if (!headers.has(header)) headers.set(header, credential)
  if (body !== null && !headers.has('content-type')) headers.set('content-type', 'application/json')
  return requestOf(url.href, method, headers, body)
}

/**
 * Sends a request to the mock, and returns its answer as the sender got it; null: no answer came. @throws
 * ControlRefusal if no such request is possible, or there is no journal.
 */
async function send({ service, send }: ControlCall, make: () => Request) {
  if (service.journal.size === 0)
    throw new ControlRefusal(409, 'Nothing was sent: there is no journal to show the answer.')
  const connection = {}
  let request: Request
  try {
    request = make()
  } catch (error) {
    if (error instanceof TypeError)
      throw new ControlRefusal(400, `No such request can be sent: ${error.message}`)
    throw error
  }
  const answer = await send(request, connection)
  const id = service.journal.lastOn(connection)
  const entry = id && service.journal.entries().findLast((one) => one.id === id)
  if (!entry) throw new ControlRefusal(409, 'The request was sent, but the journal does not hold it.')
  const { number, status } = entry
  return { number, id, status, answer: status === 0 ? null : await textOf(answer) }
}

const textOf = (answer: Answer | Response) => (isPipelineAnswer(answer) ? answer.text : answer.text())

function requestOf(url: string, method: string, headers: Headers, body: string | null): Request {
  return new Request(url, { method, headers, body: body || null })
}

const harView = z.object({
  log: z.object({
    version: z.literal('1.2'),
    creator: z.object({ name: z.string(), version: z.string() }),
    entries: z.array(z.looseObject({})),
  }),
}) satisfies z.ZodType<Har>

const found = z.object({ requests: z.array(requestViewSchema) })

/**
 * Creates a reader of the journal for a control call: of the whole mock or, if the call has a key or an `org_id`, of
 * one organization.
 */
export const journalReaderOf = ({ service, org }: Pick<ControlCall, 'service' | 'org'>) =>
  createJournalReader(service, () => org?.id)

/** The number of rows unless a limit is given, and the highest limit. */
const usualRows = 200
const mostRows = 5_000

const sent = z.object({
  number: z.int().describe('Number of the new request.'),
  id: z.string(),
  status: z.int().describe('0: no response was sent.'),
  answer: z
    .string()
    .nullable()
    .describe('The body of the response, with the secret if it created a key; null: none was sent.'),
})

const entryOf = (call: ControlCall) => journalReaderOf(call).entry(call.request.param('id') ?? '')

/** The control routes of the journal: they list requests, wait for them and send them again. */
export const requestRoutes = [
  declareControlRoute('GET /requests', {
    summary: 'List requests and their responses, oldest first, with secrets redacted.',
    query: requestFilterSchema,
    answer: found,
    example: '?operation=runTask&status=4xx&limit=10',
    run: (call) => ({ requests: journalReaderOf(call).list(call.query) }),
  }),
  declareControlRoute('POST /requests/find', {
    summary: 'List requests, with the filter in the body.',
    body: requestFilterSchema,
    answer: found,
    example: { operation: ['createTask', 'runTask'], error: 'no_credits' },
    run: (call) => ({ requests: journalReaderOf(call).list(call.body) }),
  }),
  declareControlRoute('POST /requests/count', {
    summary: 'Count the matching requests.',
    body: requestFilterSchema,
    answer: z.object({ count: z.int() }),
    example: { operation: 'runTask' },
    run: (call) => ({ count: journalReaderOf(call).count(call.body) }),
  }),
  declareControlRoute('POST /requests/wait', {
    summary: 'Wait until a number of matching requests are in the journal, and return them.',
    body: bodySchemaWithOrgId(waitFieldSchemas),
    answer: found,
    refusals: { 408: 'They did not arrive in time; `matched` and `seen` list the requests that did.' },
    example: { match: { operation: 'runTask', status: '2xx' }, count: 2, timeout: '5s' },
    async run(call) {
      return { requests: await journalReaderOf(call).wait(call.body, call.request.raw.signal) }
    },
  }),
  declareControlRoute('GET /requests.har', {
    summary: 'Download requests as a HAR 1.2 file, for the network panel of a browser.',
    query: requestFilterSchema,
    answer: harView,
    run(call) {
      const headers = {
        'content-type': 'application/json',
        'content-disposition': 'attachment; filename="work-agent-mock.har"',
      }
      return new Response(JSON.stringify(journalReaderOf(call).har(call.query), null, 2), { headers })
    },
  }),
  declareControlRoute('GET /requests/rows', {
    summary:
      'List requests, one line each, oldest first: the newest 200, or as many as `limit` says, at most 5000.',
    query: requestFilterSchema,
    answer: z.object({ requests: z.array(requestRowSchema), oldest: z.int(), newest: z.int() }),
    example: '?until=400&limit=100',
    run(call) {
      const { oldest, newest } = call.service.journal
      const limit = Math.min(call.query.limit ?? usualRows, mostRows)
      return { requests: journalReaderOf(call).rows({ ...call.query, limit }), oldest, newest }
    },
  }),
  declareControlRoute('GET /requests/:id', {
    summary:
      'Get a request by its number or its id: with its response, why it got it, and copies for `curl`, HAR and a test in TypeScript.',
    query: querySchemaWithOrgId({
      restore: z
        .literal('true')
        .optional()
        .describe(
          'The copies first restore the state before the request, if it is kept: in any mock they get the same answer. They take the key from `WORK_AGENT_API_KEY`, the session from `WORK_AGENT_SESSION_COOKIE`.',
        ),
    }),
    answer: z.object({ request: requestViewSchema, why: explanationSchema, copy: requestExportsSchema }),
    refusals: { 404: 'The journal does not hold this request.' },
    async run(call) {
      const entry = entryOf(call)
      const request = journalReaderOf(call).view(entry)
      const state = call.query.restore && (await encodeStateBeforeRequest(call.service, entry))
      const copy = exportRequest(entry, call.service.tenants.secrets, state)
      return { request, why: explainAnswer(call.service, entry), copy }
    },
  }),
  declareControlRoute('POST /requests/:id/send', {
    summary: 'Send a request again, with its own credential. Fields of the body replace parts of it.',
    body: bodySchemaWithOrgId(requestParts),
    answer: sent,
    refusals: {
      404: 'The journal does not hold this request.',
      409: 'The journal holds only the beginning of its body.',
    },
    run(call) {
      const entry = entryOf(call)
      return send(call, () => repeat(entry, call.body))
    },
  }),
  declareControlRoute('POST /requests/send', {
    summary: 'Send a new request on behalf of an organization, with the credential that its route takes.',
    about: 'organization',
    body: bodySchemaWithOrgId({ ...requestParts, path: requestParts.path.unwrap() }),
    answer: sent,
    refusals: { 409: 'There is no journal.' },
    example: { method: 'POST', path: '/api/cli/keys', body: '{"name":"CI"}' },
    run(call) {
      const { service, org, request, body } = call
      const name = service.tenants.nameOf(org) ?? ''
      return send(call, () => onBehalfOf(service, name, new URL(request.url).origin, body))
    },
  }),
]
