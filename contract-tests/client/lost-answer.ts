/** A request whose answer the service loses on purpose: sent once, and not judged. */
import type { OperationId } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { connectionRefusedReason, requestFailureReason } from './answer.ts'
import { NotExercised } from './check-errors.ts'
import { createTimeoutSignal, retryPauseMs } from './rate-limits.ts'
import type { Recorder } from './recorder.ts'
import { buildRequest, type RequestParts, type RequestSender, sendAndRead } from './request.ts'
import type { Target } from './target.ts'

/** The sender of such a request, and how long its answer is waited for, ms. */
interface Sending extends Pick<RequestSender, 'runId' | 'userAgent' | 'headers'> {
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
  readonly timeout: number
}

/**
 * Sends a request whose answer is meant to be lost, on a new connection; again only after a 429. Returns the answer
 * that came nevertheless; undefined if none came. @throws NotExercised if the connection is refused.
 */
export async function sendAndLoseAnswer(
  { timeout, ...sender }: Sending,
  target: Target,
  recorder: Recorder,
  operation: OperationId,
  asked: RequestParts,
): Promise<Exchange | undefined> {
  for (let waits = 1; ; waits++) {
    const answer = await sendOnce({ timeout, ...sender }, target, recorder, operation, asked)
    if (answer?.status !== 429 || waits > mostWaits) return answer
    await target.sleep(retryPauseMs(answer, waits))
  }
}

/** Most waits after a 429. */
const mostWaits = 5

async function sendOnce(
  { timeout, ...sender }: Sending,
  target: Target,
  recorder: Recorder,
  operation: OperationId,
  asked: RequestParts,
): Promise<Exchange | undefined> {
  const request = buildRequest(sender, recorder, target.baseUrl, operation, asked)
  const sent = recorder.begin(target.now())
  const limit = createTimeoutSignal(timeout, recorder.stopped)
  try {
    const answer = await sendAndRead(request, target, recorder, { signal: limit.signal, fresh: true })
    if (answer.status === 429) {
      recorder.sent.push({ ...request, sent, received: recorder.moment(target.now()), exchange: answer })
      recorder.exchanges.push(answer)
      return answer
    }
    recorder.sent.push({ ...request, sent })
    recorder.sent.push({ ...request, number: recorder.nextNumber(), sent: recorder.moment(target.now()) })
    return answer
  } catch (error) {
    if (requestFailureReason(error) === connectionRefusedReason)
      throw new NotExercised('the service was away: it refused a connection')
    recorder.sent.push({ ...request, sent })
    return undefined
  } finally {
    recorder.ended(sent)
    limit.end()
  }
}
