/** Does steps: fills in what they refer to, sends them, and has the model judge every answer. */
import { routeOf } from '#contract/operation.ts'
import { codeOf, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { createdId } from '../harness/operations.ts'
import { judgedBy } from '../harness/terms.ts'
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
import type { AssumedLateness, Env } from './env.ts'
import { fillIn, resolve } from './fill-in.ts'
import { GoingRuns } from './going-runs.ts'
import { type CallStep, type EndStep, makesFail, type StateStep, type Step, type Tenant } from './step.ts'
import type { Listener, Request } from './wire.ts'

/** States that change something and are over at once. */
const momentary: readonly StateStep['state'][] = ['credits', 'unread_notification']

/** What a step leaves to wait for. */
export interface Pause {
  /** ms on the clock of the target. */
  readonly until: number
  /** The step is not over: it is to be performed again then. */
  readonly again: boolean
}

export class Executor implements Listener {
  readonly state: State
  readonly violations: ModelViolation[] = []
  /** What is no violation if the service may be late. */
  readonly suspicions: ModelViolation[] = []
  /** The rules that had something to judge. */
  readonly tried = new Set<string>()
  /** Replaces `{tag}` in texts. */
  tag = ''
  readonly #steps = new Map<number, number>()
  /** The last answer to each request, by its step. */
  readonly answers = new Map<number, Exchange>()
  /** Called with each answered request. */
  onAnswer: ((call: CallStep, exchange: Exchange) => void) | undefined
  /** Called when the run of a task is known to be over. */
  onEnd: ((of: EndStep['of']) => void) | undefined
  readonly #env: Env
  readonly #going: GoingRuns
  /** States that do not end by themselves. */
  readonly #standing: StateStep[] = []
  readonly #lateness: AssumedLateness | undefined
  /** What is known if the service is no later than assumed. */
  readonly #assumed: State

  /** `finalStatuses`: what is known already of the final statuses of runs. `lateness`: an assumption to judge by, too. */
  constructor(env: Env, finalStatuses?: State['finalStatuses'], lateness?: AssumedLateness) {
    this.#env = env
    this.#lateness = lateness
    this.#going = new GoingRuns(env.runTimes)
    const { consistency, runTimeout, variant } = judgedBy(env.t.settings)
    this.state = newState(consistency, runTimeout, finalStatuses, variant)
    this.#assumed = newState(lateness?.consistency, lateness?.runTimeout, finalStatuses)
  }

  sent(event: RequestEvent): void {
    send(this.state, event)
    if (this.#lateness?.isAssumed) send(this.#assumed, event)
  }

  answered(event: RequestEvent): void {
    this.violations.push(...receive(this.state, event, undefined, this.tried))
    if (this.#lateness?.isAssumed) this.suspicions.push(...receive(this.#assumed, event))
  }

  arranged(event: ArrangedEvent): void {
    arrange(this.state, event)
    arrange(this.#assumed, event)
  }

  /** Looks again at the runs that are taken for lost. Returns what shows that some go on after all the time that they had. */
  async lookForLost(): Promise<ModelViolation[]> {
    const { t, end } = this.#env
    const shown: ModelViolation[] = []
    for (const { overdue, look, deadline } of this.#going.lost) {
      if (t.target.now() < deadline || end.left === 0) continue
      await this.#call(look)
      if (field(this.answers.get(look.at)?.json, 'finished') === false) shown.push(overdue)
    }
    return shown
  }

  /** Does a step. Returns what is to be waited for before the next one, or before it is performed again. */
  async perform(step: Step): Promise<Pause | undefined> {
    switch (step.kind) {
      case 'call':
        return void (await this.#call(step))
      case 'burst':
        return void (await Promise.all(step.calls.map((call) => this.#call(call))))
      case 'end':
        return this.#look(step)
      case 'state':
        return this.#setUp(step)
      case 'wait':
        return { until: this.#env.t.target.now() + step.ms, again: false }
    }
  }

  /** Does a step and waits until the next one may follow. */
  async finish(step: Step): Promise<void> {
    const { end, t } = this.#env
    while (end.left > 0) {
      const pause = await this.perform(step)
      if (pause) await t.target.sleep(Math.min(Math.max(1, pause.until - t.target.now()), end.left))
      if (!pause?.again) return
    }
  }

  /** Waits for the ends of all runs. */
  async calm(): Promise<void> {
    for (const [i, { tenant, id }] of this.#going.all.entries())
      await this.finish({ kind: 'end', at: -1 - i, tenant, of: id })
  }

  /** Whether runs go on that have not ended in the time that was left. */
  get hasRuns(): boolean {
    return this.#going.all.length > 0
  }

  /** Tears down the states that do not end by themselves. */
  async tearDown(): Promise<void> {
    for (const step of this.#standing.splice(0)) await this.#arrange(step, 'teardown')
  }

  async #setUp(step: StateStep): Promise<undefined> {
    const event = await this.#arrange(step, 'setup')
    const { runTimes, t } = this.#env
    if (makesFail(step)) runTimes.failed = t.target.now()
    if (event !== undefined && !momentary.includes(step.state)) this.#standing.push(step)
    this.note(step.at, event)
  }

  /** Sets a state up, or tears it down. Returns the number of the event; undefined: the state is not offered. */
  async #arrange(
    { tenant, state, params }: StateStep,
    action: ArrangedEvent['action'],
  ): Promise<number | undefined> {
    const { wire, creditSource } = this.#env
    const sent = wire.moment()
    if (!(await creditSource.arrange(tenant, state, params, action))) return undefined
    const id = wire.number()
    wire.arranged({ kind: 'arranged', id, tenant, state, action, params, sent, received: wire.moment() })
    return id
  }

  async #call(call: CallStep): Promise<void> {
    const { creditSource } = this.#env
    const request = fillIn(this.#env.t, this.answers, this.tag, call)
    const { cost } = routeOf(call.operation)
    if (!request || (cost > 0 && !creditSource.take(call.tenant))) return
    const exchange = await this.#sendFor(call.at, request)
    if (cost > 0 && exchange && exchange.status < 500 && !isTaken(exchange))
      creditSource.giveBack(call.tenant)
    else if (call.operation === 'runTask' && request.resource !== undefined)
      this.#going.accept(call.tenant, request.resource, this.#env.t.target.now(), exchange?.number)
    if (!exchange) return
    this.answers.set(call.at, exchange)
    const made = createdId(exchange)
    if (made !== undefined) this.#env.made.add(made)
    if (call.operation === 'createKey' && isAccepted(exchange)) this.#keep(call.tenant, exchange, made)
    if (call.operation === 'deleteKey' && isAccepted(exchange)) this.#drop(request.resource)
    this.onAnswer?.(call, exchange)
  }

  async #sendFor(at: number, request: Request): Promise<Exchange | undefined> {
    const before = this.#env.wire.history.length
    const exchange = await this.#env.wire.send(request)
    const ids = exchange ? [exchange.number] : this.#env.wire.history.slice(before).map(({ id }) => id)
    for (const id of ids) this.note(at, id)
    return exchange
  }

  /** Notes which step brought about an event. */
  note(at: number, event: number | undefined): undefined {
    if (event !== undefined) this.#steps.set(event, at)
  }

  /** The events of this executor up to one. */
  eventsUntil(last: number): number[] {
    return [...this.#steps.keys()].filter((id) => id <= last)
  }

  /** The step that brought about an event. */
  stepOf(event: number): number | undefined {
    return this.#steps.get(event)
  }

  /** Created keys are deleted at the end, and never shown. */
  #keep(tenant: Tenant, exchange: Exchange, id: string | undefined): void {
    const secret = field(exchange.json, 'secret')
    if (id !== undefined) this.#env.keys.push({ tenant, id })
    if (typeof secret === 'string')
      this.#env.t.secrets.push({ id, secret, others: [], shownBy: exchange.number })
  }

  #drop(deleted: string | undefined): void {
    const { keys } = this.#env
    const at = keys.findIndex(({ id }) => id === deleted)
    if (at >= 0) keys.splice(at, 1)
  }

  /** Looks whether a run has ended, once it may have. */
  async #look({ at, tenant, of }: EndStep): Promise<Pause | undefined> {
    const { t } = this.#env
    const now = () => t.target.now()
    const id = resolve(this.answers, of)
    if (id === undefined) return undefined
    const { awaited, isFirst } = this.#going.await(at, tenant, id, now(), t.settings.runTimeout) ?? {}
    if (!awaited) return undefined
    if (isFirst) return { until: now() + awaited.pause, again: true }
    const call: CallStep = { kind: 'call', at, tenant, as: 'key', operation: 'getTask', of }
    const exchange = await this.#sendFor(at, fillIn(t, this.answers, this.tag, call) as Request)
    if (exchange) this.answers.set(at, exchange)
    if (exchange && (field(exchange.json, 'finished') === true || !isAccepted(exchange))) {
      this.onEnd?.(of)
      return this.#going.end(at, tenant, id, now())
    }
    const deadline = awaited.from + awaited.within
    const isOverdue = now() >= deadline
    if (isOverdue || (this.#lateness?.isAssumed && this.#going.isUnusual(awaited, now()))) {
      const overdue = this.#overdue(tenant, id, exchange, awaited.within)
      if (overdue) (isOverdue ? this.violations : this.suspicions).push(overdue)
      if (overdue && !isOverdue) this.#going.lose(at, tenant, id, { overdue, look: call, deadline })
      else this.#going.giveUp(at, tenant, id)
      return undefined
    }
    this.#going.goesOn(awaited, now())
    return { until: now() + awaited.pause, again: true }
  }

  /** A run that does not end in time, if one was accepted: one that was lost or met an error may not have been. */
  #overdue(
    tenant: Tenant,
    id: string,
    exchange: Exchange | undefined,
    within: number,
  ): ModelViolation | undefined {
    const task = this.state.organizations.get(tenant)?.tasks.get(id)
    if (!exchange || !task?.runs.some(({ to }) => to !== null)) return undefined
    return {
      kind: 'violation',
      rule: 'run-ends',
      requirement: 'RUN-ENDS',
      anchor: 'poll-until-finished',
      expected: `finished: true within ${within} ms, the time that this run and those before it may take`,
      actual: 'finished: false',
      because: [...this.#going.besideOf(tenant, id), exchange.number],
      others: true,
      once: false,
      direct: false,
    }
  }
}

/** Whether a paid request was accepted, at once or behind a busy agent. */
export function isTaken(exchange: Exchange): boolean {
  return isAccepted(exchange) || (exchange.status === 409 && codeOf(exchange) === 'busy')
}
