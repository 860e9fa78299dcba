/**
 * A model client that records what it sees: it waits as `Retry-After` says on every route, retries what is
 * safe to retry, never repeats a paid request whose fate it does not know, and identifies itself.
 */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from '#traffic/exchange.ts'
import { NotExercised, Unreachable, Violation } from './finding.ts'
import { inTime, pause, pauseAfter } from './pauses.ts'
import { reasonOf } from './reason.ts'
import type { Outgoing, Target } from './target.ts'

/** What a call says beyond its operation. */
export interface Ask {
  /** The `:id` of the path; encoded here. */
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Headers beside those of the caller. */
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses that are not waited out, since the check is about them. */
  readonly takes?: readonly (429 | 503)[]
}

export interface ClientSettings {
  readonly runId: string
  /** ms for one answer. */
  readonly timeout: number
  /** ms for the answer to a paid request: it may come when the work is done. */
  readonly paidTimeout: number
  readonly userAgent: string
  /** Aborted: nothing more is asked, and no paid answer is waited for. */
  readonly signal?: AbortSignal | undefined
  /** Told what a request may have cost whose answer was lost. */
  readonly onLost: (credits: number) => void
  /** Told of each wait that a service has asked for, ms. */
  readonly onWait?: ((ms: number) => void) | undefined
}

const mostWaits = 20
/** Waiting for one answer where the service does not say how long, ms in all. */
const longestGuess = 30_000
/** An outage that is to last longer, ms, is not waited out. */
const longestOutage = 15_000
const mostRetries = 3
/** After so many requests that no waiting helped, a refusal is taken as it is: it is not about load. */
const mostHopeless = 2

/** Records every exchange of a run. */
export class Recorder {
  readonly exchanges: Exchange[] = []
  /** Operations that were asked for, also where no answer came. */
  readonly asked = new Set<OperationId>()
  /** Requests that went on being refused with 429 or 503 however long was waited. */
  hopeless = 0
  #sent = 0

  nextNumber(): number {
    return ++this.#sent
  }
}

/** One caller: the credentials that it sends with everything. */
export class Client {
  readonly caller: Caller
  readonly #target: Target
  readonly #settings: ClientSettings
  readonly #recorder: Recorder
  readonly #credentials: Readonly<Record<string, string>>

  constructor(
    caller: Caller,
    credentials: Readonly<Record<string, string>>,
    target: Target,
    settings: ClientSettings,
    recorder: Recorder,
  ) {
    this.caller = caller
    this.#credentials = credentials
    this.#target = target
    this.#settings = settings
    this.#recorder = recorder
  }

  /** Calls an operation and answers what came back. */
  async call(operation: OperationId, ask: Ask = {}): Promise<Exchange> {
    const { method, path, cost } = routeOf(operation)
    const url =
      this.#target.baseUrl + path.replace(':id', encodeURIComponent(ask.id ?? '')) + queryOf(ask.query)
    const retriable = cost === 0
    let waits = 0
    let guessed = 0
    let retries = 0
    for (;;) {
      this.#throwIfOver()
      const exchange = await this.#once(operation, method, url, ask, cost, retriable && retries < mostRetries)
      if (!exchange) {
        retries++
        await this.#target.sleep(pause)
        continue
      }
      if (ask.takes?.some((status) => status === exchange.status)) return exchange
      const patient = this.#recorder.hopeless < mostHopeless
      if (exchange.status === 429 && patient && guessed < longestGuess && waits++ < mostWaits) {
        const wait = pauseAfter(exchange, waits)
        if (exchange.headers['retry-after'] === undefined) guessed += wait
        await this.#wait(wait)
        continue
      }
      const shortly = pauseAfter(exchange, retries + 1)
      if (
        exchange.status === 503 &&
        patient &&
        retriable &&
        shortly < longestOutage &&
        retries++ < mostRetries
      ) {
        await this.#wait(shortly)
        continue
      }
      if (guessed >= longestGuess || waits > mostWaits || retries > mostRetries) this.#recorder.hopeless++
      return exchange
    }
  }

  async #wait(ms: number): Promise<void> {
    this.#settings.onWait?.(ms)
    await this.#target.sleep(ms)
  }

  #throwIfOver(): void {
    if (this.#settings.signal?.aborted) throw new NotExercised('the run was interrupted')
  }

  /** One request; undefined where no answer came and it may be tried again. */
  async #once(
    operation: OperationId,
    method: string,
    url: string,
    ask: Ask,
    cost: number,
    mayRetry: boolean,
  ): Promise<Exchange | undefined> {
    const { runId, userAgent, timeout, paidTimeout, signal, onLost } = this.#settings
    const number = this.#recorder.nextNumber()
    this.#recorder.asked.add(operation)
    const body =
      ask.body === undefined ? undefined : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body)
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': userAgent,
      'x-request-id': `${runId}-${number}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...this.#credentials,
      ...ask.headers,
    }
    const started = performance.now()
    const outgoing: Outgoing = {
      method,
      headers,
      signal: inTime(cost > 0 ? paidTimeout : timeout, cost > 0 ? signal : undefined),
      fresh: cost > 0,
      ...(body === undefined ? {} : { body }),
    }
    try {
      const response = await this.#target.transport(url, outgoing)
      const text = await response.text()
      const exchange: Exchange = {
        number,
        operation,
        caller: this.caller,
        method,
        url,
        requestHeaders: headers,
        requestBody: body,
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text,
        json: parsed(text),
        duration_ms: performance.now() - started,
      }
      this.#recorder.exchanges.push(exchange)
      return exchange
    } catch (error) {
      if (mayRetry) return undefined
      if (cost > 0) onLost(cost)
      this.#throwIfOver()
      throw await this.#blame(method, url, reasonOf(error))
    }
  }

  /** No answer: the service is gone, or it answers others and so has dropped this request. */
  async #blame(method: string, url: string, reason: string): Promise<Error> {
    for (let tries = 0; tries < mostRetries; tries++) {
      if (tries > 0) await this.#target.sleep(pause)
      try {
        const signal = AbortSignal.timeout(this.#settings.timeout)
        await this.#target.transport(`${this.#target.baseUrl}/api/cli/whoami`, {
          method: 'GET',
          headers: { accept: 'application/json' },
          signal,
        })
        return new Violation('an answer', `none to ${method} ${new URL(url).pathname}: ${reason}`)
      } catch {}
    }
    return new Unreachable(`${this.#target.baseUrl} does not answer: ${reason}`)
  }
}

function queryOf(query: Ask['query']): string {
  return query ? `?${new URLSearchParams(query)}` : ''
}

function parsed(text: string): unknown {
  try {
    return /\d{16}/.test(text) ? JSON.parse(text, exact) : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A whole number that a double cannot hold stays as it is written: it may be an id. */
function exact(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source ?? ''
  return typeof value === 'number' && /^\d{16,}$/.test(source) && !Number.isSafeInteger(value)
    ? source
    : value
}
