/** The order of checks: at the same time those that may, in queues those that need a part of the organization alone, then the rest. */

import pLimit from 'p-limit'
import {
  DisturbedByOthers,
  NotExercised,
  rethrowUnlessNotExercised,
  Unreachable,
  unsharedOrganizationAdvice,
  Violation,
} from '../client/check-errors.ts'
import { raiseCreditsTo } from '../fixtures/credits.ts'
import { isKeyDeletedByOthers } from '../fixtures/key-use.ts'
import { assumeOtherOrganization } from '../fixtures/organizations.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { balanceMovedByOthersError } from '../fixtures/refused-runs.ts'
import { serverErrorsIn, showsSameServerErrors } from '../fixtures/server-errors.ts'
import {
  areCreditsSpentByOthers,
  areTasksRunByOthers,
  assumeBalanceUndisturbed,
  balanceWatchMs,
  isBalanceChangingByItself,
} from '../fixtures/spending.ts'
import type { TestContext } from '../harness/context.ts'
import { type RequirementResult, resultOfSuspicion } from '../harness/outcome.ts'
import type { Check } from '../harness/requirement.ts'
import {
  isUndecided,
  resultIfNotReproduced,
  resultIfPassedAlone,
  resultIfRaceNotRepeated,
  resultWithoutProof,
} from './doubts.ts'
import { type CheckPhase, type CheckQueue, planPhases } from './queues.ts'
import {
  isConsequence,
  isPreventedByProviderState,
  isViolated,
  orderedByCause,
  passedResult,
  resultOfError,
} from './results.ts'
import { unmetPrerequisiteError } from './selection.ts'

/** The result of a check that cannot be tried; undefined if it can be. */
function obstacle({ settings, run, isInterrupted }: TestContext, check: Check) {
  if (isInterrupted) return resultOfError(check, new NotExercised('the run was interrupted'))
  const unmet = unmetPrerequisiteError(settings, check)
  if (unmet) return resultOfError(check, unmet)
  if (run.unreachable !== undefined) return resultOfError(check, new NotExercised(run.unreachable))
  return undefined
}

/** Result of trying a check once. */
const tried = async (t: TestContext, check: Check) => obstacle(t, check) ?? attempt(t, check)

/** The result of an attempt made while other checks ran. */
interface ParallelAttempt {
  readonly result: RequirementResult
  /** True if it was made in the second organization. */
  readonly elsewhere: boolean
}

/**
 * Runs a check, and repeats it if a violation may be interference by others. Nothing else may run at the same time.
 * An attempt made before counts as the first.
 */
async function runCheck(t: TestContext, check: Check, earlier?: ParallelAttempt): Promise<RequirementResult> {
  const known = obstacle(t, check)
  if (known) return known
  const started = t.target.now()
  const before = earlier?.result
  if (before?.outcome === 'failed') t.run.budget.exceedPlan()
  try {
    t.run.attempt = earlier ? 1 : 0
    const confirms = earlier?.elsewhere === true && before?.outcome === 'failed'
    t.run.exclusive = { id: check.id, isPaid: check.cost > 0, confirms }
    const balance =
      before?.balances && (await raiseCreditsTo(t, before.balances.before).catch(rethrowUnlessNotExercised))
    const first = await attempt(t, check)
    if (first.outcome === 'passed' && before?.outcome === 'failed') {
      t.run.isBalanceDoubted ||= before.delta !== undefined
      if (!check.isRace) return resultIfPassedAlone(t, before, first)
      return (await lostAgain(t, check)) ?? resultIfRaceNotRepeated(t, before, first)
    }
    // The obstacle to a repetition may be what was wrong at first, unless others may have been.
    if (before?.outcome === 'failed' && isUndecided(first)) {
      // Others may have changed what a state has set up.
      const isAtFault = isPreventedByProviderState(first) && !t.settings.shared
      if (!before.tentative && (!check.retryOnViolation || isAtFault)) return before
      // True if the same answer came once more, to what the check needs first.
      const isAnswered = before.actual !== undefined && first.answer === before.actual
      if (isAnswered && !hasSeenOtherClients(t) && (await isQuiet(t))) return before
      return resultIfNotReproduced(t, before, first)
    }
    if (first.outcome !== 'failed' || !check.retryOnViolation) return first
    t.run.budget.exceedPlan()
    const isLong = t.target.now() - started > balanceWatchMs
    const isDisturbed = hasSeenOtherClients(t)
    const same = before?.outcome === 'failed' && showsSame(before, first) ? 2 : 1
    const usual = isDisturbed && first.delta !== undefined ? alike.disturbed : alike.usual
    const wanted = (isLong || same > 1) && (await isCalm(t)) ? alike.calm : usual
    return await repeat(t, check, first, { same, wanted, balance })
  } finally {
    t.run.attempt = 0
    t.run.exclusive = undefined
  }
}

