/** Executes steps: binds references, sends the requests, and lets the model judge every answer. */
import { routeOf } from '#contract/operation.ts'
import { type Exchange, hasSuccessStatus, isRunAccepted, valueAtPath } from '#traffic/exchange.ts'
import { createdIdIn } from '../../harness/operations.ts'
import { judgingOptionsOf } from '../../harness/terms.ts'
import {
  createModelState,
  judgeAndLearnAnswer,
  type ModelState,
  type ModelViolation,
  onProviderStateChanged,
  onRequestSent,
  type ProviderStateEvent,
  type RequestEvent,
} from '../../model/index.ts'
import {
  type AwaitRunStep,
  arrangesFailure,
  type CallStep,
  type ProviderStateStep,
  type Step,
  type StepTenant,
} from '../step.ts'
import { bindRequest, resolveReference } from './bind-request.ts'
import type { SearchEnvironment } from './env.ts'
import type { LatencyAssumption } from './latency-assumption.ts'
import { PendingRuns } from './pending-runs.ts'
import type { PreparedRequest } from './transport.ts'

/** Provider states that need no teardown. */
const instantaneousStates: readonly ProviderStateStep['state'][] = ['credits', 'unread_notification']

/**
 * A wait that a step asks for, until a moment on the clock of the target; the step may have to be performed again
 * after it.
 */
export interface PendingStepWait {
  /** ms on the clock of the target. */
  readonly until: number
  /** True if the step must be performed again after the wait. */
  readonly isPending: boolean
}

/**
 * Executes the steps of a search as one history: sends requests, waits for their effects, and has the model judge the
 * answers.
 */
export class Executor {
  readonly violations: ModelViolation[] = []
  /** Violations only if changes are assumed to show at once (`LatencyAssumption`). */
  readonly suspicions: ModelViolation[] = []
  /** Requirements that some answer exercised. */
  readonly exercised = new Set<string>()
  /** The last answer to each request, by its step. */
  readonly answers = new Map<number, Exchange>()
  readonly state: ModelState
  /** Replaces `{tag}` in texts. */
  tag = ''
  /** Called with each answered request. */
  onAnswer: ((call: CallStep, exchange: Exchange) => void) | undefined
  /** Called when the run of a task is known to be over. */
  onEnd: ((target: AwaitRunStep['target']) => void) | undefined
  readonly #env: SearchEnvironment
  readonly #latency: LatencyAssumption | undefined
  /** Model state if changes are assumed to show at once. */
  readonly #optimisticState: ModelState
  readonly #pendingRuns: PendingRuns
  /** The step that brought about each event. */
  readonly #steps = new Map<number, number>()
  /** Provider states that need a teardown. */
  readonly #lastingStates: ProviderStateStep[] = []

  /**
   * `finalStatuses` carries knowledge over from earlier executors; `latency` adds a stricter model that yields
   * suspicions.
   */
  constructor(
    env: SearchEnvironment,
    finalStatuses?: ModelState['finalStatuses'],
    latency?: LatencyAssumption,
  ) {
    const { consistency, runTimeout, variant } = judgingOptionsOf(env.t.settings)
    this.#env = env
    this.#latency = latency
    this.#pendingRuns = new PendingRuns(env.runTimes)
    this.state = createModelState(consistency, runTimeout, finalStatuses, variant)
    this.#optimisticState = createModelState(latency?.consistency, latency?.runTimeout, finalStatuses)
  }

  /** True if some runs have not been seen to end and are not overdue. */
  get hasPendingRuns(): boolean {
    return this.#pendingRuns.pending.length > 0
  }

