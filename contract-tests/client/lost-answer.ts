/** A request to which no answer of the service came: it is away for a while, it drops this request, or it has stopped. */
import { readBody } from './answer.ts'
import { NotExercised, Unreachable, Violation } from './check-errors.ts'
import type { ClientSettings } from './client-settings.ts'
import { inTime, pause } from './pace.ts'
import { lateAnswer } from './reason.ts'
import { isFromGateway, type Recorder } from './recorder.ts'
import type { Target } from './target.ts'

/** Longest wait for a service that is away, ms, unless the settings say otherwise. */
export const usualOutage = 10_000

/** A request without an answer. */
interface Lost {
  readonly method: string
  readonly url: string
  /** `ECONNRESET`, `no answer in time`, `502`. */
  readonly reason: string
  /** It may have cost something, so that it is not sent again. */
  readonly isPaid: boolean
}

const isHanging = ({ reason }: Lost) => reason === lateAnswer

/** Finds out by asking for anything, as long as an outage may last; returns the error to throw. */
export async function errorWithoutAnswer(
  target: Target,
  settings: ClientSettings,
  recorder: Recorder,
  lost: Lost,
): Promise<Error> {
  if (recorder.unreachable !== undefined) return new Unreachable(recorder.unreachable)
  const { method, url, reason, isPaid } = lost
  const until = target.now() + (settings.outage ?? usualOutage)
  const path = new URL(url).pathname
  for (;;) {
    if (await answers(target, settings)) {
      const isKnown = recorder.dropped.has(operationIn(lost))
      recorder.dropped.add(operationIn(lost))
      return isHanging(lost) || !isPaid || isKnown
        ? new Violation('an answer', `none to ${method} ${path}: ${reason}`)
        : new NotExercised(`the service was away: no answer of its own to ${method} ${path} (${reason})`)
    }
    if (settings.signal?.aborted || isHanging(lost) || target.now() >= until) break
    await target.sleep(pause)
  }
  return new Unreachable(recorder.giveUp(`${target.baseUrl} does not answer: ${reason}`, target.baseUrl))
}

/** What a request asks for, whatever it is about. */
const operationIn = ({ method, url }: Lost) =>
  `${method} ${new URL(url).pathname.replace(/(\/(?:tasks|keys|documents|notifications)\/)[^/]+/, '$1:id')}`

/** Whether the service, and nothing in front of it, answers a request. */
async function answers(target: Target, { timeout, headers, signal }: ClientSettings): Promise<boolean> {
  const limit = inTime(timeout, signal)
  try {
    const response = await target.transport(`${target.baseUrl}/api/cli/whoami`, {
      method: 'GET',
      headers: { ...headers, accept: 'application/json' },
      signal: limit.signal,
    })
    const { json } = await readBody(response)
    return !isFromGateway({ status: response.status, json })
  } catch {
    return false
  } finally {
    limit.end()
  }
}