/**
 * True if two attempts show one violation: the same difference of balances, and errors of the service in the answers of
 * the same operations. A service that fails at times fails elsewhere the next time, which a check only happens to meet.
 */
const showsSame = (a: RequirementResult, b: RequirementResult): boolean =>
  a.delta === b.delta &&
  showsSameServerErrors(a.evidence, serverErrorsIn(b.evidence)) &&
  showsSameServerErrors(b.evidence, serverErrorsIn(a.evidence))

/** True if neither reading the balance nor somebody else changes it. */
const isQuiet = (t: TestContext): Promise<boolean> =>
  assumeBalanceUndisturbed(t, 'whoami').then(
    () => true,
    () => false,
  )

/** The most times that a check is tried when other clients may interfere with it. */
export const maxAttempts = 4
/** Equal results in a row that confirm a violation: fewer if watching showed nobody else, more if somebody is there. */
const alike = { usual: 3, calm: 2, disturbed: 4 } as const

/** True if nobody else seems to use the organization: those that are declared may change what no balance shows. */
async function isCalm(t: TestContext): Promise<boolean> {
  return (
    !t.settings.shared &&
    !t.run.disturbed &&
    (t.run.exclusive?.confirms || !(await isBalanceChangingByItself(t).catch(() => true)))
  )
}

/**
 * Repeats a check that others may have interfered with: a violation counts if `wanted` attempts in a row have the same result.
 * For balances the difference must be the same, since interference rarely gives the same difference three times; for errors
 * of the service, the operation. `balance`: what the first attempt began with, where a state can set it.
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
  for (t.run.attempt++; t.run.attempt < maxAttempts && same < wanted; t.run.attempt++) {
    if (balance !== undefined) await raiseCreditsTo(t, balance).catch(rethrowUnlessNotExercised)
    const next = await attempt(t, check)
    if (next.outcome === 'passed') {
      const lost = check.isRace ? await lostAgain(t, check) : undefined
      if (lost) return lost
      t.run.disturbed ||= t.settings.shared
      return {
        ...next,
        reason: 'failed, then passed when repeated: interference, or a flaky service',
      }
    }
    // If others use the organization, a single reading of a balance shows nothing.
    if (next.outcome !== 'failed') {
      const doubt = { reason: next.reason ?? '', supply: next.supply }
      if (first.delta !== undefined && (t.run.disturbed || (await isMovedByOthers(t, first))))
        return resultOfSuspicion(first, { ...doubt, others: true })
      return first.tentative ? resultWithoutProof(t, first, doubt) : first
    }
    same = showsSame(last, next) ? same + 1 : 1
    last = next
  }
  // Activity of others at regular intervals looks the same each time.
  const isMoved = await isMovedByOthers(t, last)
  if (same >= wanted && !isMoved) return last
  t.run.disturbed ||= t.settings.shared || isMoved
  const { message: reason, supply } = isMoved ? balanceMovedByOthersError() : differs
  return resultWithoutProof(t, last, { reason, supply, ...(isMoved && { others: true }) })
}

const differs = new NotExercised('each attempt had a different result', unsharedOrganizationAdvice)

/**
 * Repeats a race that was lost once and not the next time; if it is lost again, and nobody else is there, that counts.
 */
async function lostAgain(t: TestContext, check: Check): Promise<RequirementResult | undefined> {
  t.run.budget.exceedPlan()
  for (t.run.attempt++; t.run.attempt <= maxAttempts; t.run.attempt++) {
    const next = await attempt(t, check)
    if (next.outcome === 'failed') return (await isCalm(t)) ? next : undefined
  }
  return undefined
}

/** True if a wrong difference of balances may come from others: they were seen, or show while the balance is watched. */
async function isMovedByOthers(t: TestContext, { delta }: RequirementResult): Promise<boolean> {
  if (delta === undefined) return false
  const isMoved = async () =>
    (hasSeenOtherClients(t) && (await isBalanceChangingByItself(t))) ||
    (await areCreditsSpentByOthers(t)) ||
    areTasksRunByOthers(t)
  return isMoved().catch(() => true)
}

async function attempt(t: TestContext, check: Check): Promise<RequirementResult> {
  const started = performance.now()
  const result = await attemptOnce(t, check)
  return { ...result, duration_ms: Math.round(performance.now() - started) }
}

async function attemptOnce(t: TestContext, check: Check): Promise<RequirementResult> {
  try {
    return passedResult(check, (await check.run(t)) || undefined)
  } catch (error) {
    t.run.unreachable ??= t.recorder.unreachable
    // Nothing seen since a service stopped shows anything of it.
    if (t.run.unreachable !== undefined) return resultOfError(check, new NotExercised(t.run.unreachable))
    if (error instanceof Violation && (await isKeyDeletedByOthers(t, error.exchanges.at(-1))))
      return resultOfError(
        check,
        new DisturbedByOthers('keys are deleted by themselves: somebody else deletes them', error),
      )
    if (!(error instanceof Unreachable)) return resultOfError(check, error)
    t.run.unreachable = error.message
    return resultOfError(check, new NotExercised(error.message))
  }
}

