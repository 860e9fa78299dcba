/** Smaller histories to try, by delta debugging (Zeller's ddmin): without halves, quarters, then single units. Nothing is sent here. */

import { withOperatorKey, withoutAwaitsOfUnstartedRuns } from '../reproduce/step-transforms.ts'
import { referencedStepIds, requestsOfStep, type Step, setsCredits } from '../step.ts'

/** Yields histories, is told after each whether it reproduced, and returns the smallest one that did. */
type SmallerHistories = Generator<readonly Step[], readonly Step[], boolean>

/** Steps that are only removed together: set-up and waits, the request after them, the end of its run. */
type DependentSteps = readonly Step[]

/** With at most this many removable units, they are removed one by one. */
const minChunk = 8
/** A sequential order is tried if sending all bursts one request at a time adds more steps than this. */
const burstThreshold = 3

/**
 * Yields smaller candidates for a failing history, as in delta debugging: without groups of steps, without parts of
 * bursts, and with the requests of bursts sent one after the other. The last step stays.
 */
export function* smallerStepSequences(
  steps: readonly Step[],
  required: ReadonlySet<number> = new Set(),
): SmallerHistories {
  const sequential = withoutDangling(
    steps.flatMap((step): readonly Step[] => (step.kind === 'burst' ? step.calls : [step])),
  )
  const isMuchLonger = sequential.length > steps.length + burstThreshold
  const initial = isMuchLonger && (yield sequential) ? sequential : steps
  const few = yield* withoutUnits(yield* withoutUnits(initial, required))
  const withOneKey = withOperatorKey(few, () => false)
  const left = withOneKey.length < few.length && (yield withOneKey) ? withOneKey : few
  const thin = yield* withThinBursts(left)
  return thin === left ? left : yield* withoutUnits(thin)
}

/** Removes units, as many at once as possible, but for those with steps to keep. */
function* withoutUnits(initial: readonly Step[], kept: ReadonlySet<number> = new Set()): SmallerHistories {
  let left = initial
  const isKept = (step: Step) => [step, ...requestsOfStep(step)].some(({ stepId }) => kept.has(stepId))
  const removable = () =>
    groupDependent(left)
      .slice(0, -1)
      .filter((unit) => !unit.some(isKept))
  for (let size = initial.length; size > 1; ) {
    const most = Math.min(size, removable().length)
    size = most > minChunk ? Math.ceil(most / 2) : 1
    for (let [from, count] = [0, size]; from < removable().length; ) {
      const removed = removable()
        .slice(from, from + count)
        .flat()
      // Steps that set the balance stay.
      const units = groupDependent(left).map((unit) =>
        unit.filter((step) => !removed.includes(step) || setsCredits(step)),
      )
      const fewer = withoutDanglingUnits(units)
      const isSmaller = fewer.length < left.length && fewer.at(-1) === left.at(-1)
      const shown = isSmaller && (yield fewer)
      if (shown) left = fewer
      else if (count === size) from += size
      // The chunk grows while removals keep reproducing.
      count = shown ? 2 * count : size
    }
  }
  return left
}

/** Removes requests from bursts, down to a single one where no race is needed. */
function* withThinBursts(initial: readonly Step[]): SmallerHistories {
  let steps = initial
  for (const { stepId } of initial) {
    for (let [nth, size] = [0, Number.POSITIVE_INFINITY]; ; ) {
      const burst = steps.find((step) => step.stepId === stepId)
      if (burst?.kind !== 'burst' || burst.calls.length < 2 || nth >= burst.calls.length) break
      size = Math.min(size, Math.ceil(burst.calls.length / 2))
      const calls = burst.calls.toSpliced(nth, size)
      const one = calls.length === 1 && calls[0] ? calls[0] : { ...burst, calls }
      const fewer = withoutDangling(steps.map((step) => (step === burst ? one : step)))
      const shown = (fewer.at(-1) === steps.at(-1) || steps.at(-1) === burst) && (yield fewer)
      if (shown) steps = fewer
      else if (size === 1) nth++
      size = shown ? 2 * size : Math.max(1, Math.floor(size / 2))
    }
  }
  return steps
}

/** Groups steps that depend on each other. */
function groupDependent(steps: readonly Step[]): DependentSteps[] {
  const units: Step[][] = []
  let isOpen = false
  for (const step of steps) {
    const unit = units.at(-1)
    const runs = new Set(unit?.flatMap(referencedStepIds))
    const isOver =
      step.kind === 'awaitRun' && referencedStepIds(step).some((createdBy) => runs.has(createdBy))
    if (unit && (isOpen || isOver)) unit.push(step)
    else units.push([step])
    isOpen = step.kind === 'wait' || (step.kind === 'state' && !setsCredits(step))
  }
  return units
}

/** Drops steps that refer to a removed step. */
const withoutDangling = (steps: readonly Step[]): Step[] => withoutDanglingUnits(steps.map((step) => [step]))

/** Drops units that refer to removed steps, but for steps that set the balance. */
function withoutDanglingUnits(units: readonly DependentSteps[]): Step[] {
  const createdBy = new Set<number>()
  const whole = units.flatMap((unit) => {
    const own = unit.flatMap((step) => [step, ...requestsOfStep(step)].map(({ stepId }) => stepId))
    const isWhole = unit
      .flatMap(referencedStepIds)
      .every((stepId) => createdBy.has(stepId) || own.includes(stepId))
    if (isWhole) for (const stepId of own) createdBy.add(stepId)
    return isWhole ? unit : unit.filter(setsCredits)
  })
  return withoutAwaitsOfUnstartedRuns(whole)
}
