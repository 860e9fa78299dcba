/** Clients that do not wait for an answer that never comes. */
import { createFetch } from '../edges/fetch.ts'
import { isPipelineAnswer, type RequestHandler } from '../edges/request.ts'
import type { Answer } from '../handlers/respond.ts'

/** The answer; one that hangs is given up at once, as after a time limit of the client. @throws DOMException TimeoutError */
function givenUp(answer: Answer | Response): Answer | Response {
  if (isPipelineAnswer(answer) && answer.fault?.wire === 'hang')
    throw new DOMException('The client gave up.', 'TimeoutError')
  return answer
}

/** Creates a `fetch` of a mock that rejects in place of waiting for an answer that never comes. */
export const createNonHangingFetch = (handle: RequestHandler) =>
  createFetch((request) => {
    const answered = handle(request)
    return answered instanceof Promise ? answered.then(givenUp) : givenUp(answered)
  })