/** Called with the result of a check. */
type Conclude = (result: RequirementResult) => void

/** Runs every check in its phase and queue, and reports one result for each. */
export async function runChecks(t: TestContext, checks: readonly Check[], conclude: Conclude): Promise<void> {
  const phases = planPhases(checks)
  const doubtful: Disputed[] = []
  const isUseful = phases.some(({ queues }) => queues.some((one) => one.second && one.inOrder.length > 0))
  const second = isUseful ? await secondOrganization(t) : undefined
  for (const phase of phases) {
    const left = new Map(
      phase.checks.map((check) => [check.id, { check, before: undefined as ParallelAttempt | undefined }]),
    )
    const settle = (result: RequirementResult) => {
      left.delete(result.requirement.id)
      conclude(result)
    }
    const unsettle = (before: ParallelAttempt) => {
      const { id } = before.result.requirement
      const one = left.get(id)
      if (one) left.set(id, { ...one, before })
    }
    await runSideBySide(t, second, phase, settle, unsettle)
    for (const { check, before } of orderedByCause([...left.values()])) {
      const isKnown = before && isConsequence(before.result, t.run.violations)
      const exclusive = isKnown ? before.result : await runCheck(t, check, before)
      if (before && (isMetHere(exclusive, before) || isNotRepeated(exclusive, before)))
        doubtful.push({ check, before: before.result, exclusive })
      else settle(exclusive)
    }
  }
  // Last, for the credits that it may cost.
  for (const { check, before, exclusive } of doubtful) {
    const earlier = { result: before, elsewhere: false }
    const there = second && (await runCheck(second, check, earlier))
    const isMetTwice = there?.outcome === 'failed' && there !== before
    // Somebody else may have used that organization each time.
    const again = second && isMetTwice ? await runCheck(second, check, earlier) : undefined
    conclude(there && (isUndecided(there) || (isMetTwice && again?.outcome !== 'passed')) ? there : exclusive)
  }
}

/**
 * Repeats, with nothing else running, the checks of requirements that the model found violated if another client may
 * have caused that; returns the results that are still violated or suspected.
 */
export async function repeatSuspectedChecks(
  t: TestContext,
  suspects: readonly { readonly check: Check; readonly seen: RequirementResult }[],
): Promise<RequirementResult[]> {
  const results: RequirementResult[] = []
  for (const { check, seen } of suspects) {
    const context = seen.evidence.at(-1)?.caller === 'other' ? t.all[1] : t
    if (!context || isConsequence(seen, t.run.violations)) continue
    const repeated = { ...check, retryOnViolation: true }
    const exclusive = await runCheck(context, repeated, { result: seen, elsewhere: false })
    const result =
      exclusive === seen ? resultWithoutProof(context, seen, { reason: 'not repeated alone' }) : exclusive
    if (isViolated(result) || result.outcome === 'suspected') results.push({ ...result, requirement: check })
  }
  return results
}

/**
 * A check that was violated beside others, and then passed alone in the first organization or could not be tried there.
 */
interface Disputed {
  readonly check: Check
  readonly before: RequirementResult
  readonly exclusive: RequirementResult
}

/** True if what was violated in the second organization was met in the first, which proves nothing of the second. */
const isMetHere = ({ outcome, others }: RequirementResult, { result, elsewhere }: ParallelAttempt): boolean =>
  (outcome === 'passed' || (outcome === 'suspected' && !others)) && elsewhere && result.outcome === 'failed'

/** True if a wrong balance could not be checked again alone, for instance for want of credits. */
const isNotRepeated = ({ outcome, others }: RequirementResult, { result }: ParallelAttempt): boolean =>
  outcome === 'suspected' && !others && result.outcome === 'failed' && result.delta !== undefined

/** Runs each check that may run beside others, once. */
async function runSideBySide(
  t: TestContext,
  second: TestContext | undefined,
  { checks, queues, looksBack }: CheckPhase,
  conclude: Conclude,
  unsettle: (before: ParallelAttempt) => void,
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

/** True if a violation may come from the limits and outages that other checks arrange. */
const isHeldUp = (result: RequirementResult): boolean =>
  isViolated(result) && result.evidence.some(({ status }) => status === 429 || status === 503)

/** True if a result counts although other checks ran at the same time. The second organization may be offered less. */
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
  { together, inOrder }: CheckQueue,
  concurrency: number,
  run: (check: Check) => Promise<void>,
): Promise<void> {
  const limit = pLimit(Math.min(mostTogether, concurrency))
  await Promise.all(together.map((check) => limit(() => run(check))))
  for (const check of inOrder) await run(check)
}
