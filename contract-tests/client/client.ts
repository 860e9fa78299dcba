/**
 * A client that records every exchange: it waits as `Retry-After` says, retries what is safe to retry, never
 * repeats a paid request whose result it does not know, and identifies itself.
 */
import { type OperationId, routeOf } from '#contract/operation.ts'
import { type Caller, type Exchange, errorCodeOf, hasSuccessStatus, valueAtPath } from '#traffic/exchange.ts'
import { checkBodyBounds, connectionRefusedReason, requestFailureReason, timeoutReason } from './answer.ts'
import type { LostChargeTracker, PaidRequestOutcome } from './charges.ts'
import { NotExercised, Unreachable, Violation } from './check-errors.ts'
import { createTimeoutSignal, firstRetryPauseMs, retryPauseMs } from './rate-limits.ts'
import { isFromGateway, type Recorder, type SentRequest } from './recorder.ts'
import { buildRequest, probePath, type RequestParts, type RequestSender, sendAndRead } from './request.ts'
import { diagnoseRevokedCredential } from './revoked.ts'
import type { Target } from './target.ts'

const mostWaits = 20
/** Total wait for one answer if the service does not say how long, ms. */
const longestGuess = 30_000
/** Longest announced outage to wait for, ms. */
const longestOutage = 15_000
const mostRetries = 3
/**
 * Number of requests still refused after all waits, after which refusals are returned at once: load is not the cause.
 */
const mostStillRefused = 2

/** A client with the credentials of one caller, which sends requests and records them. */
export type Client = ReturnType<typeof createClient>

/**
 * Creates a client that sends its credentials with every request, waits as `Retry-After` says, and records every
 * exchange.
 */
