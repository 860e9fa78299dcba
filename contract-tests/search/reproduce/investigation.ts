/** Investigates a violation: reads again, reproduces, minimizes, and records the result as a finding. */
import { routeOf } from '#contract/operation.ts'
import { valueAtPath } from '#traffic/exchange.ts'
import type { ModelViolation } from '../../model/index.ts'
import { consistencyMarginMs, deleteCreatedKeys } from '../execute/env.ts'
import type { ResourceInventory } from '../generate/inventory.ts'
import { minimizeSteps } from '../minimize/minimize.ts'
import type { Findings } from '../report/findings.ts'
import { type CallStep, requestsOfStep } from '../step.ts'
import type { IsolatedTenants } from './isolated-tenants.ts'
import {
  Reproducer,
  type ReproductionContext,
  type ReproductionLimits,
  requiredReproductions,
} from './reproducer.ts'
import { citedStepsWithContext, replayStrategies } from './strategies.ts'

/** The parts of a search that the investigation of a violation uses. */
export interface InvestigationContext extends ReproductionContext {
  readonly inventory: ResourceInventory
  readonly found: Findings
  readonly isolatedTenants: IsolatedTenants
}

/** Budgets for reproducing a violation that vanished on the next read, and any other. */
const retryLimits = {
  ifVanished: { requests: 200, ms: 5_000 },
  thorough: { requests: 1_600, ms: 12_000 },
} as const

/** Factor by which the tolerated duration of runs grows after a false alarm. */
const slowRunFactor = 4

/** Reproduces and minimizes a violation or suspicion, and adds a finding if that succeeds. */
export async function investigateViolation(
  search: InvestigationContext,
  reported: ModelViolation,
  isSuspicion: boolean,
): Promise<void> {
  try {
    await reproduceAndReport(search, reported, isSuspicion)
  } catch (error) {
    const how = isSuspicion ? 'suspected' : 'untried'
    search.found.add(reported, { how, times: 0, steps: [], requests: 0 }, reported.evidence)
    throw error
  }
}

async function reproduceAndReport(
  search: InvestigationContext,
  reported: ModelViolation,
  isSuspicion: boolean,
): Promise<void> {
  const { env, executor, found, latency } = search
  const isOverdueRun = isSuspicion && reported.rule === 'run-ends'
  if (isOverdueRun && (await hasRunEnded(search, reported))) {
    env.runTimes.overdueMs *= slowRunFactor
    return
  }
  const began = env.t.target.now()
  const recheck = isSuspicion ? await recheckWhenConsistent(search, reported) : undefined
  const violation = recheck?.violation ?? reported
  found.countAttempt(violation.requirement)
  const secondRead = await rereadIfUnambiguous(search, violation)
  // Replays may change the answer, so this read comes first.
  const thirdRead = secondRead && (await rereadIfUnambiguous(search, violation))
  await executor.tearDown()
  await executor.awaitAllRuns()
  // The number of existing keys may matter.
  if (violation.subject === 'keys') await deleteAllKeys(search)
  const hasVanished = recheck?.hasVanished ?? false
  const { steps, times, requests, shown, isOnlyLate, ...where } = await reproduceViolation(
    search,
    violation,
    hasVanished ? retryLimits.ifVanished : retryLimits.thorough,
  )
  executor.violations.splice(0)
  executor.suspicions.splice(0)
  const stepOf = (event: number) => executor.stepOf(event)
  const isTimeUp = times < requiredReproductions && env.deadline.msLeft === 0
  const spent = env.t.target.now() - began
  if (isOverdueRun && times < requiredReproductions) env.runTimes.overdueMs *= slowRunFactor
  if (isSuspicion && !isOverdueRun && !isTimeUp)
    latency.recordSuspicion(times >= requiredReproductions, { hasVanished, isOnlyLate, spentMs: spent })
  const counted = { times, steps, requests: requests + (secondRead ? 1 : 0) + (thirdRead ? 1 : 0) }
  if (shown && times >= requiredReproductions) {
    const events = shown.executor.eventsUntil(shown.violation.evidence.at(-1) ?? 0)
    found.add(shown.violation, { ...counted, ...where, how: 'replayed' }, events, shown, stepOf)
  } else if (isSuspicion && violation === reported) {
    if (isTimeUp && !hasVanished)
      found.add(reported, { ...counted, how: 'suspected' }, reported.evidence, undefined, stepOf)
  } else if (secondRead && thirdRead) {
    const cited = [violation, secondRead, thirdRead].flatMap(({ evidence: because }) => because)
    const evidence = [...new Set(cited)].toSorted((a, b) => a - b)
    found.add(thirdRead, { ...counted, how: 'read again' }, evidence, shown, stepOf)
  } else {
    const how = isTimeUp ? 'untried' : 'once'
    found.add(shown?.violation ?? violation, { ...counted, how }, violation.evidence, shown, stepOf)
  }
}

