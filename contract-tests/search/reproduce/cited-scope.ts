/** The steps before a violation, and the ones that each strategy selects from them. Nothing is sent here. */
import { errorCodeOf, valueAtPath } from '#traffic/exchange.ts'
import type { ModelViolation } from '../../model/index.ts'
import type { SearchEnvironment } from '../execute/env.ts'
import type { Executor } from '../execute/executor.ts'
import { isCreateOperation } from '../generate/inventory.ts'
import {
  costsCredits,
  mayChangeServiceState,
  referencedStepIds,
  requestsOfStep,
  type Step,
  subjectsOfStep,
  tenantsOfStep,
} from '../step.ts'
import { type ExecutedStep, integersBetween, positionsWithDependencies, type StepLog } from './step-log.ts'
import {
  comparesBalances,
  createAwaitRunSteps,
  tasksWithPendingRuns,
  withoutAwaitsOfUnstartedRuns,
} from './step-transforms.ts'

/**
 * What a search has executed so far: its steps and the answers to them, from which a strategy selects those to replay.
 */
export interface ExecutedSearch {
  readonly env: Pick<SearchEnvironment, 'transport'>
  readonly executor: Pick<Executor, 'stepOf' | 'answers'>
  readonly log: StepLog
  /** The number of the next step. */
  nextStepId(): number
}

/** A rule that selects the steps to replay in order to reproduce a violation. */
export interface ReplayStrategy {
  /**
   * The steps to add to those that the violation cites: none (`cited`), changes of the same `resource`, steps `since`
   * the same request was sent before, steps on the same `subject`, creations (`made`), the whole `case`, the last ones
   * of each kind of change (`changes`) or of step (`kinds`), or the most `recent` ones.
   */
  readonly select:
    | 'cited'
    | 'resource'
    | 'since'
    | 'subject'
    | 'made'
    | 'case'
    | 'changes'
    | 'kinds'
    | 'recent'
  /** Maximum number of added steps. */
  readonly maxSteps?: number
  /** Maximum number of steps of each kind. */
  readonly perKind?: number
  /** Keeps bursts and pauses as they were sent; otherwise requests are sent one after the other. */
  readonly asSent?: true
}

/**
 * Creates the functions that choose the steps to replay for a violation: `addedPositions` returns the positions of the
 * steps that a strategy adds to the cited ones, `slice` all these steps with those that they depend on. `asSent` keeps
 * bursts, and pauses up to `maxPauseMs`.
 */
