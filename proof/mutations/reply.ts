/** Changes requests before the mock handles them, and its answers. */
import { type OperationId, operationIds } from '#contract/operation.ts'
import { changeAtPath } from '#traffic/exchange.ts'
import { hasKey, type InterceptedRequest, type Mutation } from './mutation.ts'

/**
 * Replacement of a request: another one, or one with another body, or an answer at once; undefined: it stays as it is.
 */
type Changed = Request | string | Buffer<ArrayBuffer> | Response | undefined

/**
 * Creates a mutation that changes the requests of some operations; where none is named, all requests, control routes
 * included.
 */
export function changeRequests(
  change: (request: Request, body: Buffer<ArrayBuffer>, context: InterceptedRequest) => Changed,
  ...operations: OperationId[]
): Mutation {
  const meant = new Set<OperationId | null>(operations)
  return {
    async middleware(context, next) {
      const { request, operation } = context
      if (meant.size > 0 && !meant.has(operation)) return next(request)
      const changed = change(request, Buffer.from(await request.clone().arrayBuffer()), context) ?? request
      if (changed instanceof Response) return changed
      return next(changed instanceof Request ? changed : withBody(request, changed))
    },
  }
}

/** Creates a mutation that answers some requests for provider states in place of the mock. */
export const answerProviderStateRequests = (
  answer: (asked: {
    state: string
    action: string
    params?: { readonly org_id?: string }
  }) => Response | undefined,
): Mutation =>
  changeRequests(({ url }, body) =>
    url.endsWith('/states') ? answer(JSON.parse(body.toString())) : undefined,
  )

const withBody = ({ url, method, headers }: Request, body: string | Buffer<ArrayBuffer>): Request =>
  new Request(url, { method, headers, body: body.length > 0 ? body : null })

/** An answer to be changed in place. */
interface MutableResponse {
  status: number
  readonly headers: Headers
  /** The body as JSON, or as text where it is not JSON. */
  body: unknown
}

/** Request behind an answer. */
interface Answered extends InterceptedRequest {
  /** The body of the request. */
  readonly sent: string
}

/** Creates a mutation that changes the answers of some operations, or of all where none is named. */
export function rewriteAnswers(
  change: (reply: MutableResponse, context: Answered) => void,
  ...operations: OperationId[]
): Mutation {
  const meant = new Set<OperationId | null>(operations.length > 0 ? operations : operationIds)
  return {
    async middleware(context, next) {
      const { request, operation } = context
      if (!meant.has(operation)) return next(request)
      const sent = request.body ? await request.clone().text() : ''
      const response = await next(request)
      const reply = {
        status: response.status,
        headers: new Headers(response.headers),
        body: await read(response),
      }
      change(reply, { ...context, sent })
      const { status, headers, body } = reply
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
    },
  }
}

/** Creates a mutation that changes the success answers of some operations, or of all where none is named. */
export function rewriteSuccess(
  change: (reply: MutableResponse, context: Answered) => void,
  ...operations: OperationId[]
): Mutation {
  return rewriteAnswers(
    (reply, context) => {
      if (reply.status < 300) change(reply, context)
    },
    ...operations,
  )
}

/** Creates a mutation that changes error answers with a status. */
export function rewriteErrors(
  status: number,
  change: (reply: MutableResponse, context: Answered) => void,
): Mutation {
  return rewriteAnswers((reply, context) => {
    if (reply.status === status) change(reply, context)
  })
}

type Change = Parameters<typeof changeAtPath>[2]
type Value = string | number | boolean | null | undefined | readonly unknown[]

/**
 * Creates a mutation that changes or sets one field of success answers, by a path such as `items.*.status`; undefined:
 * removes it.
 */
export function changeField(
  operations: OperationId | readonly OperationId[],
  path: string,
  change: Change | Value,
): Mutation {
  const changed = typeof change === 'function' ? change : () => change
  return rewriteSuccess(
    (reply) => {
      reply.body = changeAtPath(reply.body, path.split('.'), changed)
    },
    ...[operations].flat(),
  )
}

/** Creates a mutation that changes the list in the success answers of an operation. */
export function changeItems(
  operation: OperationId,
  // biome-ignore lint/suspicious/noExplicitAny: any kind of item
  change: (items: any[]) => unknown[],
  path = 'items',
): Mutation {
  return changeField(operation, path, (list) => (Array.isArray(list) ? change(list) : list))
}

/**
 * Creates a mutation that replaces answers with an error: those with some statuses, or those that `isMeant` selects.
 */
export function replaceAnswersWithError(
  isMeant: readonly number[] | ((reply: MutableResponse, context: Answered) => unknown),
  [status, error]: readonly [status: number, error: string],
  ...operations: OperationId[]
): Mutation {
  return rewriteAnswers(
    (reply, context) => {
      if (!(typeof isMeant === 'function' ? isMeant(reply, context) : isMeant.includes(reply.status))) return
      const message = `Answered in the place of ${reply.status}.`
      Object.assign(reply, { status, body: { error, message } })
    },
    ...operations,
  )
}

/**
 * Creates a mutation that answers 500 to the requests for which `fails`, given request and body, returns true, except
 * those that are answered 401.
 */
export const answerWith500 = (
  fails: (request: Request, body: string) => boolean,
  operation: OperationId,
): Mutation =>
  replaceAnswersWithError(
    ({ status }, { request, sent }) => status !== 401 && fails(request, sent),
    [500, 'internal_error'],
    operation,
  )

/**
 * Creates a mutation that gives a fixed answer to each request with a key that arrives while another request of the
 * same operation is being handled.
 */
export function answerConcurrentRequests(operation: OperationId, status: number, body: object): Mutation {
  let underWay = 0
  return {
    async middleware({ request, operation: asked }, next) {
      if (asked !== operation || !hasKey(request)) return next(request)
      const isBeside = underWay++ > 0
      await new Promise(setImmediate)
      const answer = isBeside ? Promise.resolve(Response.json(body, { status })) : next(request)
      return answer.finally(() => underWay--)
    },
  }
}

/** Creates a function that returns true at every n-th call. */
export function createEveryNthCallPredicate(n: number): () => boolean {
  let count = 0
  return () => ++count % n === 0
}

/** A JSON object whose fields may be changed. */
export type MutableJsonObject = Record<string, unknown>

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
