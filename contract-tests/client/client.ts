/**
 * A client that records every exchange: it waits as `Retry-After` says, retries what is safe to retry, never
 * repeats a paid request whose result it does not know, and identifies itself.
 */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { assumeTakenIn, exchangeOf, readBody } from './answer.ts'
import { NotExercised, Unreachable, Violation } from './check-errors.ts'
import { type CallOptions, type ClientSettings, notWaitedFor } from './client-settings.ts'
import { errorWithoutAnswer, usualOutage } from './lost-answer.ts'
import { addressOf, outgoingOf } from './outgoing.ts'
import { inTime, pause, pauseAfter } from './pace.ts'
import { lateAnswer, reasonOf } from './reason.ts'
import { isFromGateway, type Recorder } from './recorder.ts'
import type { Outgoing, Target } from './target.ts'

export type { CallOptions, ClientSettings } from './client-settings.ts'

const mostWaits = 20
/** Total wait for one answer if the service does not say how long, ms. */
const longestGuess = 30_000
/** Longest announced outage to wait for, ms. */
const longestOutage = 15_000
const mostRetries = 3
/** After this many requests that stayed refused, a refusal is returned without waiting: load is not the cause. */
const mostStillRefused = 2

/** One caller: sends its credentials with every request. */
export class Client {
  readonly caller: Caller
  readonly #target: Target
  readonly #settings: ClientSettings
  readonly #recorder: Recorder
  readonly #credentials: Readonly<Record<string, string>>
  /** What the service counts the requests of. */
  readonly #sender: string

  constructor(
    caller: Caller,
    credentials: Readonly<Record<string, string>>,
    target: Target,
    settings: ClientSettings,
    recorder: Recorder,
  ) {
    this.caller = caller
    this.#credentials = credentials
    this.#sender = credentials.authorization ?? credentials.cookie ?? ''
    this.#target = target
    this.#settings = settings
    this.#recorder = recorder
  }

