/**
 * Calls of the mock: its control routes, and its API as a client of an organization. Afterwards, shown data is
 * reloaded.
 */
import type { ControlAnswers } from '#mocks/edges/admin/index.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { addressParam, type Params, queryStringOf } from './address.ts'
import { announceUserChange } from './changes.ts'

/** The error thrown when the mock refuses a call, with the reason that the mock gave. */
export class RefusedCallError extends Error {
  /** The `error` code of the API; undefined: a control route refused the call. */
  readonly code: string | undefined

  constructor(message: string, code?: string) {
    super(message)
    this.code = code
  }
}

/** The admin token of a mock, from the address of the page; undefined if none is needed. */
export const adminToken = new URLSearchParams(location.search).get('token') ?? undefined

interface Input {
  readonly query?: Params
  readonly body?: unknown
}

/** The URL of a control route, with a query. */
export const controlUrl = (path: string, query: Params = {}): string =>
  `/__admin${path}${queryStringOf(query)}`

type Called<What extends string> = What extends `${infer Before}:id${infer After}`
  ? `${Before}${string}${After}`
  : What
/** The answer of a control route, such as `GET /requests/7`. */
export type ControlRouteAnswer<What extends string> = What extends keyof ControlAnswers
  ? ControlAnswers[What]
  : {
      [Known in keyof ControlAnswers]: What extends Called<Known> ? ControlAnswers[Known] : never
    }[keyof ControlAnswers]

/**
 * Calls a control route such as `PUT /clock`; returns its answer. @throws RefusedCallError with the advice of the
 * mock; Error if it does not answer.
 */
export function callControlRoute<const What extends string>(
  route: What,
  { query, body }: Input = {},
): Promise<ControlRouteAnswer<What>> {
  const [method = '', path = ''] = route.split(' ')
  const headers: Record<string, string> = adminToken === undefined ? {} : { 'x-admin-token': adminToken }
  return send(method, controlUrl(path, query), headers, body)
}

/**
 * Calls the API with a key, as a client of an organization would, such as `POST /tasks`; returns its answer. @throws
 * RefusedCallError with the error of the answer; Error if there is none.
 */
export function callWithKey<Answer>(api_key: string, route: string, body?: unknown): Promise<Answer> {
  const [method = '', path = ''] = route.split(' ')
  return send<Answer>(method, `/api/cli${path}`, { authorization: `Bearer ${api_key}` }, body)
}

/** Routes allowed while the page shows the past: a fork copies it, and a restore was confirmed. */
const timeless = /^\/__admin\/(fork|restore)$/

/**
 * Sends a request with the session of an organization, as its web application does; returns the answer. @throws Error
 * if it is answered with an error.
 */
export async function sendAsSession(
  { org_id }: { readonly org_id: string },
  method: string,
  path: string,
  values?: object,
): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const body = { org_id, method, path: `/api/cli${path}`, body: values && JSON.stringify(values), headers }
  const { number, status, answer } = await callControlRoute('POST /requests/send', { body })
  if (status >= 400 || answer === null) throw new Error(`answered ${status}; see request ${number}`)
  return answer
}

async function send<Answer>(method: string, url: string, headers: Record<string, string>, body: unknown) {
  if (method !== 'GET' && addressParam('at') !== '' && !timeless.test(url))
    throw new Error('this is an earlier moment; go back to now or fork it')
  const init: RequestInit = { method, headers, cache: 'no-store' }
  if (body !== undefined) {
    headers['content-type'] = 'application/json'
    init.body = JSON.stringify(body)
  }
  const response = await fetch(url, init).catch(() => {
    throw new Error(`no answer from the mock${method === 'GET' ? '' : '; it may have been done'}`)
  })
  const text = await response.text()
  if (method !== 'GET') announceUserChange()
  const json = parseJson(text)
  if (response.ok && json !== undefined) return json as Answer
  const { error } = (json ?? {}) as { error?: string }
  throw new RefusedCallError(reasonOf(response.status, json, text), error)
}

/** Text of an error: the title of a control route, or the code and message of the API. */
function reasonOf(status: number, json: unknown, text: string): string {
  const { title, error, message } = (json ?? {}) as Record<string, unknown>
  const said = title ?? ([error, message].filter(Boolean).join(': ') || text.slice(0, 200))
  return `${status} ${said || 'without a body'}`
}
