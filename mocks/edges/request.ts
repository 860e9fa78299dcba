/** Requests that edges hand to a mock, and answers that they get from it. */
import type { HonoRequest } from 'hono'
import type { Answer } from '../handlers/respond.ts'
import { ReceivedRequest } from '../pipeline/received-request.ts'

/** A function that returns why a control call is rejected, or undefined if it is allowed. */
export type ControlGuard = (
  request: HonoRequest,
) => { readonly status: number; readonly advice: string } | undefined

/**
 * The values that an edge (HTTP, `fetch` or msw) passes to the routes of documents and control calls as Hono bindings:
 * its guard.
 */
export interface EdgeBindings {
  readonly guard: ControlGuard | undefined
}

/** A request as an edge (HTTP, `fetch` or msw) received it, which can be converted to a `Request` of Fetch. */
export abstract class EdgeRequest extends ReceivedRequest {
  /** Undefined: every control call is allowed. */
  readonly guard: ControlGuard | undefined = undefined

  /** Returns this request as a Request of Fetch. The body can be read once, from either. */
  abstract toRequest(): Request
}

/**
 * A function that answers any request to a mock: one to the API with an `Answer` of the pipeline, any other with a
 * `Response`.
 */
export type RequestHandler = (request: EdgeRequest) => Answer | Response | Promise<Answer | Response>

/** True if an answer is an `Answer` of the pipeline, and not a `Response`. */
export const isPipelineAnswer = (answered: Answer | Response): answered is Answer =>
  typeof answered.text === 'string'

/** Converts an answer of the pipeline to a `Response`, without its connection fault. */
export function toResponse({ status, headers, text }: Answer, method: string): Response {
  const isBodiless = text === '' || method === 'HEAD'
  return new Response(isBodiless ? null : text, { status, headers })
}
