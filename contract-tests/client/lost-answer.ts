/** A request whose answer the service loses on purpose: sent once, and not judged. */
import type { OperationId } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { noConnection, reasonOf } from './answer.ts'
import { NotExercised } from './check-errors.ts'
import { inTime, pauseAfter } from './rate-limits.ts'
import type { Recorder } from './recorder.ts'
import { type Asked, exchangeFor, prepare, type Sender } from './request.ts'
import type { Target } from './target.ts'

/** Who sends it, and how long an answer is waited for, ms. */
interface Sending extends Pick<Sender, 'runId' | 'userAgent' | 'headers'> {
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
  readonly timeout: number
}

/**
 * Sends a request on a new connection; again only where a limit has refused it. Returns the answer that came
 * nevertheless; undefined: none came. For the model the answer is lost, and a request that was answered was made twice:
 * something in front sent it again.
 *
 * @throws NotExercised if nobody accepts connections.
 */
export async function sendToBeLost(
  { timeout, ...sender }: Sending,
  target: Target,
  recorder: Recorder,
  operation: OperationId,
  asked: Asked,
): Promise<Exchange | undefined> {
  for (let waits = 1; ; waits++) {
    const answer = await sendOnce({ timeout, ...sender }, target, recorder, operation, asked)
    if (answer?.status !== 429 || waits > mostWaits) return answer
    await target.sleep(pauseAfter(answer, waits))
  }
}

/** Waits for a limit. */
const mostWaits = 5

async function sendOnce(
  { timeout, ...sender }: Sending,
  target: Target,
  recorder: Recorder,
  operation: OperationId,
  asked: Asked,
): Promise<Exchange | undefined> {
  const request = prepare(sender, recorder, target.baseUrl, operation, asked)
  const sent = recorder.begin(target.now())
  const limit = inTime(timeout, recorder.stopped)
  try {
    const answer = await exchangeFor(request, target, recorder, { signal: limit.signal, fresh: true })
    if (answer.status === 429) {
      recorder.sent.push({ ...request, sent, received: recorder.moment(target.now()), exchange: answer })
      recorder.exchanges.push(answer)
      return answer
    }
    recorder.sent.push({ ...request, sent })
    recorder.sent.push({ ...request, number: recorder.nextNumber(), sent: recorder.moment(target.now()) })
    return answer
  } catch (error) {
    if (reasonOf(error) === noConnection)
      throw new NotExercised('the service was away: it refused a connection')
    recorder.sent.push({ ...request, sent })
    return undefined
  } finally {
    recorder.ended(sent)
    limit.end()
  }
}
