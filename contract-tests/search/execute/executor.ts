/** Executes steps: binds references, sends the requests, and lets the model judge every answer. */
import { routeOf } from '#contract/operation.ts'
import { codeOf, type Exchange, field, isAccepted } from '#traffic/exchange.ts'
import { createdId } from '../../harness/operations.ts'
import { judgingOptionsOf } from '../../harness/terms.ts'
import {
  type ArrangedEvent,
  type ModelViolation,
  newState,
  onInvoke,
  onReturn,
  onSetupDone,
  type RequestEvent,
  type State,
} from '../../model/index.ts'
import {
  type AwaitRunStep,
  arrangesFailure,
  type CallStep,
  type StateStep,
  type Step,
  type Tenant,
} from '../step.ts'
import { bindRequest, resolveId } from './bind-request.ts'
import type { SearchEnv } from './env.ts'
import type { LatencyAssumption } from './latency-assumption.ts'
import { createPendingRuns } from './pending-runs.ts'
import type { PreparedRequest } from './transport.ts'

/** Provider states that need no teardown. */
const instantaneousStates: readonly StateStep['state'][] = ['credits', 'unread_notification']

/** A wait that a step leaves behind. */
export interface PendingWait {
  /** ms on the clock of the target. */
  readonly until: number
  /** True if the step must be performed again after the wait. */
  readonly isPending: boolean
}

/** Sends steps, and waits for what they leave behind. */
export type Executor = ReturnType<typeof createExecutor>

/**
 * Creates an executor. `finalStatuses` carries knowledge over from earlier executors; `latency` adds a stricter model
 * that yields suspicions.
 */
