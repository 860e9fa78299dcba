/** Log of executed steps, and the dependencies between them: references, states, runs and waits. */

import {
  costsCredits,
  creatingStepIdOf,
  involvesTenant,
  mayChangeServiceState,
  referencedStepIds,
  requestsOfStep,
  type Step,
  tenantsOfStep,
} from '../step.ts'

/** An executed step with its answers. */
export interface ExecutedStep {
  readonly step: Step
  /** Start on the clock of the target. */
  readonly startedAtMs: number
  /** Case to which the step belongs. */
  readonly case: number
}

/** The executed steps in order, with the steps that each depends on. */
export class StepLog {
  readonly entries: ExecutedStep[] = []
  readonly #places = new Map<number, number>()

  add(entry: ExecutedStep): void {
    for (const { stepId } of [entry.step, ...requestsOfStep(entry.step)])
      this.#places.set(stepId, this.entries.length)
    this.entries.push(entry)
  }

  /** A copy with the requests of bursts as single steps. */
  withoutBursts(): StepLog {
    const log = new StepLog()
    for (const { step, ...rest } of this.entries)
      for (const one of step.kind === 'burst' ? step.calls : [step]) log.add({ step: one, ...rest })
    return log
  }

  /** Position of a step in the log, if any. */
  positionOf(stepId: number | undefined): number | undefined {
    return this.#places.get(stepId ?? Number.NaN)
  }

  /** The step with an id, or with a request of that id. */
  stepAt(stepId: number | undefined): Step | undefined {
    return this.entries[this.positionOf(stepId) ?? -1]?.step
  }
}

/** The whole numbers from one to another, both included. */
export const integersBetween = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i)

/** Positions of steps in the log, with those of all steps that they depend on. */
export function positionsWithDependencies(log: StepLog, positions: Set<number>): Set<number> {
  for (const position of positions) {
    const step = log.entries[position]?.step
    if (!step) continue
    for (const stepId of referencedStepIds(step)) add(positions, log.positionOf(stepId))
    if (costsCredits(step)) for (const state of arrangedStatesFor(log, position)) positions.add(state)
    if (step.kind === 'awaitRun') add(positions, runRequestFor(log, position, step))
  }
  add(positions, waitBeforeLast(log, Math.max(...positions)))
  return positions
}

/** The wait before the last step, if only reads stand between. */
function waitBeforeLast(log: StepLog, last: number): number | undefined {
  for (let position = last - 1; position >= 0; position--) {
    const step = log.entries[position]?.step as Step
    if (step.kind === 'wait') return position
    if (mayChangeServiceState(step)) return undefined
  }
  return undefined
}

function add(positions: Set<number>, position: number | undefined): void {
  if (position !== undefined) positions.add(position)
}

/** Provider states that affect a paid step: those since the last paid step, and the last balance. */
function arrangedStatesFor(log: StepLog, position: number): number[] {
  const [tenant] = tenantsOfStep(log.entries[position]?.step as Step)
  const found: number[] = []
  let sawPaid = false
  for (let earlier = position - 1; earlier >= 0; earlier--) {
    const step = log.entries[earlier]?.step
    if (!step || !involvesTenant(tenant)(step)) continue
    if (costsCredits(step)) sawPaid = true
    if (step.kind !== 'state' || step.state === 'unread_notification') continue
    if (step.state === 'credits') return [...found, earlier]
    if (!sawPaid) found.push(earlier)
  }
  return found
}

/** The request that started the awaited run. */
function runRequestFor(log: StepLog, position: number, end: Step): number | undefined {
  const [thing] = referencedStepIds(end)
  return integersBetween(0, position - 1).findLast((earlier) =>
    requestsOfStep(log.entries[earlier]?.step as Step).some(
      ({ operation, target }) =>
        operation === 'runTask' && thing !== undefined && creatingStepIdOf(target) === thing,
    ),
  )
}
