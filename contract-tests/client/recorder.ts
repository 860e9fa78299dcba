/** Recorder of the requests that a run of the suite has sent, and of their answers. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { createRateLimitQueues } from './rate-limits.ts'

/** The counts of lost requests, gateway answers, waits and repeats in a run, and the time waited, ms. */
export interface DeliveryProblemCounts {
  /** Requests that got no answer. */
  dropped: number
  /** Answers of 502, 503 or 504 that a gateway gave, not the service. */
  gateway: number
  /** Waits that the service asked for, and waits before a repeat. */
  waits: number
  waited_ms: number
  /** Requests that were sent again. */
  repeats: number
}

/** A response on a kept-alive connection that belongs to another request than the one just sent. */
export interface MisplacedResponse {
  /**
   * The last refused request with a body before it: the service may have left that body unread and thus got out of
   * step.
   */
  readonly before: Exchange | undefined
  readonly exchange: Exchange
  /** The response to the same request on a new connection. */
  readonly fresh: Exchange
}

/** Kind of an id that the service has not issued: like its own ids, or with unusual characters. */
export type UnissuedIdKind = 'alike' | 'odd'

/** A request as it was sent, with its exchange unless the answer was lost. */
export interface SentRequest
  extends Pick<Exchange, 'number' | 'operation' | 'url' | 'requestHeaders' | 'requestBody'> {
  readonly sent: OrderedMoment
  /** Kind of the id in its path, if the service has not issued that id. */
  readonly invented?: UnissuedIdKind | undefined
  /** The moment at which its answer arrived; undefined if none did. */
  readonly received?: OrderedMoment
  readonly exchange?: Exchange
}

/** A provider state that was set up or torn down in a run, and when. */
export interface RecordedProviderState {
  /** Organization whose state it is. */
  readonly tenant: 'main' | 'other'
  readonly state: string
  readonly action: 'setup' | 'teardown'
  readonly params: Readonly<Record<string, unknown>>
  readonly sent: OrderedMoment
  readonly received: OrderedMoment
}

/** Errors of a service in a row after which it is taken to answer nothing any more. */
const mostServerErrors = 40

/** The record of all exchanges and provider states of a run. */
export class Recorder {
  /** Exchanges that are judged; a gateway's answer is among them only if it is given repeatedly. */
  readonly exchanges: Exchange[] = []
  readonly disturbances: DeliveryProblemCounts = {
    dropped: 0,
    gateway: 0,
    waits: 0,
    waited_ms: 0,
    repeats: 0,
  }
  readonly rateLimitQueue = createRateLimitQueues()
  /** Operations that were requested, whether or not an answer came. */
  readonly requested = new Set<OperationId>()
  /** Memory of the long answers that are kept, bytes. */
  keptBytes = 0
  /** Operations for which the service asked for a longer wait than allowed. */
  readonly notWaited = new Set<OperationId>()
  /** Requests that were still refused with 429 or 503 after all waiting. */
  stillRefused = 0
  /**
   * Responses that answered another request. They are not in `exchanges`, since they only show that connections are out
   * of step.
   */
  readonly outOfStep: MisplacedResponse[] = []
  /**
   * Numbers of the exchanges that are not judged: their answers may belong to other requests, and a rate limit or an
   * outage prevented finding out.
   */
  readonly doubtful = new Set<number>()
  /** Every request in the order of its end, those without an answer included. */
  readonly sent: SentRequest[] = []
  readonly arranged: RecordedProviderState[] = []
  /** Requests that have not ended, by the moment when they were sent. */
  readonly #underWay = new Map<OrderedMoment, PromiseWithResolvers<void>>()
  /**
   * Credentials of the operator that are refused for good; for each, the number of the last request accepted with it.
   */
  readonly revoked = new Map<string, number>()
  /**
   * The reason why no more requests are sent, such as a service that has stopped answering; undefined if it answers.
   */
  unreachable: string | undefined
  /** Method and path of requests that got no answer when last sent, although the service answered others. */
  readonly dropped = new Set<string>()
  /** Number of server errors in a row, up to the latest answer. */
  #serverErrors = 0
  #stopped = new AbortController()
  /** Number of answers 400 that were compared with the answer on a new connection. */
  #compared = 0
  /** The end of the latest wait, ms. */
  #waitedUntil = Number.NEGATIVE_INFINITY
  #sent = 0
  #moments = 0