export function createExecutor(
  { t, transport, creditSource, keys, createdIds, runTimes, deadline }: SearchEnv,
  finalStatuses?: State['finalStatuses'],
  latency?: LatencyAssumption,
) {
  const { consistency, runTimeout, variant } = judgingOptionsOf(t.settings)
  const state = newState(consistency, runTimeout, finalStatuses, variant)
  /** Model state under the optimistic latency assumption. */
  const optimisticState = newState(latency?.consistency, latency?.runTimeout, finalStatuses)
  const violations: ModelViolation[] = []
  const suspicions: ModelViolation[] = []
  const exercised = new Set<string>()
  const answers = new Map<number, Exchange>()
  /** The step that brought about each event. */
  const steps = new Map<number, number>()
  const pendingRuns = createPendingRuns(runTimes)
  /** Provider states that need a teardown. */
  const lastingStates: StateStep[] = []

  /** Records the step that caused an event. */
  function recordEvent(stepId: number, event: number | undefined): undefined {
    if (event !== undefined) steps.set(event, stepId)
  }

  const executor = {
    state,
    violations,
    /** Violations only under the optimistic latency assumption. */
    suspicions,
    /** Requirements that some answer exercised. */
    exercised,
    /** The last answer to each request, by its step. */
    answers,
    /** Replaces `{tag}` in texts. */
    tag: '',
    /** Called with each answered request. */
    onAnswer: undefined as ((call: CallStep, exchange: Exchange) => void) | undefined,
    /** Called when the run of a task is known to be over. */
    onEnd: undefined as ((target: AwaitRunStep['target']) => void) | undefined,
    sent(event: RequestEvent): void {
      onInvoke(state, event)
      if (latency?.isOptimistic) onInvoke(optimisticState, event)
    },
    answered(event: RequestEvent): void {
      violations.push(...onReturn(state, event, undefined, exercised))
      if (latency?.isOptimistic) suspicions.push(...onReturn(optimisticState, event))
    },
    arranged(event: ArrangedEvent): void {
      onSetupDone(state, event)
      onSetupDone(optimisticState, event)
    },
    ...{ recheckOverdueRuns, perform, finish, awaitAllRuns, tearDown, recordEvent },
    /** True if some runs did not end in time. */
    get hasPendingRuns(): boolean {
      return pendingRuns.pending.length > 0
    },
    /** The events of this executor up to one. */
    eventsUntil: (last: number) => [...steps.keys()].filter((id) => id <= last),
    /** The step that brought about an event. */
    stepOf: (event: number) => steps.get(event),
  }
  return executor

  /** Reads overdue runs once more at their final deadline. Returns the violations of those still unfinished. */
  async function recheckOverdueRuns(): Promise<ModelViolation[]> {
    const shown: ModelViolation[] = []
    for (const { violation, recheck, deadline: finalPollAt } of pendingRuns.overdueRuns) {
      if (t.target.now() < finalPollAt || deadline.msLeft === 0) continue
      await sendCall(recheck)
      if (field(answers.get(recheck.stepId)?.json, 'finished') === false) shown.push(violation)
    }
    return shown
  }

  /** Performs a step. Returns the wait before the next step, or before this one is performed again. */
  async function perform(step: Step): Promise<PendingWait | undefined> {
    switch (step.kind) {
      case 'call':
        return void (await sendCall(step))
      case 'burst':
        return void (await Promise.all(step.calls.map((call) => sendCall(call))))
      case 'awaitRun':
        return pollRun(step)
      case 'state':
        return setUpState(step)
      case 'wait':
        return { until: t.target.now() + step.ms, isPending: false }
    }
  }

  /** Performs a step to its end, including waits. */
  async function finish(step: Step): Promise<void> {
    while (deadline.msLeft > 0) {
      const pause = await perform(step)
      if (pause) await t.target.sleep(Math.min(Math.max(1, pause.until - t.target.now()), deadline.msLeft))
      if (!pause?.isPending) return
    }
  }

  /** Waits for the ends of all runs. */
  async function awaitAllRuns(): Promise<void> {
    for (const [i, { tenant, id }] of pendingRuns.pending.entries())
      await finish({ kind: 'awaitRun', stepId: -1 - i, tenant, target: id })
  }

  /** Tears down the states that do not end by themselves. */
  async function tearDown(): Promise<void> {
    for (const step of lastingStates.splice(0)) await setState(step, 'teardown')
  }

  async function setUpState(step: StateStep): Promise<undefined> {
    const event = await setState(step, 'setup')
    if (arrangesFailure(step)) runTimes.failureArrangedAt = t.target.now()
    if (event !== undefined && !instantaneousStates.includes(step.state)) lastingStates.push(step)
    recordEvent(step.stepId, event)
  }

  /** Sets a state up, or tears it down. Returns the number of the event; undefined: the state is not offered. */
  async function setState(
    { tenant, state, params }: StateStep,
    action: ArrangedEvent['action'],
  ): Promise<number | undefined> {
    const sent = transport.moment()
    if (!(await creditSource.setState(tenant, state, params, action))) return undefined
    const id = t.recorder.nextNumber()
    const received = transport.moment()
    transport.arranged({ kind: 'arranged', id, tenant, state, action, params, sent, received })
    return id
  }

  async function sendCall(call: CallStep): Promise<void> {
    const request = bindRequest(t, answers, executor.tag, call)
    const { cost } = routeOf(call.operation)
    if (!request || (cost > 0 && !creditSource.takeCredit(call.tenant))) return
    const exchange = await sendFor(call.stepId, request)
    if (cost > 0 && exchange && exchange.status < 500 && !isRunAccepted(exchange))
      creditSource.returnCredit(call.tenant)
    else if (call.operation === 'runTask' && request.resource !== undefined)
      pendingRuns.accept(call.tenant, request.resource, t.target.now(), exchange?.number)
    if (!exchange) return
    answers.set(call.stepId, exchange)
    const id = createdId(exchange)
    if (id !== undefined) createdIds.add(id)
    if (call.operation === 'createKey' && isAccepted(exchange)) rememberKey(call.tenant, exchange, id)
    if (call.operation === 'deleteKey' && isAccepted(exchange)) forgetKey(request.resource)
    executor.onAnswer?.(call, exchange)
  }

  async function sendFor(stepId: number, request: PreparedRequest): Promise<Exchange | undefined> {
    const before = transport.history.length
    const exchange = await transport.send(request)
    const ids = exchange ? [exchange.number] : transport.history.slice(before).map(({ id }) => id)
    for (const id of ids) recordEvent(stepId, id)
    return exchange
  }

  /** Created keys are deleted at the end, and never shown. */
  function rememberKey(tenant: Tenant, exchange: Exchange, id: string | undefined): void {
    const secret = field(exchange.json, 'secret')
    if (id !== undefined) keys.push({ tenant, id })
    if (typeof secret === 'string') t.secrets.push({ id, secret, others: [], shownBy: exchange.number })
  }

  function forgetKey(deleted: string | undefined): void {
    const index = keys.findIndex(({ id }) => id === deleted)
    if (index >= 0) keys.splice(index, 1)
  }

  /** Polls a run. */
  async function pollRun({ stepId, tenant, target }: AwaitRunStep): Promise<PendingWait | undefined> {
    const now = () => t.target.now()
    const id = resolveId(answers, target)
    if (id === undefined) return undefined
    const { poll, isFirst } = pendingRuns.startPolling(stepId, tenant, id, now(), runTimeout) ?? {}
    if (!poll) return undefined
    if (isFirst) return { until: now() + poll.pauseMs, isPending: true }
    const call: CallStep = { kind: 'call', stepId, tenant, credential: 'key', operation: 'getTask', target }
    const exchange = await sendFor(stepId, bindRequest(t, answers, executor.tag, call) as PreparedRequest)
    if (exchange) answers.set(stepId, exchange)
    if (exchange && (field(exchange.json, 'finished') === true || !isAccepted(exchange))) {
      executor.onEnd?.(target)
      return pendingRuns.recordEnd(stepId, tenant, id, now())
    }
    const finalPollAt = poll.firstPolledAt + poll.allowedMs
    const isOverdue = now() >= finalPollAt
    if (isOverdue || (latency?.isOptimistic && pendingRuns.isUnusuallyLong(poll, now()))) {
      const violation = overdueRun(tenant, id, exchange, poll.allowedMs)
      if (violation) (isOverdue ? violations : suspicions).push(violation)
      if (violation && !isOverdue)
        pendingRuns.markOverdue(stepId, tenant, id, { violation, recheck: call, deadline: finalPollAt })
      else pendingRuns.forget(stepId, tenant, id)
      return undefined
    }
    pendingRuns.recordPending(poll, now())
    return { until: now() + poll.pauseMs, isPending: true }
  }

  /** The violation of a run that did not end in time; undefined if the run may not have been accepted. */
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
      evidence: [...pendingRuns.concurrentRequestsOf(tenant, id), exchange.number],
      attributableToOthers: true,
      oneSightSuffices: false,
      neverConsequence: false,
    }
  }
}

/** True if a run was accepted, at once or queued behind a busy agent (409 `busy`). */
export function isRunAccepted(exchange: Exchange): boolean {
  return isAccepted(exchange) || (exchange.status === 409 && codeOf(exchange) === 'busy')
}