export function createClient(
  caller: Caller,
  credentials: Readonly<Record<string, string>>,
  target: Target,
  settings: ClientSettings,
  recorder: Recorder,
) {
  const { outage, timeout, runTimeout, signal, pass } = settings
  const sender: RequestSender = { ...settings, caller, credentials }
  /** Credential whose requests the service counts. */
  const credential = credentials.authorization ?? credentials.cookie ?? ''

  return {
    caller,
    /** Calls an operation and returns the exchange. */
    call(operation: OperationId, options: CallOptions = {}): Promise<Exchange> {
      return pass ? pass(() => inTurn(operation, options)) : inTurn(operation, options)
    },
  }

  async function inTurn(operation: OperationId, options: CallOptions): Promise<Exchange> {
    let endTurn: (() => void) | undefined
    const takeTurn = async () => {
      endTurn ??= await recorder.rateLimitQueue.turn(credential, target)
    }
    try {
      if (recorder.rateLimitQueue.isLimited(credential, target.now())) await takeTurn()
      return await ask(operation, options, takeTurn)
    } finally {
      endTurn?.()
    }
  }

  /** Sends a request until its answer is final. `takeTurn`: called once a rate limit is exceeded. */
  async function ask(
    operation: OperationId,
    options: CallOptions,
    takeTurn: () => Promise<void>,
  ): Promise<Exchange> {
    const { cost } = routeOf(operation)
    const retriable = cost === 0 || options.isUnpaid === true
    let until: number | undefined
    /** True if a request is sent again to a service that is away; `isUnsent`: the service cannot have received it. */
    const isWorthAgain = (isUnsent = false) => {
      until ??= target.now() + outage
      return (retriable || isUnsent) && target.now() < until
    }
    let waits = 0
    let waited = 0
    let guessed = 0
    let retries = 0
    let fromGateway: Exchange | undefined
    let isRepeated = false
    let suspect: Exchange | undefined
    let fresh = cost > 0 && options.isWarm !== true
    for (;;) {
      throwIfInterrupted()
      const exchange = await sendOnce(operation, options, cost, isWorthAgain, fresh)
      if (!exchange) {
        isRepeated = true
        await repeatAfter(firstRetryPauseMs)
        continue
      }
      if (isFromGateway(exchange)) {
        recorder.disturbances.gateway++
        if (isWorthAgain()) {
          fromGateway = exchange
          await repeatAfter(firstRetryPauseMs)
          continue
        }
        if (!retriable) await excuse(exchange, operation)
      } else until = undefined
      if (!fresh && retriable && recorder.doubts(exchange)) {
        suspect = exchange
        fresh = true
        continue
      }
      if (suspect) recorder.compare(suspect, exchange)
      suspect = undefined
      // Judged if it stays; if the repeat gets an answer of the service, that one is judged.
      if (fromGateway && isFromGateway(exchange)) recorder.exchanges.push(fromGateway)
      recorder.exchanges.push(exchange)
      checkBodyBounds(exchange, recorder)
      if (operation === 'deleteKey' && exchange.status === 404 && (isRepeated || fromGateway))
        throw new NotExercised('the first of two deletions, whose answer was lost, may have had its effect')
      const revoked = await diagnoseRevokedCredential(exchange, target, recorder, settings)
      const ended = revoked ?? recorder.failureOfService(exchange)
      if (ended !== undefined) throw new Unreachable(recorder.stop(ended))
      if (options.takes?.some((status) => status === exchange.status)) return exchange
      const patient = recorder.stillRefused < mostStillRefused
      if (exchange.status === 429 && patient && guessed < longestGuess && waits++ < mostWaits) {
        const wait = retryPauseMs(exchange, waits)
        if (exchange.headers['retry-after'] === undefined) guessed += wait
        else {
          waited += wait
          if (waited > settings.retryLimit)
            throw retryAfterTooLongError(exchange, settings, recorder.notWaited)
          recorder.rateLimitQueue.hold(credential, target.now(), wait)
        }
        await waitAsAsked(wait, exchange)
        await takeTurn()
        continue
      }
      const delay = retryPauseMs(exchange, retries + 1)
      const isAway = exchange.status === 503 && !isFromGateway(exchange) && delay < longestOutage
      if (isAway && patient && retriable && retries++ < mostRetries) {
        await waitAsAsked(delay, exchange)
        continue
      }
      if (guessed >= longestGuess || waits > mostWaits || retries > mostRetries) recorder.stillRefused++
      return exchange
    }
  }

  /**
   * Throws for a gateway's answer to a paid request, which shows that the service was away; not if it is given
   * repeatedly.
   */
  async function excuse(exchange: Exchange, operation: OperationId): Promise<void> {
    const error = await errorWithoutAnswer(exchange, `${exchange.status} of a gateway`, true)
    if (operation !== 'whoami') await readBalance()
    if (!(error instanceof Violation)) throw error
    // The service has done what such a request asks for: a gateway in front speaks of a loss, however often.
    const isDone = ({ exchange }: SentRequest) => exchange !== undefined && doneStatuses.has(exchange.status)
    if (recorder.sent.some((one) => one.operation === operation && isDone(one)))
      throw serviceAway(exchange, `${exchange.status} of a gateway`)
  }

  /** Reads the balance, which shows whether a request without an answer has cost something. */
  async function readBalance(): Promise<void> {
    if (settings.charges)
      await ask('whoami', { takes: [429, 503] }, async () => undefined).catch(() => undefined)
  }

  async function waitAsAsked(ms: number, { headers }: Exchange): Promise<void> {
    settings.onWait?.(ms, headers['retry-after'] !== undefined)
    await repeatAfter(ms)
  }

  async function repeatAfter(ms: number): Promise<void> {
    recorder.repeatAfter(ms, target.now())
    await target.sleep(ms)
  }

  function throwIfInterrupted(): void {
    if (signal?.aborted) throw new NotExercised('the run was interrupted')
    if (recorder.unreachable !== undefined) throw new Unreachable(recorder.unreachable)
  }

  /** Sends one request; returns undefined if no answer came and it may be retried. */
  async function sendOnce(
    operation: OperationId,
    options: CallOptions,
    cost: number,
    isWorthAgain: (isUnsent?: boolean) => boolean,
    fresh: boolean,
  ): Promise<Exchange | undefined> {
    const request = buildRequest(sender, recorder, target.baseUrl, operation, options)
    const { stopped } = recorder
    const ends = cost > 0 && signal ? AbortSignal.any([signal, stopped]) : stopped
    const limit = createTimeoutSignal(cost > 0 ? Math.max(timeout, runTimeout) : timeout, ends)
    const sent = recorder.begin(target.now())
    const { charges } = settings
    const { invented } = options
    const mayCost = cost > 0 && options.isUnpaid !== true
    const paid = mayCost ? charges?.begin(cost) : undefined
    const balance = operation === 'whoami' ? charges?.read() : undefined
    try {
      const exchange = await sendAndRead(request, target, recorder, {
        signal: limit.signal,
        fresh,
        secondHalf: options.secondHalf,
      })
      if (!isFromGateway(exchange)) recorder.dropped.delete(operationIn(request))
      paid?.(endOf(exchange))
      const credits = hasSuccessStatus(exchange) ? valueAtPath(exchange.json, 'credits') : undefined
      if (typeof credits === 'number') balance?.(credits)
      const received = recorder.moment(target.now())
      recorder.sent.push({ ...request, invented, sent, received, exchange })
      return exchange
    } catch (error) {
      const reason = requestFailureReason(error)
      const isUnsent = reason === connectionRefusedReason
      if (!isUnsent) recorder.sent.push({ ...request, invented, sent })
      recorder.ended(sent)
      recorder.disturbances.dropped++
      paid?.(isUnsent ? 'not taken' : 'lost')
      throwIfInterrupted()
      const isSilent = reason === timeoutReason && !recorder.answeredSince(sent)
      if (!isSilent && isWorthAgain(isUnsent)) return undefined
      const thrown = await errorWithoutAnswer(request, reason, cost > 0)
      if (paid && !isUnsent) await readBalance()
      if (isSilent && !(thrown instanceof Unreachable) && isWorthAgain()) return undefined
      throw thrown
    } finally {
      recorder.ended(sent)
      limit.end()
    }
  }

  /**
   * The error to throw for a request without an answer, after probing the service for as long as an outage may last.
   * `reason`: `ECONNRESET`, `no answer in time`, `502`; `isPaid`: it may have cost something, so it is not sent again.
   */
  async function errorWithoutAnswer(
    request: Pick<Exchange, 'method' | 'url'>,
    reason: string,
    isPaid: boolean,
  ): Promise<Error> {
    const isHanging = reason === timeoutReason
    if (recorder.unreachable !== undefined) return new Unreachable(recorder.unreachable)
    const until = target.now() + outage
    const { method, url } = request
    const path = new URL(url).pathname
    const asked = operationIn(request)
    for (;;) {
      if (await answers()) {
        const isKnown = recorder.dropped.has(asked)
        recorder.dropped.add(asked)
        return isHanging || (reason !== connectionRefusedReason && (!isPaid || isKnown))
          ? new Violation('an answer', `none to ${method} ${path}: ${reason}`)
          : serviceAway(request, reason)
      }
      if (signal?.aborted || isHanging || target.now() >= until) break
      await target.sleep(firstRetryPauseMs)
    }
    return new Unreachable(recorder.giveUp(`${target.baseUrl} does not answer: ${reason}`, target.baseUrl))
  }

  /** True if the service answers a probe, rather than a gateway in front of it. */
  async function answers(): Promise<boolean> {
    const answer = await probePath(target, routeOf('whoami').path, settings.headers ?? {}, timeout, signal)
    return answer !== undefined && !isFromGateway(answer)
  }
}

