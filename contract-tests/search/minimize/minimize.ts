/** Finds a history that reproduces a violation, minimizes and confirms it. */
import { itemsOf, valueAtPath } from '#traffic/exchange.ts'
import type { ReplayStrategy } from '../reproduce/cited-scope.ts'
import type { ReproducedSteps } from '../reproduce/replay.ts'
import type { BudgetCheck, Reproducer, ReproductionLimits } from '../reproduce/reproducer.ts'
import {
  withConsistencyWaits,
  withOtherRunsAwaited,
  withUnreadNotifications,
} from '../reproduce/step-transforms.ts'
import { isRace, stepSequencesToReplay } from '../reproduce/strategies.ts'
import { estimatedMsOf, estimatedRequestCountOf, type Step } from '../step.ts'
import { smallerStepSequences } from './ddmin.ts'

/** Longest kept pause under the optimistic latency assumption. */
const optimisticMaxPauseMs = 3_200
/** Budget of a minimization: `times` the requests of its history and `more`, within `ms`. */
const minimizeLimits = { times: 8, more: 60, ms: 14_000 } as const
/** A history with at most this many requests is not minimized further. */
const minRequests = 6
/** Waits that make a reproduction certain are added from the start if they take at most this long, ms. */
const maxAddedWaitMs = 400
/** Maximum number of requests in a history that is replayed to tell a violation from mere delay. */
const maxLatenessProbeRequests = 12

/**
 * Result of making a violation small: the smallest steps that reproduce it each time; `isOnlyLate`: replays show it only
 * if they do not wait, so that the service is merely late.
 */
interface Minimized {
  readonly confirmed?: ReproducedSteps | undefined
  readonly isOnlyLate?: boolean
}

/** Finds the smallest steps that reproduce a violation, by trying one strategy after the other. */
export async function minimizeSteps(
  reproducer: Reproducer,
  tried: readonly ReplayStrategy[],
  limits: ReproductionLimits,
): Promise<Minimized> {
  const { search, violation } = reproducer
  const budget = reproducer.budgetOf(limits)
  const maxPauseMs =
    search.latency.isOptimistic || isAboutLateness(reproducer)
      ? optimisticMaxPauseMs
      : search.env.replayWaits.maxPauseMs
  for (const steps of stepSequencesToReplay(tried, search, violation, maxPauseMs)) {
    const first = await reproducer.replay(prepared(reproducer, steps), budget)
    if (!first) continue
    const minimized = await minimizeAndConfirm(reproducer, first)
    if (minimized.confirmed || minimized.isOnlyLate) return minimized
    reproducer.last = undefined
  }
  return {}
}

/** True for the violation that a list is late, which waits would hide. */
const isAboutLateness = ({ violation }: Reproducer) => violation.requirement === 'LIST-PROMPT'

/** Minimizes steps and confirms the result; if that fails, confirms larger ones. */
async function minimizeAndConfirm(reproducer: Reproducer, first: ReproducedSteps): Promise<Minimized> {
  const { times, more, ms } = minimizeLimits
  const budget = reproducer.budgetOf({ requests: times * estimatedRequestCountOf(first.steps) + more, ms })
  const shown = [first]
  const candidates = smallerStepSequences(first.steps, reproducer.requiredSteps)
  for (let next = candidates.next(); !next.done; ) {
    const [left = first, steps] = [shown.at(-1), next.value]
    if (!budget(steps) || estimatedRequestCountOf(left.steps) <= minRequests) break
    const one = reproducer.mayReproduce(left, steps) ? await reproducer.replay(steps, budget) : undefined
    if (one) shown.push(one)
    next = candidates.next(one !== undefined)
  }
  for (const one of new Set([...shown.slice(-2).toReversed(), first])) {
    const confirmed = await confirm(reproducer, one)
    if (confirmed) return { confirmed }
  }
  return { isOnlyLate: await isMerelyLate(reproducer, shown.at(-1) ?? first, budget) }
}

/** True if steps that did not reproduce the violation with waits reproduce it without. */
async function isMerelyLate(reproducer: Reproducer, { steps, times }: ReproducedSteps, budget: BudgetCheck) {
  const { search, violation } = reproducer
  if (times > 0 || !search.latency.isOptimistic) return false
  if (estimatedRequestCountOf(steps) > maxLatenessProbeRequests) return false
  for (let tries = isRace(search, violation, steps) ? 2 : 1; tries > 0; tries--)
    if (await reproducer.replay(steps, budget)) return true
  return false
}

/** Confirms steps, with waits if they rest on the latency assumption. */
async function confirm(
  reproducer: Reproducer,
  { steps, times }: ReproducedSteps,
): Promise<ReproducedSteps | undefined> {
  const isCertain = times > 0 || !reproducer.search.latency.isOptimistic
  return reproducer.confirm(isCertain ? steps : withAllWaits(reproducer, steps), times)
}

/**
 * The steps as they are replayed first: with brief waits, and in an isolated tenant with as many unread notifications
 * as the lists showed.
 */
function prepared(reproducer: Reproducer, selected: readonly Step[]): readonly Step[] {
  const { search, violation, isIsolated } = reproducer
  const unread = (stepId: number) => {
    const answer = search.executor.answers.get(stepId)
    return (answer ? itemsOf(answer) : []).filter((one) => valueAtPath(one, 'read') === false).length
  }
  const steps = isIsolated ? withUnreadNotifications(selected, unread, search.nextStepId) : selected
  if (isAboutLateness(reproducer)) return steps.filter(({ kind }) => kind !== 'wait')
  if (violation.rule === 'run-ends') return withOtherRunsAwaited(steps, search.nextStepId)
  const all = withAllWaits(reproducer, steps)
  return !search.latency.isOptimistic || estimatedMsOf(all) - estimatedMsOf(steps) <= maxAddedWaitMs
    ? all
    : steps
}

/** Adds waits that make the violation certain. */
function withAllWaits({ search, violation }: Reproducer, steps: readonly Step[]): readonly Step[] {
  const { env, executor, nextStepId } = search
  const { finalStatuses } = executor.state
  const waited = withConsistencyWaits(steps, violation.subject, env.replayWaits, nextStepId, finalStatuses)
  return violation.rule === 'run-ends' ? withOtherRunsAwaited(waited, nextStepId) : waited
}
