/** Sends the requests of the search, records them as exchanges and as events of the model, and honours `Retry-After`. */
import { routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { checkBodyBounds, requestFailureReason } from '../../client/answer.ts'
import { Unreachable } from '../../client/check-errors.ts'
import { retryAfterTooLongError } from '../../client/client.ts'
import { createTimeoutSignal, firstRetryPauseMs, retryPauseMs } from '../../client/rate-limits.ts'
import { isFromGateway } from '../../client/recorder.ts'
import { buildRequest, sendAndRead } from '../../client/request.ts'
import { diagnoseRevokedCredential } from '../../client/revoked.ts'
import type { TestContext } from '../../harness/context.ts'
import {
  type ModelEvent,
  type OrderedMoment,
  type ProviderStateEvent,
  type RequestEvent,
  SecretNumbering,
} from '../../model/index.ts'

/** A request with ids and credentials filled in, ready to be sent. */
export type PreparedRequest = Pick<
  RequestEvent,
  'operation' | 'tenant' | 'key' | 'credential' | 'resource' | 'query' | 'body' | 'content'
> & {
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
  /** The body as it is sent; undefined if there is none. */
  readonly text?: string | undefined
}

/** Observer of requests, answers and provider states in order. */
interface TransportListener {
  sent(event: RequestEvent): void
  answered(event: RequestEvent): void
  arranged(event: ProviderStateEvent): void
}

const maxRetryWaits = 20
/** Number of consecutive lost answers after which the service may count as unreachable. */
const maxLostInARow = 5

/** Thrown if the service asks for a wait beyond the end of the search. */
export class WaitBeyondEndError extends Error {}

/** Sends the requests of a search, and records each exchange as an event of the model. */
export class RecordingTransport {
  readonly history: ModelEvent[] = []
  readonly exchanges = new Map<number, Exchange>()
  readonly listeners = new Set<TransportListener>()
  /** Latest end of a `Retry-After` wait, on the clock of the target. */
  deadline = Number.POSITIVE_INFINITY
  /** Called after each answer. */
  onAnswer: (() => void) | undefined
  readonly #t: TestContext
  readonly #identity = new SecretNumbering()
  #lastSeq = 0
  #lostInARow = 0
  /**
   * When the service stopped answering: the time of the first unanswered request; undefined if the last one was
   * answered.
   */
  #awaySince: number | undefined

  constructor(t: TestContext) {
    this.#t = t
  }

  /** Requests that were sent. */
  get sent(): number {
    return this.exchanges.size
  }

  moment(): OrderedMoment {
    return { seq: ++this.#lastSeq, ms: this.#t.target.now() }
  }

  /** Records that a provider state was set up. */
  arranged(event: ProviderStateEvent): void {
    this.history.push(event)
    for (const listener of this.listeners) listener.arranged(event)
  }

  /** Sends a request, repeating it after each 429 with `Retry-After`. Returns undefined if the answer was lost. */
  async send(request: PreparedRequest): Promise<Exchange | undefined> {
    const { target, settings, recorder } = this.#t
    let waited = 0
    for (let waits = 1; ; waits++) {
      const exchange = await this.#sendOnce(request)
      if (exchange?.status !== 429 || waits > maxRetryWaits) return exchange
      const wait = retryPauseMs(exchange, waits)
      waited += wait
      if (waited > settings.retryLimit)
        throw new WaitBeyondEndError(retryAfterTooLongError(exchange, settings, recorder.notWaited).message)
      if (target.now() + wait > this.deadline)
        throw new WaitBeyondEndError(
          `the service asks to wait ${Math.ceil(wait / 1_000)} s, which is longer than the search`,
        )
      await target.sleep(wait)
    }
  }

  async #sendOnce(request: PreparedRequest): Promise<Exchange | undefined> {
    const { target, settings, recorder, runId } = this.#t
    const { caller, credentials, text, ...modelRequest } = request
    const { operation, resource, query } = modelRequest
    const sender = { ...settings, runId, caller, credentials }
    const { cost } = routeOf(operation)
    const sent = buildRequest(sender, recorder, target.baseUrl, operation, {
      id: resource ?? '',
      ...(query && { query }),
      body: text,
    })
    const at = this.moment()
    const event: RequestEvent = { ...modelRequest, kind: 'request', id: sent.number, sent: at, answer: null }
    for (const listener of this.listeners) listener.sent(event)
    const within = cost > 0 ? Math.max(settings.timeout, settings.runTimeout) : settings.timeout
    const limit = createTimeoutSignal(within, undefined)
    let exchange: Exchange
    try {
      exchange = await sendAndRead(sent, target, recorder, { signal: limit.signal })
      this.#assumeReadable(exchange)
    } catch (error) {
      if (error instanceof Unreachable) throw error
      await this.#recordLoss(event, error)
      return undefined
    } finally {
      limit.end()
    }
    this.#lostInARow = 0
    this.#awaySince = undefined
    const revoked = await diagnoseRevokedCredential(exchange, target, recorder, settings)
    if (revoked !== undefined) throw new Unreachable(revoked)
    this.#recordAnswer(event, exchange)
    return exchange
  }

  #assumeReadable(exchange: Exchange): void {
    const { excess, operation } = exchange
    const { method, path } = routeOf(operation)
    if (excess !== undefined) throw new Unreachable(`the answer to ${method} ${path} ${excess}`)
    checkBodyBounds(exchange, this.#t.recorder)
  }

  /** Records that no answer came; waits a little if the service seems to be away. */
  async #recordLoss(event: RequestEvent, error: unknown): Promise<void> {
    const { target, settings, recorder } = this.#t
    recorder.disturbances.dropped++
    this.history.push(event)
    this.#awaySince ??= target.now()
    const isAway = ++this.#lostInARow > 1
    if (this.#lostInARow > maxLostInARow && target.now() - this.#awaySince >= settings.outage)
      throw new Unreachable(`${target.baseUrl} does not answer: ${requestFailureReason(error)}`)
    if (isAway) await target.sleep(firstRetryPauseMs)
  }

  #recordAnswer(event: RequestEvent, exchange: Exchange): void {
    const { status, json } = exchange
    const received = this.moment()
    // A gateway's answer does not tell whether the service processed the request.
    const answered = { ...event, answer: isFromGateway(exchange) ? null : { status, json, received } }
    const identified = { ...answered, secret: this.#identity.of(answered) }
    this.history.push(identified)
    this.exchanges.set(exchange.number, exchange)
    this.#t.recorder.exchanges.push(exchange)
    for (const listener of this.listeners) listener.answered(identified)
    this.onAnswer?.()
  }
}