/** Statuses which show that the service itself has handled a paid request. */
const doneStatuses = new Set([200, 201, 202, 402, 409])

const serviceAway = ({ method, url }: Pick<Exchange, 'method' | 'url'>, reason: string) =>
  new NotExercised(
    `the service was away: no answer of its own to ${method} ${new URL(url).pathname} (${reason})`,
  )

/** Parts of a request besides its operation, and how the client treats it and its answers. */
export interface CallOptions extends RequestParts {
  /** Statuses that are returned at once, without waiting and repeating the request, because the check is about them. */
  readonly takes?: readonly (429 | 503)[]
  /** True if this request for paid work cannot be charged, so that it may be repeated like a free one. */
  readonly isUnpaid?: boolean
  /**
   * True if a paid request is sent on an open connection, not on a new one, so that it arrives at the same moment as
   * others.
   */
  readonly isWarm?: boolean
}

/** Settings of a client: how long it waits, how often it repeats, and how it names its requests. */
export interface ClientSettings extends Pick<RequestSender, 'runId' | 'userAgent' | 'headers'> {
  /** ms for one answer. */
  readonly timeout: number
  /** ms for a run to end, and for the answer to a paid request if that is longer: it may come when the work is done. */
  readonly runTimeout: number
  /** Longest wait for one answer that the service asks for, in all, ms. */
  readonly retryLimit: number
  /** ms to wait for a service that refuses connections, such as while it restarts. */
  readonly outage: number
  /** Wraps each call, to delay it while this caller must not send requests. */
  readonly pass?: (<T>(call: () => Promise<T>) => Promise<T>) | undefined
  /** When aborted, no more requests are sent, and no paid answer is waited for. */
  readonly signal?: AbortSignal | undefined
  /** Tracker of what lost requests cost the caller's organization; undefined: the caller belongs to none. */
  readonly charges?: LostChargeTracker | undefined
  /** Called with the length of each wait, ms; `isAsked`: `Retry-After` asked for it. */
  readonly onWait?: ((ms: number, isAsked: boolean) => void) | undefined
  /** Called with the reason when a wait that the service asks for is too long, once for each kind of request. */
  readonly onNoWait?: ((why: string) => void) | undefined
}