export function createStepSelector(
  context: ExecutedSearch,
  violation: ModelViolation,
  asSent: boolean,
  maxPauseMs = 0,
) {
  const { env, executor, nextStepId } = context
  const { subject, evidence } = violation
  const log = asSent ? context.log : context.log.withoutBursts()
  const positionOf = (event: number) => log.positionOf(executor.stepOf(event))
  const stepAt = (position: number): Step => (log.entries[position] as ExecutedStep).step
  const kindAtPosition = (position: number) => stepLabel(executor, stepAt(position))
  const citedPositions = evidence.flatMap((event) => positionOf(event) ?? [])
  const [first, last] = [Math.min(...citedPositions), Math.max(...citedPositions)]
  /** Positions of the cited steps and of their dependencies. */
  const requiredPositions: ReadonlySet<number> = positionsWithDependencies(log, new Set(citedPositions))
  const concernsKeys =
    subject === 'keys' ||
    (!comparesBalances(violation) &&
      citedPositions.some((position) => subjectsOfStep(stepAt(position)).includes('keys')))

  /** Positions up to the last cited step. */
  const positionsUpToLast = () => integersBetween(0, last)

  /** Positions that a strategy adds to the cited ones. */
  function addedPositions({ select, maxSteps = 0, perKind = 1 }: ReplayStrategy): number[] {
    switch (select) {
      case 'cited':
        return []
      case 'resource':
        return positionsOnResource().slice(-maxSteps)
      case 'since':
        return positionsOfEachKind(perKind)
          .filter((position) => position > lastAlike())
          .slice(-maxSteps)
      case 'subject':
        return positionsOnSubject().slice(-maxSteps)
      case 'made':
        return positionsUpToLast()
          .filter((position) => createsResource(stepAt(position)))
          .slice(-maxSteps)
      case 'case':
        return positionsUpToLast()
          .filter((position) => log.entries[position]?.case === log.entries[last]?.case)
          .slice(-maxSteps)
      case 'changes':
        return positionsOfEachKind(perKind)
          .filter((position) => mayChangeServiceState(stepAt(position)))
          .slice(-maxSteps)
      case 'kinds':
        return positionsOfEachKind(perKind).slice(-maxSteps)
      case 'recent':
        return positionsUpToLast().slice(-maxSteps)
    }
  }

  /** Position of the last request before the contradicting one with its tenant and operation; -1: none. */
  function lastAlike(): number {
    const kind = (position: number) => requestKind(stepAt(position))
    return integersBetween(0, last - 1).findLast((position) => kind(position) === kind(last)) ?? -1
  }

  /** Positions of changes to the resources that the cited steps created or named. */
  function positionsOnResource(): number[] {
    const resources = new Set(
      citedPositions.map(stepAt).flatMap((step) => [step.stepId, ...referencedStepIds(step)]),
    )
    return positionsUpToLast().filter(
      (position) =>
        mayChangeServiceState(stepAt(position)) &&
        referencedStepIds(stepAt(position)).some((one) => resources.has(one)),
    )
  }

  /** Positions of changes to the same subjects in the same organizations. */
  function positionsOnSubject(): number[] {
    const causes = concernsKeys ? [...requiredPositions] : citedPositions
    const subjects = new Set(causes.flatMap((position) => subjectsOfStep(stepAt(position))))
    const tenants = new Set(citedPositions.flatMap((position) => tenantsOfStep(stepAt(position))))
    return positionsUpToLast().filter((position) => {
      const step = stepAt(position)
      const isSame = subjectsOfStep(step).some((one) => one !== undefined && subjects.has(one))
      return isSame && mayChangeServiceState(step) && tenantsOfStep(step).some((one) => tenants.has(one))
    })
  }

  /** Positions of the last `perKind` steps of each kind. */
  function positionsOfEachKind(perKind: number): number[] {
    const all = Map.groupBy(positionsUpToLast(), kindAtPosition)
    all.delete(undefined)
    return [...all.values()].flatMap((alike) => alike.slice(-perKind)).sort((a, b) => a - b)
  }

  /** The cited steps and the given others, with everything that they depend on. */
  function slice(others: readonly number[]): Step[] {
    const chosen = [...positionsWithDependencies(log, new Set([...requiredPositions, ...others]))].sort(
      (a, b) => a - b,
    )
    const balance = initialBalance()
    const steps = chosen.flatMap((position, i): Step[] => {
      const pause = position >= first ? pauseBeforePosition(position, chosen[i - 1]) : []
      if (position !== first || !balance) return [...pause, stepAt(position)]
      // Runs started earlier must end before the balance is set.
      const going = tasksWithPendingRuns(chosen.slice(0, i).map(stepAt), balance.tenant)
      return [...createAwaitRunSteps(going, balance.tenant, nextStepId), ...pause, balance, stepAt(position)]
    })
    return withSeparateBalanceRead(withoutAwaitsOfUnstartedRuns(steps))
  }

  /** The original pause before a step, where pauses are kept and it is long enough to matter. */
  function pauseBeforePosition(position: number, before: number | undefined): Step[] {
    const [skip, to] = [log.entries[before ?? -1], log.entries[position] as ExecutedStep]
    if (!asSent || !skip || skip.step.kind === 'wait' || ['wait', 'awaitRun'].includes(to.step.kind))
      return []
    const ms = Math.ceil(Math.min(to.startedAtMs - skip.startedAtMs, maxPauseMs))
    return ms >= minPauseMs ? [{ kind: 'wait', stepId: nextStepId(), ms }] : []
  }

  /** Reads the balance by a request of its own if the violation showed it in the answer to another one. */
  function withSeparateBalanceRead(steps: Step[]): Step[] {
    const end = steps.at(-1)
    if (asSent || subject !== 'balance' || end?.kind !== 'call') return steps
    const { stepId, tenant } = end
    const reading = { kind: 'call', tenant, credential: 'key', operation: 'whoami' } as const
    if (mayChangeServiceState(end)) return [...steps, { ...reading, stepId: nextStepId() }]
    return [...steps.slice(0, -1), { ...reading, stepId }]
  }

  /** The state that restores the balance from before the first cited step. */
  function initialBalance() {
    const [event = 0, ...others] = evidence
    const position = positionOf(event)
    const step = log.entries[position ?? -1]?.step
    const credits = valueAtPath(env.transport.exchanges.get(event)?.json, 'credits')
    if (!comparesBalances(violation) || step?.kind !== 'call' || typeof credits !== 'number') return undefined
    const earlier = new Set(others.flatMap((one) => positionOf(one) ?? []))
    const taken = [...earlier].filter((one) => one < (position ?? 0) && costsCredits(stepAt(one))).length
    const params = { credits: credits + taken }
    return { kind: 'state', stepId: nextStepId(), tenant: step.tenant, state: 'credits', params } as const
  }

  const requiredSteps = new Set([...requiredPositions].map((position) => stepAt(position).stepId))

  return { citedPositions, requiredSteps, last, concernsKeys, addedPositions, slice }
}

/** Shorter pauses are dropped: no run ends within them. */
const minPauseMs = 100

/** Matches steps that create a resource, whose number may matter. */
const createsResource = (step: Step) =>
  requestsOfStep(step).some(({ operation }) => isCreateOperation(operation)) ||
  (step.kind === 'state' && step.state === 'unread_notification')

/** Tenant and operation of a step that sends one request. */
const requestKind = (step: Step) => (step.kind === 'call' ? `${step.tenant} ${step.operation}` : step.kind)

/** A label of tenant, operation and outcome: steps with the same label can stand for each other. */
function stepLabel({ answers }: ExecutedSearch['executor'], step: Step): string | undefined {
  if (step.kind === 'wait') return undefined
  if (step.kind === 'state') return `${step.tenant} ${step.state}`
  if (step.kind === 'awaitRun') return `${step.tenant} end`
  const outcomes = requestsOfStep(step).map(({ stepId, tenant, operation }) => {
    const answer = answers.get(stepId)
    return `${tenant} ${operation} ${answer?.status} ${answer && answer.status >= 400 ? errorCodeOf(answer) : ''}`
  })
  return outcomes.join()
}
