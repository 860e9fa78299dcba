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
import { createGoingRuns } from './going-runs.ts'
import { type CallStep, type EndStep, makesFail, type StateStep, type Step, type Tenant } from './step.ts'
import type { Request } from './wire.ts'

/** States that change something and are over at once. */
const momentary: readonly StateStep['state'][] = ['credits', 'unread_notification']

/** What a step leaves to wait for. */
export interface Pause {
  /** ms on the clock of the target. */
  readonly until: number
  /** The step is not over: it is to be performed again then. */
  readonly again: boolean
}

export type Executor = ReturnType<typeof createExecutor>

/** `finalStatuses`: what is known already of the final statuses of runs. `lateness`: an assumption to judge by, too. */
export function createExecutor(
  { t, wire, creditSource, keys, made, runTimes, end }: Env,
  finalStatuses?: State['finalStatuses'],
  lateness?: AssumedLateness,
) {
  const { consistency, runTimeout, variant } = judgedBy(t.settings)
  const state = newState(consistency, runTimeout, finalStatuses, variant)
  /** What is known if the service is no later than assumed. */
  const assumed = newState(lateness?.consistency, lateness?.runTimeout, finalStatuses)
  const violations: ModelViolation[] = []
  const suspicions: ModelViolation[] = []
  const tried = new Set<string>()
  const answers = new Map<number, Exchange>()
  /** The step that brought about each event. */
  const steps = new Map<number, number>()
  const going = createGoingRuns(runTimes)
  /** States that do not end by themselves. */
  const standing: StateStep[] = []

  /** Notes which step brought about an event. */
  function note(at: number, event: number | undefined): undefined {
    if (event !== undefined) steps.set(event, at)
  }

  const executor = {
    state,
    violations,
    /** What is no violation if the service may be late. */
    suspicions,
    /** The rules that had something to judge. */
    tried,
    /** The last answer to each request, by its step. */
    answers,
    /** Replaces `{tag}` in texts. */
    tag: '',
    /** Called with each answered request. */
    onAnswer: undefined as ((call: CallStep, exchange: Exchange) => void) | undefined,
    /** Called when the run of a task is known to be over. */
    onEnd: undefined as ((of: EndStep['of']) => void) | undefined,
    sent(event: RequestEvent): void {
      send(state, event)
      if (lateness?.isAssumed) send(assumed, event)
    },
    answered(event: RequestEvent): void {
      violations.push(...receive(state, event, undefined, tried))
      if (lateness?.isAssumed) suspicions.push(...receive(assumed, event))
    },
    arranged(event: ArrangedEvent): void {
      arrange(state, event)
      arrange(assumed, event)
    },
    ...{ lookForLost, perform, finish, calm, tearDown, note },
    /** Whether runs go on that have not ended in the time that was left. */
    get hasRuns(): boolean {
      return going.all.length > 0
    },
    /** The events of this executor up to one. */
    eventsUntil: (last: number) => [...steps.keys()].filter((id) => id <= last),
    /** The step that brought about an event. */
    stepOf: (event: number) => steps.get(event),
  }
  return executor

  /** Looks again at the runs that are taken for lost. Returns what shows that some go on after all the time that they had. */
  async function lookForLost(): Promise<ModelViolation[]> {
    const shown: ModelViolation[] = []
    for (const { overdue, look, deadline } of going.lost) {
      if (t.target.now() < deadline || end.left === 0) continue
      await ask(look)
      if (field(answers.get(look.at)?.json, 'finished') === false) shown.push(overdue)
    }
    return shown
  }

  /** Does a step. Returns what is to be waited for before the next one, or before it is performed again. */
  async function perform(step: Step): Promise<Pause | undefined> {
    switch (step.kind) {
      case 'call':
        return void (await ask(step))
      case 'burst':
        return void (await Promise.all(step.calls.map((call) => ask(call))))
      case 'end':
        return look(step)
      case 'state':
        return setUp(step)
      case 'wait':
        return { until: t.target.now() + step.ms, again: false }
    }
  }

  /** Does a step and waits until the next one may follow. */
  async function finish(step: Step): Promise<void> {
    while (end.left > 0) {
      const pause = await perform(step)
      if (pause) await t.target.sleep(Math.min(Math.max(1, pause.until - t.target.now()), end.left))
      if (!pause?.again) return
    }
  }

  /** Waits for the ends of all runs. */
  async function calm(): Promise<void> {
    for (const [i, { tenant, id }] of going.all.entries())
      await finish({ kind: 'end', at: -1 - i, tenant, of: id })
  }

  /** Tears down the states that do not end by themselves. */
  async function tearDown(): Promise<void> {
    for (const step of standing.splice(0)) await setState(step, 'teardown')
  }

  async function setUp(step: StateStep): Promise<undefined> {
    const event = await setState(step, 'setup')
    if (makesFail(step)) runTimes.failed = t.target.now()
    if (event !== undefined && !momentary.includes(step.state)) standing.push(step)
    note(step.at, event)
  }

  /** Sets a state up, or tears it down. Returns the number of the event; undefined: the state is not offered. */
  async function setState(
    { tenant, state, params }: StateStep,
    action: ArrangedEvent['action'],
  ): Promise<number | undefined> {
    const sent = wire.moment()
    if (!(await creditSource.arrange(tenant, state, params, action))) return undefined
    const id = t.recorder.nextNumber()
    wire.arranged({ kind: 'arranged', id, tenant, state, action, params, sent, received: wire.moment() })
    return id
  }

  async function ask(call: CallStep): Promise<void> {
    const request = fillIn(t, answers, executor.tag, call)
    const { cost } = routeOf(call.operation)
    if (!request || (cost > 0 && !creditSource.take(call.tenant))) return
    const exchange = await sendFor(call.at, request)
    if (cost > 0 && exchange && exchange.status < 500 && !isTaken(exchange))
      creditSource.giveBack(call.tenant)
    else if (call.operation === 'runTask' && request.resource !== undefined)
      going.accept(call.tenant, request.resource, t.target.now(), exchange?.number)
    if (!exchange) return
    answers.set(call.at, exchange)
    const id = createdId(exchange)
    if (id !== undefined) made.add(id)
    if (call.operation === 'createKey' && isAccepted(exchange)) keep(call.tenant, exchange, id)
    if (call.operation === 'deleteKey' && isAccepted(exchange)) drop(request.resource)
    executor.onAnswer?.(call, exchange)
  }

  async function sendFor(at: number, request: Request): Promise<Exchange | undefined> {
    const before = wire.history.length
    const exchange = await wire.send(request)
    const ids = exchange ? [exchange.number] : wire.history.slice(before).map(({ id }) => id)
    for (const id of ids) note(at, id)
    return exchange
  }

  /** Created keys are deleted at the end, and never shown. */
  function keep(tenant: Tenant, exchange: Exchange, id: string | undefined): void {
    const secret = field(exchange.json, 'secret')
    if (id !== undefined) keys.push({ tenant, id })
    if (typeof secret === 'string') t.secrets.push({ id, secret, others: [], shownBy: exchange.number })
  }

  function drop(deleted: string | undefined): void {
    const at = keys.findIndex(({ id }) => id === deleted)
    if (at >= 0) keys.splice(at, 1)
  }

  /** Looks whether a run has ended, once it may have. */
  async function look({ at, tenant, of }: EndStep): Promise<Pause | undefined> {
    const now = () => t.target.now()
    const id = resolve(answers, of)
    if (id === undefined) return undefined
    const { awaited, isFirst } = going.await(at, tenant, id, now(), runTimeout) ?? {}
    if (!awaited) return undefined
    if (isFirst) return { until: now() + awaited.pause, again: true }
    const call: CallStep = { kind: 'call', at, tenant, as: 'key', operation: 'getTask', of }
    const exchange = await sendFor(at, fillIn(t, answers, executor.tag, call) as Request)
    if (exchange) answers.set(at, exchange)
    if (exchange && (field(exchange.json, 'finished') === true || !isAccepted(exchange))) {
      executor.onEnd?.(of)
      return going.end(at, tenant, id, now())
    }
    const deadline = awaited.from + awaited.within
    const isOverdue = now() >= deadline
    if (isOverdue || (lateness?.isAssumed && going.isUnusual(awaited, now()))) {
      const overdue = overdueRun(tenant, id, exchange, awaited.within)
      if (overdue) (isOverdue ? violations : suspicions).push(overdue)
      if (overdue && !isOverdue) going.lose(at, tenant, id, { overdue, look: call, deadline })
      else going.giveUp(at, tenant, id)
      return undefined
    }
    going.goesOn(awaited, now())
    return { until: now() + awaited.pause, again: true }
  }

  /** A run that does not end in time, if one was accepted: one that was lost or met an error may not have been. */
  function overdueRun(
    tenant: Tenant,
    id: string,
    exchange: Exchange | undefined,
    within: number,
  ): ModelViolation | undefined {
    const task = state.organizations.get(tenant)?.tasks.get(id)
    if (!exchange || !task?.runs.some(({ to }) => to !== null)) return undefined
    return {
      kind: 'violation',
      rule: 'run-ends',
      requirement: 'RUN-ENDS',
      anchor: 'poll-until-finished',
      expected: `finished: true within ${within} ms, the time that this run and those before it may take`,
      actual: 'finished: false',
      because: [...going.besideOf(tenant, id), exchange.number],
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