  /** Calls an operation and returns the exchange. */
  call(operation: OperationId, options: CallOptions = {}): Promise<Exchange> {
    const { pass } = this.#settings
    return pass ? pass(() => this.#inTurn(operation, options)) : this.#inTurn(operation, options)
  }

  async #inTurn(operation: OperationId, options: CallOptions): Promise<Exchange> {
    const { pace } = this.#recorder
    let endTurn: (() => void) | undefined
    const takeTurn = async () => {
      endTurn ??= await pace.turn(this.#sender, this.#target)
    }
    try {
      if (pace.isLimited(this.#sender, this.#target.now())) await takeTurn()
      return await this.#call(operation, options, takeTurn)
    } finally {
      endTurn?.()
    }
  }

  /** `takeTurn`: called once the limit is exceeded. */
  async #call(
    operation: OperationId,
    options: CallOptions,
    takeTurn: () => Promise<void>,
  ): Promise<Exchange> {
    const { method, path, cost } = routeOf(operation)
    const url = this.#target.baseUrl + addressOf(path, options)
    const retriable = cost === 0 || options.isUnpaid === true
    const { outage = usualOutage } = this.#settings
    let until: number | undefined
    /** Whether to ask a service again that is away. */
    const isWorthAgain = () => {
      until ??= this.#target.now() + outage
      return retriable && this.#target.now() < until
    }
    let waits = 0
    let waited = 0
    let guessed = 0
    let retries = 0
    let fromGateway: Exchange | undefined
    let suspect: Exchange | undefined
    let fresh = cost > 0
    for (;;) {
      this.#throwIfInterrupted()
      const exchange = await this.#once(operation, method, url, options, cost, isWorthAgain, fresh)
      if (!exchange) {
        await this.#repeatAfter(pause)
        continue
      }
      if (isFromGateway(exchange)) {
        this.#recorder.disturbances.gateway++
        if (isWorthAgain()) {
          fromGateway = exchange
          await this.#repeatAfter(pause)
          continue
        }
        if (!retriable) await this.#excuse(exchange, cost)
      } else until = undefined
      if (!fresh && retriable && this.#recorder.doubts(exchange)) {
        suspect = exchange
        fresh = true
        continue
      }
      if (suspect) this.#recorder.compare(suspect, exchange)
      suspect = undefined
      // Judged if it stays; if the repeat gets an answer of the service, that one is judged.
      if (fromGateway && isFromGateway(exchange)) this.#recorder.exchanges.push(fromGateway)
      this.#recorder.exchanges.push(exchange)
      assumeTakenIn(exchange, this.#recorder)
      if (options.takes?.some((status) => status === exchange.status)) return exchange
      const patient = this.#recorder.stillRefused < mostStillRefused
      if (exchange.status === 429 && patient && guessed < longestGuess && waits++ < mostWaits) {
        const wait = pauseAfter(exchange, waits)
        if (exchange.headers['retry-after'] === undefined) guessed += wait
        else {
          waited += wait
          if (waited > this.#settings.retryLimit)
            throw notWaitedFor(exchange, this.#settings, this.#recorder.notWaited)
          this.#recorder.pace.hold(this.#sender, this.#target.now(), wait)
        }
        await this.#wait(wait)
        await takeTurn()
        continue
      }
      const delay = pauseAfter(exchange, retries + 1)
      if (
        exchange.status === 503 &&
        !isFromGateway(exchange) &&
        patient &&
        retriable &&
        delay < longestOutage &&
        retries++ < mostRetries
      ) {
        await this.#wait(delay)
        continue
      }
      if (guessed >= longestGuess || waits > mostWaits || retries > mostRetries) this.#recorder.stillRefused++
      return exchange
    }
  }

  /** A gateway's answer to a paid request shows nothing: the service was away, unless it happens again. */
  async #excuse(exchange: Exchange, cost: number): Promise<void> {
    const { method, url, status } = exchange
    const lost = { method, url, reason: `${status} of a gateway`, isPaid: true }
    const error = await errorWithoutAnswer(this.#target, this.#settings, this.#recorder, lost)
    this.#settings.onLost(cost)
    if (!(error instanceof Violation)) throw error
  }

  async #wait(ms: number): Promise<void> {
    this.#settings.onWait?.(ms)
    await this.#repeatAfter(ms)
  }

  async #repeatAfter(ms: number): Promise<void> {
    this.#recorder.repeatAfter(ms, this.#target.now())
    await this.#target.sleep(ms)
  }

  #throwIfInterrupted(): void {
    if (this.#settings.signal?.aborted) throw new NotExercised('the run was interrupted')
    if (this.#recorder.unreachable !== undefined) throw new Unreachable(this.#recorder.unreachable)
  }

  /** Sends one request; returns undefined if no answer came and it may be retried. */
  async #once(
    operation: OperationId,
    method: string,
    url: string,
    options: CallOptions,
    cost: number,
    isWorthAgain: () => boolean,
    fresh: boolean,
  ): Promise<Exchange | undefined> {
    const { runId, userAgent, headers: always, timeout, paidTimeout, signal, onLost } = this.#settings
    const number = this.#recorder.nextNumber()
    this.#recorder.requested.add(operation)
    const started = performance.now()
    const { stopped } = this.#recorder
    const ends = cost > 0 && signal ? AbortSignal.any([signal, stopped]) : stopped
    const limit = inTime(cost > 0 ? paidTimeout : timeout, ends)
    const outgoing: Outgoing = {
      ...outgoingOf(method, options, {
        ...always,
        accept: 'application/json',
        'user-agent': userAgent,
        'x-request-id': `${runId}-${number}`,
        ...this.#credentials,
      }),
      signal: limit.signal,
      fresh,
    }
    const { headers, body } = outgoing
    const request = { number, operation, url, requestHeaders: headers, requestBody: body }
    const sent = this.#recorder.moment(this.#target.now())
    try {
      const response = await this.#target.transport(url, outgoing)
      const body = await readBody(response)
      this.#recorder.keptBytes += body.kept
      if (cost > 0 && body.excess !== undefined) onLost(cost)
      const duration_ms = performance.now() - started
      const exchange = exchangeOf({ ...request, caller: this.caller, method, duration_ms }, response, body)
      const received = this.#recorder.moment(this.#target.now())
      this.#recorder.sent.push({ ...request, sent, received, exchange })
      return exchange
    } catch (error) {
      this.#recorder.sent.push({ ...request, sent })
      this.#recorder.disturbances.dropped++
      if (cost > 0 && options.isUnpaid !== true) onLost(cost)
      this.#throwIfInterrupted()
      const reason = reasonOf(error)
      const isSilent = reason === lateAnswer && !this.#recorder.answeredSince(sent)
      if (!isSilent && isWorthAgain()) return undefined
      const lost = { method: outgoing.method, url, reason, isPaid: cost > 0 }
      const thrown = await errorWithoutAnswer(this.#target, this.#settings, this.#recorder, lost)
      if (isSilent && !(thrown instanceof Unreachable) && isWorthAgain()) return undefined
      throw thrown
    } finally {
      limit.end()
    }
  }
}
