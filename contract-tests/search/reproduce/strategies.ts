/**
 * Strategies that select the steps to replay for a violation: first the cited ones, then more and more of what came
 * before. Nothing is sent here.
 */
import type { ModelViolation } from '../../model/index.ts'
import { estimatedRequestCountOf, type Step } from '../step.ts'
import { createStepSelector, type ExecutedSearch, type ReplayStrategy } from './cited-scope.ts'
import { normalizeStepIds, withCreditsSetFirst, withOperatorKey } from './step-transforms.ts'

/** Adds changes of the cited resources, since a task that was run differs from one that was only created. */
const resourceStrategy: ReplayStrategy = { select: 'resource', maxSteps: 8 }

/**
 * The strategies in the order in which they are tried. `any`: in every organization; `used`: further ones, for
 * organizations with a history.
 */
export const replayStrategies: Readonly<Record<'any' | 'used', readonly ReplayStrategy[]>> = {
  any: [
    { select: 'cited' },
    resourceStrategy,
    { select: 'since', maxSteps: 8 },
    { select: 'subject', maxSteps: 16 },
    { select: 'since', maxSteps: 24, perKind: 2 },
    { select: 'recent', maxSteps: 12 },
    { select: 'changes', maxSteps: 48, perKind: 2 },
    { select: 'kinds', maxSteps: 32 },
    { select: 'case', maxSteps: 80, asSent: true },
    { select: 'kinds', maxSteps: 90, perKind: 2 },
    { select: 'made', maxSteps: 400 },
    { select: 'recent', maxSteps: 200, asSent: true },
  ],
  used: [
    { select: 'recent', maxSteps: 24, asSent: true },
    { select: 'kinds', maxSteps: 32 },
  ],
}

/** Strategies that keep created keys; the others use the operator's key. */
const keepsCreatedKeys = ({ select }: ReplayStrategy) => ['kinds', 'recent', 'case'].includes(select)

/**
 * Yields the distinct sequences of steps that the strategies select to replay. `maxPauseMs`: the longest pause that is
 * kept.
 */
export function* stepSequencesToReplay(
  tried: readonly ReplayStrategy[],
  context: ExecutedSearch,
  violation: ModelViolation,
  maxPauseMs: number,
): Generator<readonly Step[]> {
  const asSent = createStepSelector(context, violation, true, maxPauseMs)
  const oneByOne = createStepSelector(context, violation, false)
  if (!Number.isFinite(asSent.last)) return
  const alreadyTried = new Set<string>()
  // Concurrency matters for this violation.
  const isConcurrent = isRace(context, violation, asSent.slice([]))
  const isRefused = (stepId: number) => context.executor.answers.get(stepId)?.status === 401
  for (const strategy of tried) {
    const scope = strategy.asSent || (strategy.select === 'cited' && isConcurrent) ? asSent : oneByOne
    const selected = scope.slice(scope.addedPositions(strategy))
    const withOneKey =
      keepsCreatedKeys(strategy) || scope.concernsKeys ? selected : withOperatorKey(selected, isRefused)
    const steps = withCreditsSetFirst(withOneKey, () => context.nextStepId())
    const key = JSON.stringify(normalizeStepIds(steps))
    if (estimatedRequestCountOf(steps) > 0 && !alreadyTried.has(key)) yield steps
    alreadyTried.add(key)
  }
}

/**
 * The steps that a violation cites, with bursts as they were sent, with the steps that they depend on and other changes
 * of the same resources.
 */
export function citedStepsWithContext(context: ExecutedSearch, violation: ModelViolation): Step[] {
  const scope = createStepSelector(context, violation, true)
  return scope.citedPositions.length > 0 ? scope.slice(scope.addedPositions(resourceStrategy)) : []
}

/** True if a violation cites several requests of one burst, whose order may vary between replays. */
export function isRace(
  { executor }: ExecutedSearch,
  { evidence }: ModelViolation,
  steps: readonly Step[],
): boolean {
  const cited = new Set(evidence.flatMap((event) => executor.stepOf(event) ?? []))
  return steps.some(
    (step) => step.kind === 'burst' && step.calls.filter(({ stepId }) => cited.has(stepId)).length > 1,
  )
}