  /** Creates a moment that comes after all moments recorded so far. `ms`: its time on the clock of the run. */
  moment(ms: number): OrderedMoment {
    return { seq: ++this.#moments, ms }
  }

  /**
   * Creates the moment at which a request is sent; call `ended` with it once the request has its answer or has failed.
   */
  begin(ms: number): OrderedMoment {
    const sent = this.moment(ms)
    this.#underWay.set(sent, Promise.withResolvers())
    return sent
  }

  /** Notes that the request sent at a moment has its answer, or will get none. */
  ended(sent: OrderedMoment): void {
    this.#underWay.get(sent)?.resolve()
    this.#underWay.delete(sent)
  }

  /** Waits for the end of all requests sent so far; returns the place (`seq`) before which no request is still open. */
  async caughtUp(): Promise<number> {
    await Promise.all([...this.#underWay.values()].map(({ promise }) => promise))
    const [first] = this.#underWay.keys()
    return first?.seq ?? Number.POSITIVE_INFINITY
  }

  /** True if an answer may belong to another request, so that it is compared with the answer on a new connection. */
  doubts(exchange: Exchange): boolean {
    if (mayBeOutOfStep(exchange)) return true
    const isAfterRefusal = () =>
      this.exchanges.some(({ status, requestBody }) => status >= 400 && requestBody)
    if (exchange.status !== 400 || !isAfterRefusal()) return false
    return this.outOfStep.length > 0 || this.#compared++ < mostCompared
  }

  /** Notes an answer as misplaced if one to the same request on a new connection contradicts it. */
  compare(exchange: Exchange, fresh: Exchange): void {
    if (exchange.status === fresh.status) return
    // A limit or an outage says nothing of the connection, and bad input may be refused in several ways.
    if (fresh.status === 429 || fresh.status === 503 || isFromFrontServer(fresh))
      return void this.doubtful.add(exchange.number)
    if (!mayBeOutOfStep(exchange) && refusals.has(fresh.status)) return
    this.disturbances.repeats++
    const before = this.exchanges.findLast(({ status, requestBody }) => status >= 400 && requestBody)
    this.outOfStep.push({ before, exchange, fresh })
  }

  /** The median time of the latest answers, ms; 0 before the first. */
  usualTime(): number {
    const times = this.exchanges.slice(-50).map(({ duration_ms }) => duration_ms)
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  }

  /** A signal that aborts when the service has stopped answering: nothing more is waited for. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** Notes that the service answers again, so that the clean-up can go on. */
  resume(): void {
    this.unreachable = undefined
    this.#stopped = new AbortController()
  }

  /** True if any answer has come since a moment. */
  answeredSince({ seq }: OrderedMoment): boolean {
    return this.sent.some(({ received }) => received !== undefined && received.seq > seq)
  }

  /**
   * Notes that the service has stopped answering. Returns the reason to show; `otherwise`: that reason if it never
   * answered.
   */
  giveUp(otherwise: string, baseUrl: string): string {
    return this.stop(this.#lastAnswered(baseUrl) ?? otherwise)
  }

  /**
   * The reason to stop sending requests after too many server errors in a row; undefined if there are not that many.
   */
  failureOfService({ status }: Exchange): string | undefined {
    if (status < 500 || status === 503) this.#serverErrors = 0
    else this.#serverErrors++
    return this.#serverErrors < mostServerErrors
      ? undefined
      : `the last ${mostServerErrors} answers are errors of the service, the last one ${status}: nothing else can be tested`
  }

  /** Notes why no more requests are sent, unless a reason is known. Returns the reason that counts. */
  stop(why: string): string {
    this.unreachable ??= why
    this.#stopped.abort()
    return this.unreachable
  }

  #lastAnswered(baseUrl: string): string | undefined {
    const last = this.sent.findLast(({ exchange }) => exchange && !isFromGateway(exchange))
    if (!last?.exchange || !last.received) return undefined
    const began = Math.min(...this.sent.map(({ sent }) => sent.ms))
    const { method, url } = last.exchange
    const seconds = ((last.received.ms - began) / 1_000).toFixed(1)
    return `${baseUrl} stopped answering after ${method} ${new URL(url).pathname} at ${seconds} s`
  }

  nextNumber(): number {
    return ++this.#sent
  }

  /** The request of an exchange, as it was sent. */
  sentFor({ number }: Pick<Exchange, 'number'>): SentRequest | undefined {
    return this.sent.findLast((one) => one.number === number)
  }

  /** True if a request is the last that was sent. */
  isLast(number: number): boolean {
    return number === this.#sent
  }

  /** Counts a wait of `ms` before a request is sent again; time in which waits overlap counts once. `now`: ms. */
  repeatAfter(ms: number, now: number): void {
    this.disturbances.repeats++
    this.disturbances.waits++
    const until = Math.max(now + ms, this.#waitedUntil)
    this.disturbances.waited_ms += until - Math.max(now, this.#waitedUntil)
    this.#waitedUntil = until
  }
}

/** Most comparisons: a service that leaves bodies unread shows it soon. */
const mostCompared = 3

/**
 * True if an answer is a 502, 503 or 504 that does not have the error format of this API: a gateway in front of the
 * service gave it.
 */
export function isFromGateway(answer: { readonly status: number; readonly json?: unknown }): boolean {
  return [502, 503, 504].includes(answer.status) && !isApiError(answer.json)
}

/**
 * True if an answer comes from a server in front of the service: a gateway's page, a 429 that is not JSON, or a 403,
 * which this API does not have.
 */
export function isFromFrontServer(answer: { readonly status: number; readonly json?: unknown }): boolean {
  if (answer.status === 429) return answer.json === undefined
  return isFromGateway(answer) || (answer.status === 403 && !isApiError(answer.json))
}

const isApiError = (json: unknown) =>
  typeof json === 'object' && json !== null && Object.hasOwn(json, 'error')

/** Statuses with which servers answer bytes that are no request, such as the rest of a body that they have not read. */
const answersToBytes = new Set([400, 405, 408, 414, 431, 501, 505])

/** Statuses of which a service may give one or another to the same bad input. */
const refusals = new Set([400, 404, 409, 422])

/**
 * True if an answer may belong to another request: it is not of this API, or reports bad input where there is no input.
 */
function mayBeOutOfStep(answer: Exchange): boolean {
  if (!answersToBytes.has(answer.status)) return false
  const { status, method, url, json } = answer
  return !isApiError(json) || (status === 400 && method === 'GET' && !url.includes('?'))
}

/** A moment of a run of the suite: its place in the order of events, and its time, ms. */
export interface OrderedMoment {
  /** Place among all moments of the run, from 1: what the client saw first has the lower place. */
  readonly seq: number
  /** ms on the clock of the service or of the client; only differences count. */
  readonly ms: number
}
