/** The attempts at one check. */
import { NotExercised, Unreachable } from '../client/check-errors.ts'
import { balanceMoves, watchTime } from '../evidence/quiet-balance.ts'
import { seesStrangers } from '../evidence/strangers.ts'
import type { TestContext } from '../harness/context.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { setUpAtFault } from '../harness/provider-states.ts'
import type { Probe } from '../harness/requirement.ts'
import { unmetPrerequisite } from './prerequisites.ts'
import { passed, resultOf } from './results.ts'

/** Why a check cannot be tried; undefined: it can. */
function obstacle({ settings, run }: TestContext, probe: Probe, signal: AbortSignal | undefined) {
  if (signal?.aborted) return resultOf(probe, new NotExercised('the run was interrupted'))
  const unmet = unmetPrerequisite(settings, probe)
  if (unmet) return resultOf(probe, unmet)
  if (run.unreachable !== undefined) return resultOf(probe, new NotExercised(run.unreachable))
  return undefined
}

/** Runs a check once. */
export async function runOnce(
  t: TestContext,
  probe: Probe,
  signal: AbortSignal | undefined,
): Promise<RequirementResult> {
  return obstacle(t, probe, signal) ?? attempt(t, probe)
}

/** The result of an attempt made while other checks ran. */
export interface Before {
  readonly result: RequirementResult
  /** It was made in the second organization. */
  readonly elsewhere: boolean
}

/**
 * Runs a check, and repeats it if a violation may be interference by others. Nothing else may run at the same time.
 * An attempt made before counts as the first.
 */
export async function runProbe(
  t: TestContext,
  probe: Probe,
  signal: AbortSignal | undefined,
  earlier?: Before,
): Promise<RequirementResult> {
  const known = obstacle(t, probe, signal)
  if (known) return known
  const started = t.target.now()
  const before = earlier?.result
  try {
    t.run.attempt = earlier ? 1 : 0
    t.run.confirming = earlier?.elsewhere === true && before?.outcome === 'failed'
    const first = await attempt(t, probe)
    if (first.outcome === 'passed' && before?.outcome === 'failed' && !earlier?.elsewhere)
      return { ...first, reason: first.reason ?? metAlone }
    // What keeps a check from being repeated may be what was wrong at first, unless others may have been.
    if (before?.outcome === 'failed' && first.outcome === 'not_exercised') {
      if (!probe.quiet || isProviderFault(first)) return before
      return { ...first, reason: `violated beside other checks, and not repeated alone: ${first.reason}` }
    }
    if (first.outcome !== 'failed' || !probe.quiet) return first
    const isLong = t.target.now() - started > watchTime
    const isDisturbed = seesStrangers(t)
    const same = before?.outcome === 'failed' && before.offBy === first.offBy ? 2 : 1
    const usual = isDisturbed && first.offBy !== undefined ? alike.disturbed : alike.usual
    const wanted = (isLong || same > 1) && (await isCalm(t)) ? alike.calm : usual
    return await repeat(t, probe, first, { same, wanted })
  } finally {
    t.run.attempt = 0
    t.run.confirming = false
  }
}

const metAlone =
  'violated at first but met when repeated alone: another check or somebody else used the organization'

const isProviderFault = ({ outcome, reason }: RequirementResult) =>
  outcome === 'not_exercised' && reason?.startsWith(setUpAtFault) === true

/** Most attempts of a check that others may interfere with. */
export const mostAttempts = 4
/** Equal results in a row that confirm a violation: fewer if watching showed nobody else, more if somebody is there. */
const alike = { usual: 3, calm: 2, disturbed: 4 } as const

/** Whether nobody else seems to use the organization. */
async function isCalm(t: TestContext): Promise<boolean> {
  return !t.run.disturbed && (t.run.confirming || !(await balanceMoves(t).catch(() => true)))
}

/**
 * Repeats a check that others may have interfered with: a violation counts if `wanted` attempts in a row have the same result.
 * For balances the difference must be the same, since interference rarely gives the same difference three times.
 */
async function repeat(
  t: TestContext,
  probe: Probe,
  first: RequirementResult,
  count: { same: number; readonly wanted: number },
): Promise<RequirementResult> {
  const { wanted } = count
  let { same } = count
  let last = first
  for (t.run.attempt++; t.run.attempt < mostAttempts && same < wanted; t.run.attempt++) {
    const next = await attempt(t, probe)
    if (next.outcome === 'passed') {
      t.run.disturbed = true
      return {
        ...next,
        reason: 'violated at first but met when repeated: somebody else used the organization',
      }
    }
    // If others use the organization, a single reading of a balance shows nothing.
    if (next.outcome !== 'failed') return t.run.disturbed && first.offBy !== undefined ? next : first
    same = next.offBy === last.offBy ? same + 1 : 1
    last = next
  }
  if (same >= wanted) return last
  t.run.disturbed = true
  return resultOf(
    probe,
    new NotExercised(
      'each attempt had a different result: somebody else uses the organization',
      'an organization that nobody else uses',
    ),
  )
}

async function attempt(t: TestContext, probe: Probe): Promise<RequirementResult> {
  const started = performance.now()
  const result = await attemptOnce(t, probe)
  return { ...result, duration_ms: Math.round(performance.now() - started) }
}

async function attemptOnce(t: TestContext, probe: Probe): Promise<RequirementResult> {
  try {
    return passed(probe, (await probe.check(t)) || undefined)
  } catch (error) {
    t.run.unreachable ??= t.recorder.unreachable
    // Of a service that has stopped nothing that was seen since shows anything.
    if (t.run.unreachable !== undefined) return resultOf(probe, new NotExercised(t.run.unreachable))
    if (!(error instanceof Unreachable)) return resultOf(probe, error)
    t.run.unreachable = error.message
    return resultOf(probe, new NotExercised(error.message))
  }
}
