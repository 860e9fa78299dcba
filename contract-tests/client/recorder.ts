/** Recorder of the requests that a run of the suite has sent, and of their answers. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { createRateLimitQueue } from './rate-limits.ts'

/** Counts of lost requests, gateway answers, waits and repeats in a run; waited time in ms. */
export interface DisturbanceCounts {
  /** Requests that got no answer. */
  dropped: number
  /** Answers of 502, 503 or 504 that are not of this API. */
  gateway: number
  /** Waits that the service asked for, and waits before a repeat. */
  waits: number
  waited_ms: number
  /** Requests that were sent again. */
  repeats: number
}

/** A response on a kept-alive connection that answers another request than the last one. */
export interface MisplacedResponse {
  /** The last request before it that the service refused. */
  readonly before: Exchange | undefined
  readonly exchange: Exchange
  /** The response to the same request on a new connection. */
  readonly fresh: Exchange
}

/** Kind of an id that the service has not issued: like its own ids, or with unusual characters. */
export type InventedIdKind = 'alike' | 'odd'

/** A request as it was sent, with its exchange unless the answer was lost. */
export interface SentRequest
  extends Pick<Exchange, 'number' | 'operation' | 'url' | 'requestHeaders' | 'requestBody'> {
  readonly sent: OrderedMoment
  /** Set for an id that nobody has issued. */
  readonly invented?: InventedIdKind | undefined
  /** When its answer was there. */
  readonly received?: OrderedMoment
  readonly exchange?: Exchange
}

/** A provider state that was set up or torn down in a run, and when. */
export interface RecordedState {
  /** Whose state it is. */
  readonly tenant: 'main' | 'other'
  readonly state: string
  readonly action: 'setup' | 'teardown'
  readonly params: Readonly<Record<string, unknown>>
  readonly sent: OrderedMoment
  readonly received: OrderedMoment
}

/** The record of all exchanges and provider states of a run. */
export class Recorder {
  /** Exchanges that are judged: an answer of a gateway only if it stays. */
  readonly exchanges: Exchange[] = []
  readonly disturbances: DisturbanceCounts = { dropped: 0, gateway: 0, waits: 0, waited_ms: 0, repeats: 0 }
  readonly rateLimitQueue = createRateLimitQueue()
  /** Operations that were requested, whether or not an answer came. */
  readonly requested = new Set<OperationId>()
  /** Long bodies of answers that are kept, bytes. */
  keptBytes = 0
  /** Operations after which the service asked for a wait that was too long. */
  readonly notWaited = new Set<OperationId>()
  /** Requests that were still refused with 429 or 503 after all waiting. */
  stillRefused = 0
  /** Not among the exchanges: nothing but the connection is judged by them. */
  readonly outOfStep: MisplacedResponse[] = []
  /** Answers that may be to something else, where a limit kept them from being compared: nobody judges them. */
  readonly doubtful = new Set<number>()
  /** Every request in the order of its end, those without an answer included. */
  readonly sent: SentRequest[] = []
  readonly arranged: RecordedState[] = []
  /** Requests that have not ended, by the moment when they were sent. */
  readonly #underWay = new Map<OrderedMoment, PromiseWithResolvers<void>>()
  /** Credentials of the operator that are refused for good, and the number of the last request that they opened. */
  readonly revoked = new Map<string, number>()
  /** Why nothing more can be exercised, as when the service has stopped answering; undefined: it answers. */
  unreachable: string | undefined
  /** Requests that got no answer when they were last sent, although the service answered others. */
  readonly dropped = new Set<string>()
  #stopped = new AbortController()
  /** Refused requests that were compared with the answer on a new connection. */
  #compared = 0
  /** The end of the latest wait, ms. */
  #waitedUntil = Number.NEGATIVE_INFINITY
  #sent = 0
  #moments = 0

  /** Now, after everything that was recorded so far. `ms`: on the clock of the run. */
  moment(ms: number): OrderedMoment {
    return { seq: ++this.#moments, ms }
  }

  /** The moment at which something is sent: until it `ended`, nothing later is known for certain. */
  begin(ms: number): OrderedMoment {
    const sent = this.moment(ms)
    this.#underWay.set(sent, Promise.withResolvers())
    return sent
  }

  /** Notes that what was sent at a moment has an answer, or will have none. */
  ended(sent: OrderedMoment): void {
    this.#underWay.get(sent)?.resolve()
    this.#underWay.delete(sent)
  }

  /** Waits for the end of all that was sent so far; returns the place before which everything has ended then. */
  async caughtUp(): Promise<number> {
    await Promise.all([...this.#underWay.values()].map(({ promise }) => promise))
    const [first] = this.#underWay.keys()
    return first?.seq ?? Number.POSITIVE_INFINITY
  }

  /** True if an answer may be to something else than the request, so that it is compared with one on a new connection. */
  doubts(exchange: Exchange): boolean {
    if (mayBeOutOfStep(exchange)) return true
    const isAfterRefusal = () =>
      this.exchanges.some(({ status, requestBody }) => status >= 400 && requestBody)
    if (exchange.status !== 400 || !isAfterRefusal()) return false
    return this.outOfStep.length > 0 || this.#compared++ < mostCompared
  }

  /** Compares a response with that to the same request on a new connection. */
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

  /** Aborts once the service has stopped answering: nothing more is waited for. */
  get stopped(): AbortSignal {
    return this.#stopped.signal
  }

  /** Notes that the service answers again, for what is left to be cleaned up. */
  resume(): void {
    this.unreachable = undefined
    this.#stopped = new AbortController()
  }

  /** True if any answer has come since a moment. */
  answeredSince({ seq }: OrderedMoment): boolean {
    return this.sent.some(({ received }) => received !== undefined && received.seq > seq)
  }

  /** Notes that the service has stopped answering; `otherwise`: what to say if it never did. Returns what to say. */
  giveUp(otherwise: string, baseUrl: string): string {
    return this.stop(this.#lastAnswered(baseUrl) ?? otherwise)
  }

  /** Notes why nothing more can be exercised, unless it is known. Returns what to say. */
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

  /** Counts a wait before a request is sent again; of waits at the same time, the time once. `now`: ms. */
  repeatAfter(ms: number, now: number): void {
    this.disturbances.repeats++
    this.disturbances.waits++
    const until = Math.max(now + ms, this.#waitedUntil)
    this.disturbances.waited_ms += until - Math.max(now, this.#waitedUntil)
    this.#waitedUntil = until
  }
}

/** A service that leaves bodies unread shows it soon; the rest is not sent twice. */
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

/** Statuses that a service may give to the same bad input in turn. */
const refusals = new Set([400, 404, 409, 422])

/** True if an answer may be to something else than the request: no answer of this API, or bad input where there is none. */
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
