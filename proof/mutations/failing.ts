/** A service that fails over some requests. */
import type { OperationId } from '#contract/operation.ts'
import type { Mutation } from './mutation.ts'

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
