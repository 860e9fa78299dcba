/** Rewrites answers after the mock has given them. */
import { type OperationId, operationIds } from '#contract/operation.ts'
import type { Asked, Mutation } from './mutation.ts'

/** An answer that may be changed. */
export interface Reply {
  status: number
  readonly headers: Headers
  /** The body as JSON, or as text where it is none. */
  body: unknown
}

/** Rewrites every answer of operations, or of all where none is named. */
export function rewrite(
  change: (reply: Reply, asked: Asked) => void,
  ...operations: OperationId[]
): Mutation {
  const meant = new Set<OperationId | null>(operations.length > 0 ? operations : operationIds)
  return {
    async middleware(asked, next) {
      const response = await next(asked.request)
      if (!meant.has(asked.operation)) return response
      const reply = {
        status: response.status,
        headers: new Headers(response.headers),
        body: await read(response),
      }
      change(reply, asked)
      const { status, headers, body } = reply
      return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
    },
  }
}

/** Rewrites the success answers of operations, or of all where none is named. */
export function rewriteSuccess(
  change: (reply: Reply, asked: Asked) => void,
  ...operations: OperationId[]
): Mutation {
  return rewrite(
    (reply, asked) => {
      if (reply.status < 300) change(reply, asked)
    },
    ...operations,
  )
}

/** Rewrites the errors of a status. */
export function rewriteErrors(status: number, change: (reply: Reply, asked: Asked) => void): Mutation {
  return rewrite((reply, asked) => {
    if (reply.status === status) change(reply, asked)
  })
}

/** Changes one place of the success answers of operations, such as `items.*.status`. */
export function rewriteField(
  path: string,
  change: (value: unknown, parent: Fields) => unknown,
  ...operations: OperationId[]
): Mutation {
  return rewriteSuccess(({ body }) => edit(body, path.split('.'), change), ...operations)
}

/** A JSON object. */
export type Fields = Record<string, unknown>

/** Changes what is at a path; `*` is every item of an array, undefined takes a field away. */
function edit(
  value: unknown,
  [name = '', ...rest]: string[],
  change: (value: unknown, parent: Fields) => unknown,
): void {
  if (name === '*') {
    for (const item of Array.isArray(value) ? value : []) edit(item, rest, change)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const fields = value as Fields
  const changed = rest.length > 0 ? undefined : change(fields[name], fields)
  if (rest.length > 0) edit(fields[name], rest, change)
  else if (changed === undefined) delete fields[name]
  else fields[name] = changed
}

async function read(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
