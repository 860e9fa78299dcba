/** Sends the requests of the search, records them as exchanges and as events of the model, and honours `Retry-After`. */
import { routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { assumeTakenIn, reasonOf } from '../client/answer.ts'
import { Unreachable } from '../client/check-errors.ts'
import { notWaitedFor } from '../client/client.ts'
import { inTime, pause, pauseAfter } from '../client/rate-limits.ts'
import { isFromGateway } from '../client/recorder.ts'
import { exchangeFor, prepare } from '../client/request.ts'
import { revocation } from '../client/revoked.ts'
import type { TestContext } from '../harness/context.ts'
import {
  type ArrangedEvent,
  type ModelEvent,
  type Moment,
  type RequestEvent,
  SecretIdentity,
} from '../model/index.ts'

/** A request with everything filled in. */
export type Request = Pick<
  RequestEvent,
  'operation' | 'tenant' | 'key' | 'credential' | 'resource' | 'query' | 'body' | 'content'
> & {
  readonly caller: Caller
  readonly credentials: Readonly<Record<string, string>>
  /** The body as it is sent; undefined: none. */
  readonly text?: string | undefined
}

/** Told of everything that happens, in its order. */
export interface Listener {
  sent(event: RequestEvent): void
  answered(event: RequestEvent): void
  arranged(event: ArrangedEvent): void
}

const mostWaits = 20
/** Lost answers in a row after which a service that was away for as long as it may be counts as unreachable. */
const mostLost = 5

/** The service asks for a wait that ends after the search. */
export class OutOfTime extends Error {}

export class Wire {
  readonly history: ModelEvent[] = []
  readonly exchanges = new Map<number, Exchange>()
  readonly listeners = new Set<Listener>()
  /** When the last wait that the service asks for may end, ms on the clock of the target. */
  deadline = Number.POSITIVE_INFINITY
  /** Called after each answer. */
  onAnswer: (() => void) | undefined
  readonly #t: TestContext
  readonly #identity = new SecretIdentity()
  #places = 0
  #lost = 0
  /** Since when no answer has come, ms on the clock of the target; undefined: the last request got one. */
  #awaySince: number | undefined

  constructor(t: TestContext) {
    this.#t = t
  }

  /** Requests that were sent. */
  get sent(): number {
    return this.exchanges.size
  }

  moment(): Moment {
    return { place: ++this.#places, ms: this.#t.target.now() }
  }

  /** A number for an event. */
  number(): number {
    return this.#t.recorder.nextNumber()
  }

  /**
   * Sends a request, again after each 429 that says when. Returns the exchange; undefined: its answer was lost.
   *
   * @throws OutOfTime if the wait would end after the deadline, or is longer than anybody waits.
   */
  async send(request: Request): Promise<Exchange | undefined> {
    let waited = 0
    for (let waits = 1; ; waits++) {
      const exchange = await this.#once(request)
      if (exchange?.status !== 429 || waits > mostWaits) return exchange
      const wait = pauseAfter(exchange, waits)
      waited += wait
      if (waited > this.#t.settings.retryLimit)
        throw new OutOfTime(notWaitedFor(exchange, this.#t.settings, this.#t.recorder.notWaited).message)
      if (this.#t.target.now() + wait > this.deadline)
        throw new OutOfTime(
          `the service asks to wait ${Math.ceil(wait / 1_000)} s, which is longer than the search`,
        )
      await this.#t.target.sleep(wait)
    }
  }

  async #once(request: Request): Promise<Exchange | undefined> {
    const { target, settings, recorder, runId } = this.#t
    const { caller, credentials, text, ...asked } = request
    const { operation, resource, query } = asked
    const sender = { ...settings, runId, caller, credentials }
    const { method, path, cost } = routeOf(operation)
    const sent = prepare(sender, recorder, target.baseUrl, operation, {
      id: resource ?? '',
      ...(query && { query }),
      body: text,
    })
    const { number } = sent
    const event: RequestEvent = {
      ...asked,
      kind: 'request',
      id: number,
      sent: this.moment(),
      answer: null,
    }
    for (const listener of this.listeners) listener.sent(event)
    const within = cost > 0 ? Math.max(settings.timeout, settings.runTimeout) : settings.timeout
    const limit = inTime(within, undefined)
    let exchange: Exchange
    try {
      exchange = await exchangeFor(sent, target, recorder, { signal: limit.signal })
      const { excess } = exchange
      if (excess !== undefined) throw new Unreachable(`the answer to ${method} ${path} ${excess}`)
      assumeTakenIn(exchange, recorder)
    } catch (error) {
      if (error instanceof Unreachable) throw error
      recorder.disturbances.dropped++
      this.history.push(event)
      this.#awaySince ??= target.now()
      const isAway = ++this.#lost > 1
      if (this.#lost > mostLost && target.now() - this.#awaySince >= settings.outage)
        throw new Unreachable(`${target.baseUrl} does not answer: ${reasonOf(error)}`)
      if (isAway) await target.sleep(pause)
      return undefined
    } finally {
      limit.end()
    }
    this.#lost = 0
    this.#awaySince = undefined
    const revoked = await revocation(exchange, target, recorder, settings)
    if (revoked !== undefined) throw new Unreachable(revoked)
    const { status, json } = exchange
    const received = this.moment()
    // Nobody knows what became of a request that a server in front of the service has answered.
    const answered = { ...event, answer: isFromGateway(exchange) ? null : { status, json, received } }
    this.#record({ ...answered, secret: this.#identity.of(answered) }, exchange)
    this.onAnswer?.()
    return exchange
  }

  #record(event: RequestEvent, exchange: Exchange): void {
    this.history.push(event)
    this.exchanges.set(exchange.number, exchange)
    this.#t.recorder.exchanges.push(exchange)
    for (const listener of this.listeners) listener.answered(event)
  }

  /** Records that a provider state was set up. */
  arranged(event: ArrangedEvent): void {
    this.history.push(event)
    for (const listener of this.listeners) listener.arranged(event)
  }
}
