/** What failed runs look like, and what ended runs may have cost therefore. */
import type { TestContext } from '../harness/context.ts'
import { providerFault } from '../harness/provider-states.ts'
import { failedRun, ordinaryRun, type ReadTask } from './runs.ts'

/** The final status of a failed run; undefined if no run can be made to fail. */
function failedStatus(t: TestContext): Promise<unknown> {
  return t.evidence('failed status', () => readFailedStatus(t), 'run')
}

async function readFailedStatus(t: TestContext): Promise<unknown> {
  const elsewhere = t.elsewhere && (await failedStatus(t.elsewhere))
  if (elsewhere !== undefined) return elsewhere
  if (!t.states.mayOffer('next_run_fails')) return undefined
  const run = await failedRun(t).catch(() => undefined)
  return run?.end?.status
}

/**
 * The credits that ended runs may have cost together: one each, or none if a run may have failed. Status names
 * are not specified (§3), and a failed run may have the same status as a successful one.
 */
export async function possibleCosts(
  t: TestContext,
  ends: readonly ReadTask[],
): Promise<{ least: number; most: number }> {
  const failed = await failedStatus(t)
  const kept = ends.filter(({ status }) => failed !== undefined && status !== failed)
  const [end] = ends
  if (end && failed !== undefined && kept.length === 0 && (await ordinaryRun(t)).end?.status !== failed)
    throw providerFault('runs fail also after the teardown of the state "next_run_fails"')
  return { least: kept.length, most: ends.length }
}
