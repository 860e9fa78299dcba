/** A fake service: a function makes the answers, time advances in `sleep`, and everything is recorded. */
import type { OutgoingRequest, Target } from '../client/target.ts'

/** A request that the suite has sent to a fake target. */
export interface FakeTargetRequest extends OutgoingRequest {
  readonly url: string
  readonly path: string
  /** ms of the target's time. */
  readonly at: number
}

/** A fake target that keeps the requests that were sent to it and the durations of its sleeps, ms. */
export interface FakeTarget extends Target {
  readonly sent: readonly FakeTargetRequest[]
  readonly slept: readonly number[]
}

/** Creates a fake target whose answers `answer` makes; if that throws, the request gets no answer. */
export function createFakeTarget(
  answer: (sent: FakeTargetRequest) => Response | Promise<Response>,
): FakeTarget {
  const sent: FakeTargetRequest[] = []
  const slept: number[] = []
  let now = 0
  return {
    baseUrl: 'http://service.test/base',
    sent,
    slept,
    async transport(url, outgoing) {
      const one = { ...outgoing, url, path: url.replace('http://service.test/base', ''), at: now }
      sent.push(one)
      return answer(one)
    },
    async sleep(ms) {
      slept.push(ms)
      now += ms
    },
    now: () => now,
    close: async () => undefined,
  }
}

/** A fake answer with a JSON body. */
export function jsonAnswer(
  status: number,
  body: unknown = {},
  headers: Record<string, string> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}

/** A fake error answer of the API. */
export const errorAnswer = (status: number, error: string, headers: Record<string, string> = {}) =>
  jsonAnswer(status, { error, message: 'Refused.' }, headers)

/** The error of a request whose answer is lost. */
export const lostRequestError = (code = 'ECONNRESET') =>
  Object.assign(new TypeError('fetch failed'), { cause: { code } })
