/** Rewrites answers of the mock. */
import { type OperationId, operationIds } from '#contract/operation.ts'
import { changeAt } from '#traffic/change-at.ts'
import type { Interception, Mutation } from './mutation.ts'

/** An answer to be changed in place. */
interface MutableResponse {
  status: number
  readonly headers: Headers
  /** The body as JSON, or as text where it is not JSON. */
  body: unknown
}

/** Rewrites every answer of operations, or of all where none is named. */
export function rewrite(
  change: (reply: MutableResponse, context: Interception) => void,
  ...operations: OperationId[]
): Mutation {
  const meant = new Set<OperationId | null>(operations.length > 0 ? operations : operationIds)
  return {
    async middleware(context, next) {
      const response = await next(context.request)
      if (!meant.has(context.operation)) return response
      const reply = {
        status: response.status,
        headers: new Headers(response.headers),
        body: await read(response),
      }
      change(reply, context)
      const { status, headers, body } = reply
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
    },
  }
}

/** Rewrites the success answers of operations, or of all where none is named. */
export function rewriteSuccess(
  change: (reply: MutableResponse, context: Interception) => void,
  ...operations: OperationId[]
): Mutation {
  return rewrite(
    (reply, context) => {
      if (reply.status < 300) change(reply, context)
    },
    ...operations,
  )
}

/** Rewrites the errors of a status. */
export function rewriteErrors(
  status: number,
  change: (reply: MutableResponse, context: Interception) => void,
): Mutation {
  return rewrite((reply, context) => {
    if (reply.status === status) change(reply, context)
  })
}

/** Changes one place of the success answers of operations, such as `items.*.status`. */
export function rewriteField(
  path: string,
  change: Parameters<typeof changeAt>[2],
  ...operations: OperationId[]
): Mutation {
  return rewriteSuccess(
    (reply) => {
      reply.body = changeAt(reply.body, path.split('.'), change)
    },
    ...operations,
  )
}

type Change = Parameters<typeof changeAt>[2]
type Value = string | number | boolean | null | undefined | readonly unknown[]

/** Changes one place of the success answers of one operation, or gives it a value; undefined: no field. */
export function field(operation: OperationId, path: string, change: Change | Value): Mutation {
  return rewriteField(path, typeof change === 'function' ? change : () => change, operation)
}

/** Changes the list in the success answers of an operation. */
// biome-ignore lint/suspicious/noExplicitAny: any kind of item
export function items(operation: OperationId, change: (items: any[]) => unknown[], path = 'items'): Mutation {
  return field(operation, path, (list) => (Array.isArray(list) ? change(list) : list))
}

/** Answers an error in the place of answers with some statuses. */
export function insteadOf(
  statuses: readonly number[],
  [status, error]: readonly [status: number, error: string],
  ...operations: OperationId[]
): Mutation {
  return rewrite(
    (reply) => {
      if (!statuses.includes(reply.status)) return
      const message = `Answered in the place of ${reply.status}.`
      Object.assign(reply, { status, body: { error, message } })
    },
    ...operations,
  )
}

/** Every so many-th call. */
export function everyNth(n: number): () => boolean {
  let count = 0
  return () => ++count % n === 0
}

/** A JSON object. */
export type Fields = Record<string, unknown>

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Answers 500 to the requests of an operation that `fails` picks by their address and their body; 401 comes first. */
export function failing(
  fails: (request: Request, body: string) => boolean,
  operation: OperationId,
): Mutation {
  return {
    async middleware(context, next) {
      const { request } = context
      if (context.operation !== operation) return next(request)
      const body = await request.clone().text()
      const response = await next(request)
      if (response.status === 401 || !fails(request, body)) return response
      return Response.json({ error: 'internal_error', message: 'Unexpected server error.' }, { status: 500 })
    },
  }
}
