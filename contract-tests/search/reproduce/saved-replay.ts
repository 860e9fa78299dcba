/** Replays a saved history until it is confirmed that it violates a requirement again. */
import { judgingOptionsOf } from '../../harness/terms.ts'
import { judgeHistory, type ModelViolation } from '../../model/index.ts'
import type { FindingFileContent } from '../report/saved.ts'
import { runTenantsOf, type Step, type StepTenant } from '../step.ts'
import type { InvestigationContext } from './investigation.ts'
import { type ReplayResult, type ReproducingReplay, replaySteps } from './replay.ts'
import { requiredReproductions } from './reproducer.ts'
import { comparesBalances, ordinaryAndFailingRunSteps } from './step-transforms.ts'

/** Replays of a saved history. Races need more, because their order varies. */
const maxReplays = { ordinary: 2, race: 6 } as const

/**
 * Replays the steps in the file of a finding, and adds a finding to the search if they violate its requirement again;
 * returns whether they do.
 */
export async function replayFindingFile(
  search: InvestigationContext,
  { steps, requirement }: FindingFileContent,
): Promise<boolean> {
  const { env, executor, found, newTag } = search
  const most = steps.some(({ kind }) => kind === 'burst') ? maxReplays.race : maxReplays.ordinary
  let shown: ReproducingReplay | undefined
  let [times, requests] = [0, 0]
  for (let i = 0; i < most && times < requiredReproductions; i++) {
    const done = await replaySteps(env, steps, newTag(), requirement, executor.state.finalStatuses)
    for (const id of done.executor.exercised) executor.exercised.add(id)
    requests += done.requests
    const violation = done.violation ?? (await recheckWithKnownStatuses(search, steps, done))
    if (!violation) continue
    times++
    shown = { ...done, violation }
  }
  if (!shown) return false
  const events = shown.executor.eventsUntil(shown.violation.evidence.at(-1) ?? 0)
  found.add(shown.violation, { how: 'replayed', times, steps, requests }, events, shown)
  return true
}

/** Judges a replay again with the final statuses of runs, which may only be learned after it. */
async function recheckWithKnownStatuses(
  { env, newTag, nextStepId }: InvestigationContext,
  steps: readonly Step[],
  done: ReplayResult,
): Promise<ModelViolation | undefined> {
  const { finalStatuses } = done.executor.state
  const isKnown = (tenant: StepTenant) =>
    [finalStatuses.failed, finalStatuses.ordinary].every((all) =>
      [...all].some((one) => one.startsWith(`${tenant} `)),
    )
  const unknown = new Set(runTenantsOf(steps).filter((tenant) => !isKnown(tenant)))
  if (unknown.size === 0 || !env.t.settings.statesUrl) return undefined
  for (const tenant of unknown)
    await replaySteps(env, ordinaryAndFailingRunSteps(tenant, nextStepId), newTag(), '', finalStatuses)
  const own = done.transport.history.filter(({ id }) => done.executor.stepOf(id) !== undefined)
  const { violations } = judgeHistory(own, { ...judgingOptionsOf(env.t.settings), finalStatuses })
  return violations.find(comparesBalances)
}
