/** The order of checks: at the same time those that may, in queues those that need a part of the organization alone, then the rest. */

import pLimit from 'p-limit'
import { NotExercised, skip, Unreachable, Violation } from '../client/check-errors.ts'
import { returnTo } from '../evidence/credits.ts'
import { isDeletedByOthers } from '../evidence/key-use.ts'
import { assumeOtherOrganization } from '../evidence/organizations.ts'
import { seesOtherClients } from '../evidence/other-clients.ts'
import { aQuietOne, movedByOthers } from '../evidence/refused-runs.ts'
import {
  assumeQuietBalance,
  balanceMoves,
  othersRunTasks,
  othersSpend,
  watchTime,
} from '../evidence/spending.ts'
import type { TestContext } from '../harness/context.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import type { Check } from '../harness/requirement.ts'
import { type Phase, planPhases, type QueuePlan } from './queues.ts'
import { causesFirst, followsFrom, isProviderFault, isViolated, passed, resultOf } from './results.ts'
import { unmetPrerequisite } from './selection.ts'

/** Why a check cannot be tried; undefined: it can. */
function obstacle({ settings, run, isInterrupted }: TestContext, check: Check) {
  if (isInterrupted) return resultOf(check, new NotExercised('the run was interrupted'))
  const unmet = unmetPrerequisite(settings, check)
  if (unmet) return resultOf(check, unmet)
  if (run.unreachable !== undefined) return resultOf(check, new NotExercised(run.unreachable))
  return undefined
}

/** What comes of trying a check once. */
const tried = async (t: TestContext, check: Check) => obstacle(t, check) ?? attempt(t, check)

/** The result of an attempt made while other checks ran. */
interface Before {
  readonly result: RequirementResult
  /** It was made in the second organization. */
  readonly elsewhere: boolean
}

/**
 * Runs a check, and repeats it if a violation may be interference by others. Nothing else may run at the same time.
 * An attempt made before counts as the first.
 */
async function runCheck(t: TestContext, check: Check, earlier?: Before): Promise<RequirementResult> {
  const known = obstacle(t, check)
  if (known) return known
  const started = t.target.now()
  const before = earlier?.result
  if (before?.outcome === 'failed') t.run.budget.exceedPlan()
  try {
    t.run.attempt = earlier ? 1 : 0
    const confirms = earlier?.elsewhere === true && before?.outcome === 'failed'
    t.run.exclusive = { id: check.id, confirms }
    const balance = before?.balances && (await returnTo(t, before.balances.before).catch(skip))
    const first = await attempt(t, check)
    if (first.outcome === 'passed' && before?.outcome === 'failed') {
      t.run.isBalanceDoubted ||= before.delta !== undefined
      const lost = check.isRace ? await lostAgain(t, check) : undefined
      return lost ?? { ...first, reason: first.reason ?? metAlone }
    }
    // What keeps a check from being repeated may be what was wrong at first, unless others may have been.
    if (before?.outcome === 'failed' && first.outcome === 'not_exercised') {
      if (!before.tentative && (!check.retryOnViolation || isProviderFault(first))) return before
      // The same answer once more, to what the check needs first.
      const isAnswered = before.actual !== undefined && first.reason?.includes(`(${before.actual})`)
      if (isAnswered && !seesOtherClients(t) && (await isQuiet(t))) return before
      return { ...first, reason: `violated beside other checks, and not repeated alone: ${first.reason}` }
    }
    if (first.outcome !== 'failed' || !check.retryOnViolation) return first
    t.run.budget.exceedPlan()
    const isLong = t.target.now() - started > watchTime
    const isDisturbed = seesOtherClients(t)
    const same = before?.outcome === 'failed' && before.delta === first.delta ? 2 : 1
    const usual = isDisturbed && first.delta !== undefined ? alike.disturbed : alike.usual
    const wanted = (isLong || same > 1) && (await isCalm(t)) ? alike.calm : usual
    return await repeat(t, check, first, { same, wanted, balance })
  } finally {
    t.run.attempt = 0
    t.run.exclusive = undefined
  }
}

/** Whether neither reading the balance nor somebody else changes it. */
const isQuiet = (t: TestContext): Promise<boolean> =>
  assumeQuietBalance(t, 'whoami').then(
    () => true,
    () => false,
  )

const metAlone =
  'violated at first but met when repeated alone: another check or somebody else used the organization, or the service fails at times'

/** Most attempts of a check that others may interfere with. */
export const mostAttempts = 4
/** Equal results in a row that confirm a violation: fewer if watching showed nobody else, more if somebody is there. */
const alike = { usual: 3, calm: 2, disturbed: 4 } as const

