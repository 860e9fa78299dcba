/** The attempts at one check. */
import { NotExercised, Unreachable } from '../client/check-errors.ts'
import { balanceMoves, watchTime } from '../evidence/credits.ts'
import type { TestContext } from '../harness/context.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Probe } from '../harness/requirement.ts'
import { unmetPrerequisite } from './prerequisites.ts'
import { passed, resultOf } from './results.ts'

/** Runs a check, and repeats it if a violation may be interference by others. */
export async function runProbe(
  t: TestContext,
  probe: Probe,
  signal: AbortSignal | undefined,
): Promise<RequirementResult> {
  if (signal?.aborted) return resultOf(probe, new NotExercised('the run was interrupted'))
  const unmet = unmetPrerequisite(t.settings, probe)
  if (unmet) return resultOf(probe, unmet)
  if (t.unreachable !== undefined) return resultOf(probe, new NotExercised(t.unreachable))
  t.attempt = 0
  const started = t.target.now()
  const first = await attempt(t, probe)
  if (first.outcome !== 'failed' || !probe.quiet) return first
  const isLong = t.target.now() - started > watchTime
  return repeat(t, probe, first, isLong && (await isCalm(t)) ? alike.calm : alike.usual)
}

/** Most attempts of a check that others may interfere with. */
export const mostAttempts = 4
/** Equal results in a row that confirm a violation: fewer if watching showed nobody else in the organization. */
const alike = { usual: 3, calm: 2 } as const

/** Whether nobody else seems to use the organization. */
async function isCalm(t: TestContext): Promise<boolean> {
  return !t.disturbed && !(await balanceMoves(t).catch(() => true))
}

/**
 * Repeats a check that others may have interfered with: a violation counts if `wanted` attempts in a row have the same result.
 * For balances the difference must be the same, since interference rarely gives the same difference three times.
 */
async function repeat(
  t: TestContext,
  probe: Probe,
  first: RequirementResult,
  wanted: number,
): Promise<RequirementResult> {
  try {
    let last = first
    let same = 1
    for (t.attempt = 1; t.attempt < mostAttempts && same < wanted; t.attempt++) {
      const next = await attempt(t, probe)
      if (next.outcome === 'passed') {
        t.disturbed = true
        return {
          ...next,
          reason: 'violated at first but met when repeated: somebody else used the organization',
        }
      }
      // If others use the organization, a single reading of a balance shows nothing.
      if (next.outcome !== 'failed') return t.disturbed && first.offBy !== undefined ? next : first
      same = next.offBy === last.offBy ? same + 1 : 1
      last = next
    }
    if (same >= wanted) return last
    t.disturbed = true
    return resultOf(
      probe,
      new NotExercised(
        'each attempt had a different result: somebody else uses the organization',
        'an organization that nobody else uses',
      ),
    )
  } finally {
    t.attempt = 0
  }
}

async function attempt(t: TestContext, probe: Probe): Promise<RequirementResult> {
  try {
    return passed(probe, (await probe.check(t)) || undefined)
  } catch (error) {
    if (!(error instanceof Unreachable)) return resultOf(probe, error)
    t.unreachable ??= error.message
    return resultOf(probe, new NotExercised(error.message))
  }
}