/**
 * The error for an answer whose `Retry-After` is longer than `--retry-limit`: the request is not sent again.
 * `windowSeconds`: the window of the rate limit that a provider state has set; undefined: none has set a limit.
 */
export function retryAfterTooLongError(
  { operation, method, url, headers }: Pick<Exchange, 'operation' | 'method' | 'url' | 'headers'>,
  { retryLimit, onNoWait }: Pick<ClientSettings, 'retryLimit' | 'onNoWait'>,
  notWaited: Set<OperationId>,
  windowSeconds?: number,
): NotExercised {
  const hint =
    windowSeconds === undefined
      ? ''
      : `; the limit that was set ends after ${windowSeconds} s: Retry-After takes seconds, not milliseconds`
  const asked = `Retry-After: ${headers['retry-after']?.slice(0, longestShown)}`
  const why = `not waited for as long as the service asks after ${method} ${new URL(url).pathname} (${asked}), which is longer than --retry-limit ${retryLimit / 1_000}s${hint}`
  if (!notWaited.has(operation)) onNoWait?.(why)
  notWaited.add(operation)
  return new NotExercised(why, '--retry-limit DURATION')
}

/** Maximum number of characters of a header that are shown. */
const longestShown = 40

/** The target with a `User-Agent` and an `X-Request-Id` header on each request that does not set them itself. */
export function withIdentifyingHeaders(target: Target, userAgent: string, nextId: () => string): Target {
  const transport: Target['transport'] = (url, outgoing) => {
    const headers = { 'user-agent': userAgent, ...outgoing.headers }
    const id = outgoing.headers['x-request-id'] ?? nextId()
    return target.transport(url, { ...outgoing, headers: { ...headers, 'x-request-id': id } })
  }
  return { ...target, transport }
}

/** The outcome of a paid request, by its answer: lost if the answer cannot be read or is a gateway's. */
function endOf(answer: Exchange): PaidRequestOutcome {
  if (answer.excess !== undefined || isFromGateway(answer)) return 'lost'
  return hasSuccessStatus(answer) || errorCodeOf(answer) === 'busy' ? 'taken' : 'not taken'
}

/** Method and path of a request, without the id of the resource. */
const operationIn = ({ method, url }: Pick<Exchange, 'method' | 'url'>) =>
  `${method} ${new URL(url).pathname.replace(/(\/(?:tasks|keys|documents|notifications)\/)[^/]+/, '$1:id')}`