/** Whether nobody else seems to use the organization. */
async function isCalm(t: TestContext): Promise<boolean> {
  return !t.run.disturbed && (t.run.exclusive?.confirms || !(await balanceMoves(t).catch(() => true)))
}

/**
 * Repeats a check that others may have interfered with: a violation counts if `wanted` attempts in a row have the same result.
 * For balances the difference must be the same, since interference rarely gives the same difference three times;
 * `balance`: what the first attempt began with, where a state can set it.
 */
async function repeat(
  t: TestContext,
  check: Check,
  first: RequirementResult,
  {
    same: before,
    wanted,
    balance,
  }: { readonly same: number; readonly wanted: number; readonly balance: number | undefined },
): Promise<RequirementResult> {
  let same = before
  let last = first
  for (t.run.attempt++; t.run.attempt < mostAttempts && same < wanted; t.run.attempt++) {
    if (balance !== undefined) await returnTo(t, balance).catch(skip)
    const next = await attempt(t, check)
    if (next.outcome === 'passed') {
      const lost = check.isRace ? await lostAgain(t, check) : undefined
      if (lost) return lost
      t.run.disturbed = true
      return {
        ...next,
        reason:
          'violated at first but met when repeated: somebody else used the organization, or the service fails at times',
      }
    }
    // If others use the organization, a single reading of a balance shows nothing.
    if (next.outcome !== 'failed')
      return first.delta !== undefined && (t.run.disturbed || (await isMovedByOthers(t, first)))
        ? next
        : first
    same = next.delta === last.delta ? same + 1 : 1
    last = next
  }
  // What somebody else does at regular intervals looks the same each time.
  const isMoved = await isMovedByOthers(t, last)
  if (same >= wanted && !isMoved) return last
  t.run.disturbed = true
  const differs = 'each attempt had a different result: somebody else uses the organization'
  return resultOf(check, isMoved ? movedByOthers() : new NotExercised(differs, aQuietOne))
}

/** Races again after one was lost and the next one was not: lost once more, and with nobody else there, it counts. */
async function lostAgain(t: TestContext, check: Check): Promise<RequirementResult | undefined> {
  t.run.budget.exceedPlan()
  for (t.run.attempt++; t.run.attempt <= mostAttempts; t.run.attempt++) {
    const next = await attempt(t, check)
    if (next.outcome === 'failed') return (await isCalm(t)) ? next : undefined
  }
  return undefined
}

/** Whether a wrong difference of balances may come from others: they were seen, or show while the balance is watched. */
async function isMovedByOthers(t: TestContext, { delta }: RequirementResult): Promise<boolean> {
  if (delta === undefined) return false
  const isMoved = async () =>
    (seesOtherClients(t) && (await balanceMoves(t))) || (await othersSpend(t)) || othersRunTasks(t)
  return isMoved().catch(() => true)
}

async function attempt(t: TestContext, check: Check): Promise<RequirementResult> {
  const started = performance.now()
  const result = await attemptOnce(t, check)
  return { ...result, duration_ms: Math.round(performance.now() - started) }
}

async function attemptOnce(t: TestContext, check: Check): Promise<RequirementResult> {
  try {
    return passed(check, (await check.run(t)) || undefined)
  } catch (error) {
    t.run.unreachable ??= t.recorder.unreachable
    // Of a service that has stopped nothing that was seen since shows anything.
    if (t.run.unreachable !== undefined) return resultOf(check, new NotExercised(t.run.unreachable))
    if (error instanceof Violation && (await isDeletedByOthers(t, error.exchanges.at(-1))))
      return resultOf(
        check,
        new NotExercised('keys are deleted by themselves: somebody else deletes them', aQuietOne),
      )
    if (!(error instanceof Unreachable)) return resultOf(check, error)
    t.run.unreachable = error.message
    return resultOf(check, new NotExercised(error.message))
  }
}

/** Called with the result of a check. */
type Conclude = (result: RequirementResult) => void