  sent(event: RequestEvent): void {
    onRequestSent(this.state, event)
    if (this.#latency?.isOptimistic) onRequestSent(this.#optimisticState, event)
  }

  answered(event: RequestEvent): void {
    this.violations.push(...judgeAndLearnAnswer(this.state, event, undefined, this.exercised))
    if (this.#latency?.isOptimistic)
      this.suspicions.push(...judgeAndLearnAnswer(this.#optimisticState, event))
  }

  arranged(event: ProviderStateEvent): void {
    onProviderStateChanged(this.state, event)
    onProviderStateChanged(this.#optimisticState, event)
  }

  /** Records the step that caused an event. */
  recordEvent(stepId: number, event: number | undefined): void {
    if (event !== undefined) this.#steps.set(event, stepId)
  }

  /** Ids of the events that the steps of this executor caused, up to a last one. */
  eventsUntil(last: number): number[] {
    return [...this.#steps.keys()].filter((id) => id <= last)
  }

  /** The step that brought about an event. */
  stepOf(event: number): number | undefined {
    return this.#steps.get(event)
  }

  /** Performs a step. Returns the wait before the next step, or before this one is performed again. */
  async perform(step: Step): Promise<PendingStepWait | undefined> {
    switch (step.kind) {
      case 'call':
        return void (await this.#sendCall(step))
      case 'burst':
        return void (await Promise.all(step.calls.map((call) => this.#sendCall(call))))
      case 'awaitRun':
        return this.#pollRun(step)
      case 'state':
        return void (await this.#setUpState(step))
      case 'wait':
        return { until: this.#now() + step.ms, isPending: false }
    }
  }

  /** Performs a step to its end, including waits. */
  async finish(step: Step): Promise<void> {
    const { t, deadline } = this.#env
    while (deadline.msLeft > 0) {
      const pause = await this.perform(step)
      if (pause) await t.target.sleep(Math.min(Math.max(1, pause.until - this.#now()), deadline.msLeft))
      if (!pause?.isPending) return
    }
  }

  /** Waits for the ends of all runs. */
  async awaitAllRuns(): Promise<void> {
    for (const [i, { tenant, id }] of this.#pendingRuns.pending.entries())
      await this.finish({ kind: 'awaitRun', stepId: -1 - i, tenant, target: id })
  }

  /** Reads overdue runs once more at their final deadline. Returns the violations of those still unfinished. */
  async recheckOverdueRuns(): Promise<ModelViolation[]> {
    const shown: ModelViolation[] = []
    for (const { violation, recheck, deadline: finalPollAt } of this.#pendingRuns.overdueRuns) {
      if (this.#now() < finalPollAt || this.#env.deadline.msLeft === 0) continue
      await this.#sendCall(recheck)
      if (valueAtPath(this.answers.get(recheck.stepId)?.json, 'finished') === false) shown.push(violation)
    }
    return shown
  }

  /** Tears down the states that do not end by themselves. */
  async tearDown(): Promise<void> {
    for (const step of this.#lastingStates.splice(0)) await this.#setState(step, 'teardown')
  }

  /** ms on the clock of the target. */
  #now(): number {
    return this.#env.t.target.now()
  }

  async #setUpState(step: ProviderStateStep): Promise<void> {
    const event = await this.#setState(step, 'setup')
    if (arrangesFailure(step)) this.#env.runTimes.failureArrangedAt = this.#now()
    if (event !== undefined && !instantaneousStates.includes(step.state)) this.#lastingStates.push(step)
    this.recordEvent(step.stepId, event)
  }

  /** Sets a state up, or tears it down. Returns the number of the event; undefined: the state is not offered. */
  async #setState(
    { tenant, state, params }: ProviderStateStep,
    action: ProviderStateEvent['action'],
  ): Promise<number | undefined> {
    const { t, transport, creditSource } = this.#env
    const sent = transport.moment()
    if (!(await creditSource.setState(tenant, state, params, action))) return undefined
    const id = t.recorder.nextNumber()
    const received = transport.moment()
    transport.arranged({ kind: 'arranged', id, tenant, state, action, params, sent, received })
    return id
  }

  async #sendCall(call: CallStep): Promise<void> {
    const { t, creditSource, createdIds } = this.#env
    const request = bindRequest(t, this.answers, this.tag, call)
    const { cost } = routeOf(call.operation)
    if (!request || (cost > 0 && !creditSource.takeCredit(call.tenant))) return
    const exchange = await this.#sendFor(call.stepId, request)
    if (cost > 0 && exchange && exchange.status < 500 && !isRunAccepted(exchange))
      creditSource.returnCredit(call.tenant)
    else if (call.operation === 'runTask' && request.resource !== undefined)
      this.#pendingRuns.accept(call.tenant, request.resource, this.#now(), exchange?.number)
    if (!exchange) return
    this.answers.set(call.stepId, exchange)
    const id = createdIdIn(exchange)
    if (id !== undefined) createdIds.add(id)
    if (call.operation === 'createKey' && hasSuccessStatus(exchange))
      this.#rememberKey(call.tenant, exchange, id)
    if (call.operation === 'deleteKey' && hasSuccessStatus(exchange)) this.#forgetKey(request.resource)
    this.onAnswer?.(call, exchange)
  }

  async #sendFor(stepId: number, request: PreparedRequest): Promise<Exchange | undefined> {
    const { transport } = this.#env
    const before = transport.history.length
    const exchange = await transport.send(request)
    const ids = exchange ? [exchange.number] : transport.history.slice(before).map(({ id }) => id)
    for (const id of ids) this.recordEvent(stepId, id)
    return exchange
  }

  /** Created keys are deleted at the end, and never shown. */
  #rememberKey(tenant: StepTenant, exchange: Exchange, id: string | undefined): void {
    const { t, keys } = this.#env
    const secret = valueAtPath(exchange.json, 'secret')
    if (id !== undefined) keys.push({ tenant, id })
    if (typeof secret === 'string') t.secrets.push({ id, secret, others: [], shownBy: exchange.number })
  }

  #forgetKey(deleted: string | undefined): void {
    const { keys } = this.#env
    const index = keys.findIndex(({ id }) => id === deleted)
    if (index >= 0) keys.splice(index, 1)
  }

  /** Polls a run. */
  async #pollRun({ stepId, tenant, target }: AwaitRunStep): Promise<PendingStepWait | undefined> {
    const { t } = this.#env
    const runs = this.#pendingRuns
    const id = resolveReference(this.answers, target)
    if (id === undefined) return undefined
    const { poll, isFirst } = runs.startPolling(stepId, tenant, id, this.#now(), this.state.runTimeout) ?? {}
    if (!poll) return undefined
    if (isFirst) return { until: this.#now() + poll.pauseMs, isPending: true }
    const call: CallStep = { kind: 'call', stepId, tenant, credential: 'key', operation: 'getTask', target }
    const request = bindRequest(t, this.answers, this.tag, call) as PreparedRequest
    const exchange = await this.#sendFor(stepId, request)
    if (exchange) this.answers.set(stepId, exchange)
    if (exchange && (valueAtPath(exchange.json, 'finished') === true || !hasSuccessStatus(exchange))) {
      this.onEnd?.(target)
      runs.recordEnd(stepId, tenant, id, this.#now())
      return undefined
    }
    const finalPollAt = poll.firstPolledAt + poll.allowedMs
    const isOverdue = this.#now() >= finalPollAt
    if (isOverdue || (this.#latency?.isOptimistic && runs.isUnusuallyLong(poll, this.#now()))) {
      const violation = this.#overdueRun(tenant, id, exchange, poll.allowedMs)
      if (violation) (isOverdue ? this.violations : this.suspicions).push(violation)
      if (violation && !isOverdue)
        runs.markOverdue(stepId, tenant, id, { violation, recheck: call, deadline: finalPollAt })
      else runs.forget(stepId, tenant, id)
      return undefined
    }
    runs.recordPending(poll, this.#now())
    return { until: this.#now() + poll.pauseMs, isPending: true }
  }

  /** The violation of a run that did not end in time; undefined if the run may not have been accepted. */
  #overdueRun(
    tenant: StepTenant,
    id: string,
    exchange: Exchange | undefined,
    withinMs: number,
  ): ModelViolation | undefined {
    const task = this.state.organizations.get(tenant)?.tasks.get(id)
    if (!exchange || !task?.runs.some(({ to }) => to !== null)) return undefined
    return {
      kind: 'violation',
      rule: 'run-ends',
      requirement: 'RUN-ENDS',
      anchor: 'poll-until-finished',
      expected: `finished: true within ${withinMs} ms, the time that this run and those before it may take`,
      actual: 'finished: false',
      evidence: [...this.#pendingRuns.concurrentRequestsOf(tenant, id), exchange.number],
      attributableToOthers: true,
      oneSightSuffices: false,
      neverConsequence: false,
    }
  }
}
