/** Does steps: fills in what they refer to, sends them, and has the model judge every answer. */
import { routeOf } from '#contract/operation.ts'
import { codeOf, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import {
  type ArrangedEvent,
  arrange,
  type ModelViolation,
  newState,
  type RequestEvent,
  receive,
  type State,
  send,
} from '../model/index.ts'
import { fillIn, resolve } from './fill-in.ts'
import type { Purse } from './purse.ts'
import type { Gaps } from './slice.ts'
import type { CallStep, EndStep, StateStep, Step, Tenant } from './step.ts'
import type { Listener, Request, Wire } from './wire.ts'

/** What a play works with. */
export interface Stage {
  readonly t: TestContext
  readonly wire: Wire
  readonly purse: Purse
  /** Keys that were created and may still exist. */
  readonly keys: { readonly tenant: Tenant; readonly id: string }[]
  /** The pauses that a replay keeps. */
  readonly gaps: Gaps
}

/** First guess how long a run takes, and the longest pause between two looks, ms. */
const pauses = { first: 40, longest: 1_000 } as const

export class Play implements Listener {
  readonly state: State
  readonly violations: ModelViolation[] = []
  /** The rules that had something to judge. */
  readonly tried = new Set<string>()
  /** Replaces `{tag}` in texts. */
  tag = ''
  readonly #steps = new Map<number, number>()
  /** The last answer to each request, by its step. */
  readonly answers = new Map<number, Exchange>()
  /** Called with each answered request. */
  onAnswer: ((call: CallStep, exchange: Exchange) => void) | undefined
  /** Called while the play waits for the end of a run, ms; may do other steps meanwhile. */
  idle: ((ms: number) => Promise<void>) | undefined
  readonly #stage: Stage
  /** Tasks with a run that was accepted and not yet seen to end, with the time of its acceptance. */
  readonly #going = new Map<string, number>()
  readonly #arranged: StateStep[] = []
  /** How long runs took lately, ms. */
  #usual: number = pauses.first

  /** `endings`: what is known already of the final statuses of runs. */
  constructor(stage: Stage, endings?: State['endings']) {
    this.#stage = stage
    const { consistency, runTimeout } = stage.t.settings
    this.state = newState(consistency, runTimeout, endings)
  }

  sent(event: RequestEvent): void {
    send(this.state, event)
  }

  answered(event: RequestEvent): void {
    this.violations.push(...receive(this.state, event, undefined, this.tried))
  }

  arranged(event: ArrangedEvent): void {
    arrange(this.state, event)
  }

  /** Whether a run of a task is not known to have ended. */
  isGoing(tenant: Tenant, id: string): boolean {
    return this.#going.has(`${tenant} ${id}`)
  }

  async perform(step: Step): Promise<void> {
    switch (step.kind) {
      case 'call':
        return void (await this.#call(step))
      case 'burst':
        return void (await Promise.all(step.calls.map((call) => this.#call(call))))
      case 'end':
        return this.#awaitEnd(step)
      case 'state':
        return this.#arrange(step)
      case 'wait':
        return this.#stage.t.target.sleep(step.ms)
    }
  }

  /** Tears down the states that do not end by themselves. */
  async tearDown(): Promise<void> {
    for (const { tenant, state, params } of this.#arranged.splice(0))
      await this.#record(tenant, state, params, 'teardown')
  }

  async #call(call: CallStep): Promise<void> {
    const { purse } = this.#stage
    const request = fillIn(this.#stage.t, this.answers, this.tag, call)
    const { cost } = routeOf(call.operation)
    if (!request || (cost > 0 && !purse.take(call.tenant))) return
    const exchange = await this.#sendFor(call.at, request)
    if (cost > 0 && exchange && exchange.status < 500 && !isTaken(exchange)) purse.giveBack(call.tenant)
    else if (cost > 0) {
      if (call.operation === 'runTask' && request.resource !== undefined)
        this.#going.set(`${call.tenant} ${request.resource}`, this.#stage.t.target.now())
    }
    if (!exchange) return
    this.answers.set(call.at, exchange)
    if (call.operation === 'createKey' && isAccepted(exchange)) this.#keep(call.tenant, exchange)
    this.onAnswer?.(call, exchange)
  }

  async #sendFor(at: number, request: Request): Promise<Exchange | undefined> {
    const before = this.#stage.wire.history.length
    const exchange = await this.#stage.wire.send(request)
    const ids = exchange ? [exchange.number] : this.#stage.wire.history.slice(before).map(({ id }) => id)
    this.#note(at, ids)
    return exchange
  }

  #note(at: number, ids: readonly number[]): void {
    for (const id of ids) this.#steps.set(id, at)
  }

  /** The events of this play up to one. */
  eventsUntil(last: number): number[] {
    return [...this.#steps.keys()].filter((id) => id <= last)
  }

  /** The step that brought about an event. */
  stepOf(event: number): number | undefined {
    return this.#steps.get(event)
  }

  /** Created keys are deleted at the end, and never shown. */
  #keep(tenant: Tenant, exchange: Exchange): void {
    const secret = field(exchange.json, 'secret')
    const id = createdId(exchange)
    if (id !== undefined) this.#stage.keys.push({ tenant, id })
    if (typeof secret === 'string')
      this.#stage.t.secrets.push({ id, secret, others: [], shownBy: exchange.number })
  }

  async #awaitEnd({ at, tenant, of }: EndStep): Promise<void> {
    const { t } = this.#stage
    const id = resolve(this.answers, of)
    const accepted = id === undefined ? undefined : this.#going.get(`${tenant} ${id}`)
    if (accepted === undefined) return
    const call: CallStep = { kind: 'call', at, tenant, as: 'key', operation: 'getTask', of }
    const request = fillIn(this.#stage.t, this.answers, this.tag, call) as Request
    const within = t.settings.runTimeout * (1 + this.#goingOf(tenant))
    const deadline = t.target.now() + within
    let pause = Math.max(1, this.#usual - (t.target.now() - accepted))
    for (;;) {
      const until = t.target.now() + pause
      await this.idle?.(pause)
      await t.target.sleep(Math.max(1, until - t.target.now()))
      const exchange = await this.#sendFor(at, request)
      const finished = exchange && field(exchange.json, 'finished')
      if (exchange) this.answers.set(at, exchange)
      if (finished === true || (exchange && !isAccepted(exchange))) break
      if (t.target.now() >= deadline) return this.#overdue(exchange, within)
      pause = Math.min(Math.max(pause * 1.5, 10), pauses.longest)
    }
    this.#usual = Math.min(this.#usual * 0.5 + (t.target.now() - accepted) * 0.5, pauses.longest)
    this.#going.delete(`${tenant} ${id}`)
  }

  /** How many runs of an organization are not known to have ended: each may take its time. */
  #goingOf(tenant: Tenant): number {
    return [...this.#going.keys()].filter((key) => key.startsWith(`${tenant} `)).length
  }

  /** A run that does not end in time. */
  #overdue(exchange: Exchange | undefined, within: number): void {
    if (!exchange) return
    this.violations.push({
      kind: 'violation',
      rule: 'run-ends',
      requirement: 'RUN-ENDS',
      anchor: 'finished-is-final',
      expected: `finished: true within ${within} ms, the time that this run and those before it may take`,
      actual: 'finished: false',
      because: [exchange.number],
      others: false,
    })
  }

  async #arrange({ at, tenant, state, params }: StateStep): Promise<void> {
    const event = await this.#record(tenant, state, params, 'setup')
    if (!event) return
    this.#note(at, [event.id])
    if (state !== 'credits' && state !== 'unread_notification')
      this.#arranged.push({ kind: 'state', at, tenant, state, params })
  }

  async #record(
    tenant: Tenant,
    state: StateStep['state'],
    params: StateStep['params'],
    action: ArrangedEvent['action'],
  ): Promise<ArrangedEvent | undefined> {
    const { wire, purse } = this.#stage
    const sent = wire.moment()
    if (!(await purse.arrange(tenant, state, params, action))) return undefined
    const event = { kind: 'arranged', id: wire.number(), tenant, state, action, params, sent } as const
    const arranged = { ...event, received: wire.moment() }
    wire.arranged(arranged)
    return arranged
  }
}

/** Whether a paid request was accepted, at once or behind a busy agent. */
export function isTaken(exchange: Exchange): boolean {
  return isAccepted(exchange) || (exchange.status === 409 && codeOf(exchange) === 'busy')
}