/** Runs every check and concludes each once. */
export async function runChecks(t: TestContext, checks: readonly Check[], conclude: Conclude): Promise<void> {
  const phases = planPhases(checks)
  const doubtful: Doubtful[] = []
  const isUseful = phases.some(({ queues }) => queues.some((one) => one.second && one.inOrder.length > 0))
  const second = isUseful ? await secondOrganization(t) : undefined
  for (const phase of phases) {
    const left = new Map(
      phase.checks.map((check) => [check.id, { check, before: undefined as Before | undefined }]),
    )
    const settle = (result: RequirementResult) => {
      left.delete(result.requirement.id)
      conclude(result)
    }
    const unsettle = (before: Before) => {
      const { id } = before.result.requirement
      const one = left.get(id)
      if (one) left.set(id, { ...one, before })
    }
    await runSideBySide(t, second, phase, settle, unsettle)
    for (const { check, before } of causesFirst([...left.values()])) {
      const isKnown = before && followsFrom(before.result, t.run.violations)
      const alone = isKnown ? before.result : await runCheck(t, check, before)
      if (before && (isMetHere(alone, before) || isNotRepeated(alone, before)))
        doubtful.push({ check, before: before.result, alone })
      else settle(alone)
    }
  }
  // Last, for the credits that it may cost.
  for (const { check, before, alone } of doubtful) {
    const earlier = { result: before, elsewhere: false }
    const there = second && (await runCheck(second, check, earlier))
    const isMetTwice = there?.outcome === 'failed' && there !== before
    // Somebody else may have used that organization each time.
    const again = second && isMetTwice ? await runCheck(second, check, earlier) : undefined
    const isOpen = there?.outcome === 'not_exercised'
    conclude(isOpen || (isMetTwice && again?.outcome !== 'passed') ? there : alone)
  }
}

/**
 * The results of checks that others met, and that are violated when they are repeated alone: where the model objects to
 * something that another client may have caused, in the organization where it was seen.
 */
export async function repeatSuspects(
  t: TestContext,
  suspects: readonly { readonly check: Check; readonly seen: RequirementResult }[],
): Promise<RequirementResult[]> {
  const results: RequirementResult[] = []
  for (const { check, seen } of suspects) {
    const context = seen.evidence.at(-1)?.caller === 'other' ? t.all[1] : t
    if (!context || followsFrom(seen, t.run.violations)) continue
    const repeated = { ...check, retryOnViolation: true }
    const result = await runCheck(context, repeated, { result: seen, elsewhere: false })
    if (isViolated(result) && result !== seen) results.push({ ...result, requirement: check })
  }
  return results
}

/** A check that was met alone in the first organization, or could not be tried there, and before was not met. */
interface Doubtful {
  readonly check: Check
  readonly before: RequirementResult
  readonly alone: RequirementResult
}

/** Whether what was violated in the second organization was met in the first. */
const isMetHere = ({ outcome }: RequirementResult, { result, elsewhere }: Before): boolean =>
  outcome === 'passed' && elsewhere && result.outcome === 'failed'

/** Whether a wrong balance was not looked at alone, such as for want of credits. */
const isNotRepeated = ({ outcome }: RequirementResult, { result }: Before): boolean =>
  outcome === 'not_exercised' && result.outcome === 'failed' && result.delta !== undefined

/** Runs what may run beside other checks once. */
async function runSideBySide(
  t: TestContext,
  second: TestContext | undefined,
  { checks, queues, looksBack }: Phase,
  conclude: Conclude,
  unsettle: (before: Before) => void,
): Promise<void> {
  const tryOnce = async (context: TestContext, check: Check) => {
    const result = await tried(context, check)
    const isVain = result.outcome === 'not_exercised' && t.deadlines.missed
    if ((looksBack && !check.retryOnViolation) || isVain || counts(result, context === second))
      conclude(result)
    else unsettle({ result, elsewhere: context === second })
  }
  const { concurrency } = t.settings
  const usable = queues.filter((queue) => !queue.second || second)
  const queueLimit = pLimit(Math.max(1, Math.min(usable.length, concurrency - 1)))
  const limit = concurrency > 1 ? pLimit(Math.max(1, concurrency - usable.length)) : queueLimit
  t.elsewhere = second
  await Promise.all([
    ...checks
      .filter(({ exclusive }) => !exclusive)
      .map((check) =>
        limit(async () => {
          if (check.retryOnViolation) return tryOnce(t, check)
          const result = await tried(t, check)
          if (isHeldUp(result)) unsettle({ result, elsewhere: false })
          else conclude(result)
        }),
      ),
    ...usable.map((queue) => {
      const context = (queue.second && second) || t
      return queueLimit(() => runQueue(queue, concurrency, (check) => tryOnce(context, check)))
    }),
  ])
  t.elsewhere = undefined
}

/** Whether a violation may come from the limits and outages that other checks arrange. */
const isHeldUp = (result: RequirementResult): boolean =>
  isViolated(result) && result.evidence.some(({ status }) => status === 429 || status === 503)

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

async function runQueue(
  { together, inOrder }: QueuePlan,
  concurrency: number,
  run: (check: Check) => Promise<void>,
): Promise<void> {
  const limit = pLimit(Math.min(mostTogether, concurrency))
  await Promise.all(together.map((check) => limit(() => run(check))))
  for (const check of inOrder) await run(check)
}
