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

export type Wire = ReturnType<typeof createWire>

export function createWire({ target, settings, recorder, runId }: TestContext) {
  const identity = new SecretIdentity()
  let places = 0
  let lost = 0
  /** Since when no answer has come, ms on the clock of the target; undefined: the last request got one. */
  let awaySince: number | undefined
  const moment = (): Moment => ({ place: ++places, ms: target.now() })

  const wire = {
    history: [] as ModelEvent[],
    exchanges: new Map<number, Exchange>(),
    listeners: new Set<Listener>(),
    /** When the last wait that the service asks for may end, ms on the clock of the target. */
    deadline: Number.POSITIVE_INFINITY,
    /** Called after each answer. */
    onAnswer: undefined as (() => void) | undefined,
    /** Requests that were sent. */
    get sent(): number {
      return wire.exchanges.size
    },
    moment,
    /**
     * Sends a request, again after each 429 that says when. Returns the exchange; undefined: its answer was lost.
     *
     * @throws OutOfTime if the wait would end after the deadline, or is longer than anybody waits.
     */
    async send(request: Request): Promise<Exchange | undefined> {
      let waited = 0
      for (let waits = 1; ; waits++) {
        const exchange = await sendOnce(request)
        if (exchange?.status !== 429 || waits > mostWaits) return exchange
        const wait = pauseAfter(exchange, waits)
        waited += wait
        if (waited > settings.retryLimit)
          throw new OutOfTime(notWaitedFor(exchange, settings, recorder.notWaited).message)
        if (target.now() + wait > wire.deadline)
          throw new OutOfTime(
            `the service asks to wait ${Math.ceil(wait / 1_000)} s, which is longer than the search`,
          )
        await target.sleep(wait)
      }
    },
    /** Records that a provider state was set up. */
    arranged(event: ArrangedEvent): void {
      wire.history.push(event)
      for (const listener of wire.listeners) listener.arranged(event)
    },
  }
  return wire

  async function sendOnce(request: Request): Promise<Exchange | undefined> {
    const { caller, credentials, text, ...asked } = request
    const { operation, resource, query } = asked
    const sender = { ...settings, runId, caller, credentials }
    const { method, path, cost } = routeOf(operation)
    const sent = prepare(sender, recorder, target.baseUrl, operation, {
      id: resource ?? '',
      ...(query && { query }),
      body: text,
    })
    const event: RequestEvent = { ...asked, kind: 'request', id: sent.number, sent: moment(), answer: null }
    for (const listener of wire.listeners) listener.sent(event)
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
      wire.history.push(event)
      awaySince ??= target.now()
      const isAway = ++lost > 1
      if (lost > mostLost && target.now() - awaySince >= settings.outage)
        throw new Unreachable(`${target.baseUrl} does not answer: ${reasonOf(error)}`)
      if (isAway) await target.sleep(pause)
      return undefined
    } finally {
      limit.end()
    }
    lost = 0
    awaySince = undefined
    const revoked = await revocation(exchange, target, recorder, settings)
    if (revoked !== undefined) throw new Unreachable(revoked)
    const { status, json } = exchange
    const received = moment()
    // Nobody knows what became of a request that a server in front of the service has answered.
    const answered = { ...event, answer: isFromGateway(exchange) ? null : { status, json, received } }
    const told = { ...answered, secret: identity.of(answered) }
    wire.history.push(told)
    wire.exchanges.set(exchange.number, exchange)
    recorder.exchanges.push(exchange)
    for (const listener of wire.listeners) listener.answered(told)
    wire.onAnswer?.()
    return exchange
  }
}
