/**
 * The order of checks: first, at the same time, those that may and lanes of those that need a part of the organization
 * alone; then, one after the other, what needs all of it and what did not pass before.
 */
import pLimit from 'p-limit'
import { assumeOtherOrganization } from '../evidence/organizations.ts'
import type { TestContext } from '../harness/context.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Probe } from '../harness/requirement.ts'
import { type Before, runOnce, runProbe } from './attempts.ts'
import { causesFirst, followsFrom } from './consequences.ts'
import { type LanePlan, type Part, planParts } from './lanes.ts'

/** What a run of checks reports to. */
export interface Reporting {
  readonly signal?: AbortSignal | undefined
  conclude(result: RequirementResult): void
}

/** Runs every check and concludes each once. */
export async function runChecks(
  t: TestContext,
  probes: readonly Probe[],
  reporting: Reporting,
): Promise<void> {
  const parts = planParts(probes)
  const isSideBySide = t.settings.concurrency > 1
  const isUseful = parts.some(({ lanes }) => lanes.some((one) => one.second && one.inOrder.length > 0))
  const second = isSideBySide && isUseful ? await secondOrganization(t) : undefined
  for (const part of parts) {
    const left = new Map(
      part.probes.map((probe) => [probe.id, { probe, before: undefined as Before | undefined }]),
    )
    const settle = (result: RequirementResult) => {
      left.delete(result.requirement.id)
      reporting.conclude(result)
    }
    if (isSideBySide) {
      const unsettle = (before: Before) => {
        const { id } = before.result.requirement
        const one = left.get(id)
        if (one) left.set(id, { ...one, before })
      }
      await runSideBySide(t, second, part, { ...reporting, conclude: settle, unsettle })
    }
    for (const { probe, before } of causesFirst([...left.values()])) {
      const isKnown = before && followsFrom(before.result, t.run.violations)
      settle(isKnown ? before.result : await runProbe(t, probe, reporting.signal, before))
    }
  }
}

/** Runs what may run beside other checks once. */
async function runSideBySide(
  t: TestContext,
  second: TestContext | undefined,
  { probes, lanes, looksBack }: Part,
  { signal, conclude, unsettle }: Reporting & { unsettle(before: Before): void },
): Promise<void> {
  const tryOnce = async (context: TestContext, probe: Probe) => {
    const result = await runOnce(context, probe, signal)
    const isVain = result.outcome === 'not_exercised' && t.patience.missed
    if ((looksBack && !probe.quiet) || isVain || counts(result, context === second)) conclude(result)
    else unsettle({ result, elsewhere: context === second })
  }
  const { concurrency } = t.settings
  const usable = lanes.filter((lane) => !lane.second || second)
  const laneLimit = pLimit(Math.min(usable.length, concurrency - 1))
  const limit = pLimit(Math.max(1, concurrency - usable.length))
  t.run.overlapped = true
  t.elsewhere = second
  await Promise.all([
    ...usable.map((lane) => {
      const context = (lane.second && second) || t
      return laneLimit(() => runLane(lane, (probe) => tryOnce(context, probe)))
    }),
    ...probes
      .filter(({ alone }) => !alone)
      .map((probe) =>
        limit(async () => {
          if (probe.quiet) return tryOnce(t, probe)
          const result = await runOnce(t, probe, signal)
          if (isHeldUp(result)) unsettle({ result, elsewhere: false })
          else conclude(result)
        }),
      ),
  ])
  t.run.overlapped = false
  t.elsewhere = undefined
}

/** Whether a violation may come from the limits and outages that other checks arrange. */
function isHeldUp({ outcome, evidence }: RequirementResult): boolean {
  const isViolated = outcome === 'failed' || outcome === 'warned'
  return isViolated && evidence.some(({ status }) => status === 429 || status === 503)
}

/** Whether a result counts although other checks ran at the same time. The second organization may be offered less. */
function counts({ outcome, requirement }: RequirementResult, isSecond: boolean): boolean {
  if (outcome === 'passed') return true
  const isCheap = 'cost' in requirement && requirement.cost === 0
  return !isSecond && (outcome === 'not_applicable' || (outcome === 'not_exercised' && !isCheap))
}

/** The second organization as one under test; undefined if there is none. */
async function secondOrganization(t: TestContext): Promise<TestContext | undefined> {
  if (!t.settings.otherApiKey || t.settings.readOnly) return undefined
  return assumeOtherOrganization(t).then(
    () => t.second(),
    () => undefined,
  )
}

/** Most checks at the same time that compare the same balance. */
const mostTogether = 8

async function runLane({ together, inOrder }: LanePlan, run: (probe: Probe) => Promise<void>): Promise<void> {
  const limit = pLimit(mostTogether)
  await Promise.all(together.map((probe) => limit(() => run(probe))))
  for (const probe of inOrder) await run(probe)
}
