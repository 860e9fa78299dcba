/**
 * A model client that records what it sees: it waits as `Retry-After` says on every route, retries what is
 * safe to retry, never repeats a paid request whose fate it does not know, and identifies itself.
 */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from './exchange.ts'
import { Unreachable, Violation } from './finding.ts'
import { reasonOf } from './reason.ts'
import { waitOf } from './retry-after.ts'
import type { Outgoing, Target } from './transport.ts'

/** What a call says beyond its operation. */
export interface Ask {
  /** The `:id` of the path; encoded here. */
  readonly id?: string
  readonly query?: Readonly<Record<string, string>>
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Headers beside those of the caller. */
  readonly headers?: Readonly<Record<string, string>>
  /** Take the first answer, also 429 and 503: the check is about them. */
  readonly asIs?: boolean
}

export interface ClientSettings {
  readonly runId: string
  /** ms for one answer. */
  readonly timeout: number
  readonly userAgent: string
}

const mostWaits = 20
const mostRetries = 3
const pause = 500

/** Records every exchange of a run. */
export class Recorder {
  readonly exchanges: Exchange[] = []
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
    let retries = 0
    for (;;) {
      const exchange = await this.#once(operation, method, url, ask, retriable && retries < mostRetries)
      if (!exchange) {
        retries++
        await this.#target.sleep(pause)
        continue
      }
      if (ask.asIs) return exchange
      if (exchange.status === 429 && waits++ < mostWaits) {
        await this.#target.sleep(waitOf(exchange.headers['retry-after'], exchange.headers.date) ?? pause)
        continue
      }
      if (exchange.status === 503 && retriable && retries++ < mostRetries) {
        await this.#target.sleep(waitOf(exchange.headers['retry-after'], exchange.headers.date) ?? pause)
        continue
      }
      return exchange
    }
  }

  /** One request; undefined where no answer came and it may be tried again. */
  async #once(
    operation: OperationId,
    method: string,
    url: string,
    ask: Ask,
    mayRetry: boolean,
  ): Promise<Exchange | undefined> {
    const number = this.#recorder.nextNumber()
    const body =
      ask.body === undefined ? undefined : typeof ask.body === 'string' ? ask.body : JSON.stringify(ask.body)
    const headers: Record<string, string> = {
      accept: 'application/json',
      'user-agent': this.#settings.userAgent,
      'x-request-id': `${this.#settings.runId}-${number}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...this.#credentials,
      ...ask.headers,
    }
    const started = performance.now()
    const outgoing: Outgoing = {
      method,
      headers,
      signal: AbortSignal.timeout(this.#settings.timeout),
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
      throw await this.#blame(method, url, reasonOf(error))
    }
  }

  /** No answer: the service is gone, or it answers others and so has dropped this request. */
  async #blame(method: string, url: string, reason: string): Promise<Error> {
    try {
      const signal = AbortSignal.timeout(this.#settings.timeout)
      await this.#target.transport(`${this.#target.baseUrl}/api/cli/whoami`, {
        method: 'GET',
        headers: {},
        signal,
      })
    } catch {
      return new Unreachable(`${this.#target.baseUrl} does not answer: ${reason}`)
    }
    return new Violation('an answer', `none to ${method} ${new URL(url).pathname}: ${reason}`)
  }
}

function queryOf(query: Ask['query']): string {
  return query ? `?${new URLSearchParams(query)}` : ''
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