/**
 * Replays a violation in isolated organizations, if there are any, and in those of the search. Returns the smallest
 * history that reproduced it, how often, and where; if none did, the steps that the violation cites.
 */
export async function reproduceViolation(
  search: ReproductionContext & Pick<InvestigationContext, 'isolatedTenants'>,
  violation: ModelViolation,
  limits: ReproductionLimits = retryLimits.thorough,
) {
  const { isolatedTenants } = search
  const isAvailable = await isolatedTenants.isAvailable()
  const inPlace = new Reproducer(search, violation)
  const isolated = isAvailable
    ? new Reproducer(search, violation, (steps) => isolatedTenants.envFor(steps))
    : undefined
  const first = await minimizeSteps(isolated ?? inPlace, replayStrategies.any, limits)
  const isSettled = !isolated || first.confirmed || first.isOnlyLate
  const second = isSettled ? {} : await minimizeSteps(inPlace, replayStrategies.used, retryLimits.ifVanished)
  const confirmed = first.confirmed ?? second.confirmed
  const { steps, times, shown } = confirmed ??
    inPlace.last ??
    isolated?.last ?? { steps: citedStepsWithContext(search, violation), times: 0 }
  isolatedTenants.requests += isolated?.requests ?? 0
  return {
    ...{ steps, times, shown },
    requests: inPlace.requests + (isolated?.requests ?? 0),
    isOnlyLate: first.isOnlyLate || second.isOnlyLate,
    needsPriorState: isAvailable && second.confirmed !== undefined,
    reproducesFromScratch: isAvailable && first.confirmed !== undefined,
  }
}

/**
 * Repeats the violating read after the consistency time. Returns the violation now, and whether the answer changed
 * (`hasVanished`).
 */
async function recheckWhenConsistent(search: InvestigationContext, suspicion: ModelViolation) {
  const { env, executor } = search
  const call = finalReadOf(search, suspicion)
  if (!call) return undefined
  const { target, settings } = env.t
  await target.sleep(settings.consistency + consistencyMarginMs)
  await repeatRead(search, { ...call, stepId: search.nextStepId() })
  const [violation, changed] = [executor.violations, executor.suspicions].map((all) =>
    all.splice(0).find(({ rule }) => rule === suspicion.rule || rule === suspicion.promptFormOf),
  )
  return { violation, hasVanished: !violation && changed !== undefined }
}

/** True if an overdue run ends shortly after: then all runs may take longer. */
async function hasRunEnded(search: InvestigationContext, { evidence }: ModelViolation): Promise<boolean> {
  const { env, executor, log, nextStepId } = search
  const step = log.stepAt(executor.stepOf(evidence.at(-1) ?? 0))
  if (step?.kind !== 'awaitRun') return false
  await env.t.target.sleep(Math.max(env.runTimes.overdueMs, env.t.settings.consistency + consistencyMarginMs))
  const { tenant, target } = step
  const stepId = nextStepId()
  await repeatRead(search, { kind: 'call', stepId, tenant, credential: 'key', operation: 'getTask', target })
  return valueAtPath(executor.answers.get(stepId)?.json, 'finished') === true
}

/** Repeats the violating read, unless somebody else may have caused it. Returns the repeated violation. */
async function rereadIfUnambiguous(
  search: InvestigationContext,
  violation: ModelViolation,
): Promise<ModelViolation | undefined> {
  const { env, executor } = search
  const call = finalReadOf(search, violation)
  if (violation.attributableToOthers || !call) return undefined
  const { target, settings } = env.t
  await target.sleep(settings.consistency)
  await repeatRead(search, { ...call, stepId: search.nextStepId() })
  return executor.violations.splice(0).find(({ rule }) => rule === violation.rule)
}

/** The last cited request, if it is a read. */
function finalReadOf(
  { executor, log }: InvestigationContext,
  { evidence }: ModelViolation,
): CallStep | undefined {
  const stepId = executor.stepOf(evidence.at(-1) ?? 0)
  const step = log.stepAt(stepId)
  const call = step && requestsOfStep(step).find((one) => one.stepId === stepId)
  return call && routeOf(call.operation).method === 'GET' ? call : undefined
}

async function repeatRead({ env, executor, log }: InvestigationContext, step: CallStep): Promise<void> {
  log.add({ step, startedAtMs: env.t.target.now(), case: log.entries.at(-1)?.case ?? 0 })
  executor.violations.splice(0)
  executor.suspicions.splice(0)
  await executor.perform(step)
}

/** Deletes all keys that exist: first those that the model knows, then those of replays. */
async function deleteAllKeys({ env, executor, inventory, nextStepId }: InvestigationContext): Promise<void> {
  for (const tenant of ['main', 'other'] as const)
    for (const { createdBy } of inventory.workingKeys(tenant)) {
      const deletion = { kind: 'call', tenant, credential: 'session', operation: 'deleteKey' } as const
      await executor.perform({ ...deletion, stepId: nextStepId(), target: { createdBy } })
    }
  await deleteCreatedKeys(env, [])
}
