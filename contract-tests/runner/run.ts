/** Runs the catalogue: the checks, then the observations of the whole traffic. */
import { nameCreatedKeySecret } from '#traffic/curl.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotExercised, rethrowUnlessNotExercised, Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { readFinalLists, readInitialLists } from '../fixtures/valid-requests.ts'
import { TestContext } from '../harness/context.ts'
import type { OnLongWait } from '../harness/deadlines.ts'
import { createdResourcesIn } from '../harness/operations.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import { isCheck, leavesVerdictToModel, type Requirement } from '../harness/requirement.ts'
import { SuiteRunState, undeletedKeyIds } from '../harness/run-state.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import { balanceRuleIds, createModelState, type ModelViolation } from '../model/index.ts'
import { secretsInExchanges } from '../report/secrets.ts'
import { findWrongChargeViolation } from './charged.ts'
import { cleanUp } from './clean-up.ts'
import { isSentWithAmbiguousKey, mayRestOnProviderState } from './doubts.ts'
import { extendedRouteSupportOf, type JudgedHistory, LiveJudge, variantOfAnswers } from './history.ts'
import { describeGatewayAnswers, discountGatewayViolation } from './in-front.ts'
import { findLostKeyViolation, requirementsThatExplainLostKey } from './lost-keys.ts'
import { maxPlannedCredits } from './planned-credits.ts'
import {
  isConsequence,
  isViolated,
  markAbsentRoutesNotApplicable,
  markConsequencesNotExercised,
  resultOfError,
  trafficResult,
  violatedResult,
  withCompleteEvidence,
} from './results.ts'
import { repeatSuspectedChecks, runChecks } from './schedule.ts'
import { adaptRequirementsToSettings, omissionReason, selectRequirements } from './selection.ts'
import { findRunViolation, type PostRunViolation } from './unmet-runs.ts'
import { replacementResultsFromModel, violatedResultOfSameOperation } from './watch.ts'

/**
 * A listener that is called with each result as soon as it is known, with the number of results so far and their total.
 */
export type ResultListener = (result: RequirementResult, done: number, of: number) => void

/** Inputs of a run of the suite. */
export interface SuiteOptions {
  readonly settings: SuiteSettings
  readonly target: Target
  readonly progress?: ResultListener
  /** Called with each wait that the service asked for, ms. */
  readonly onWait?: (ms: number, isAsked: boolean) => void
  /** Called with the reason when the service asks for a wait that is too long. */
  readonly onNoWait?: (why: string) => void
  readonly onAwait?: OnLongWait
  /** Ends the run early; the keys that it created are deleted nevertheless. */
  readonly signal?: AbortSignal
  readonly requirements?: readonly Requirement[]
}

/** Runs the suite against a service. If it becomes unreachable, the remaining requirements are not exercised. */
export async function runSuite({
  settings,
  target,
  progress,
  onWait,
  onNoWait,
  onAwait,
  signal,
  requirements: wanted = catalogue,
}: SuiteOptions): Promise<SuiteRun> {
  const requirements = adaptRequirementsToSettings(wanted, settings)
  const { selected, along } = selectRequirements(requirements, settings)
  const ids = new Set(selected.map(({ id }) => id))
  const state = new SuiteRunState(settings, maxPlannedCredits(settings, requirements), ids)
  const t = new TestContext({ settings, target, run: state, signal, onWait, onNoWait, onAwait })
  const live = new LiveJudge(t)
  state.objections = () => live.objections()
  state.isExercised = (id) => live.exercised.has(id)
  const started = new Date()
  const results = new Map<string, RequirementResult>()
  const harnessErrors: string[] = []
  let done = 0
  const whole = (result: RequirementResult) =>
    withCompleteEvidence(discountGatewayViolation(result), {
      exchanges: t.recorder.exchanges,
      secrets: secretsOf(t),
    })
  const conclude = (known: RequirementResult) => {
    const result = whole(known)
    const { requirement, outcome, evidence } = result
    const isKnown = results.has(requirement.id)
    if (isKnown && !ids.has(requirement.id)) return
    results.set(requirement.id, result)
    if (outcome === 'failed') state.violations.push({ id: requirement.id, evidence })
    if (ids.has(requirement.id) && !isKnown) progress?.(result, ++done, selected.length)
  }
  /**
   * Objections of the model that others may have caused, where no certain violation of the same operation explains
   * them.
   */
  const suspects = async () => {
    const objections = await state.objections()
    const sent = new Map(t.recorder.exchanges.map((one) => [one.number, one]))
    const seenOf = (requirement: Requirement, isMeant: (one: ModelViolation) => boolean) => {
      const meant = objections.filter((one) => one.requirement === requirement.id && isMeant(one))
      const isArranged = (one: ModelViolation) => mayRestOnProviderState(t, one)
      const objection = meant.find((one) => !isArranged(one)) ?? meant[0]
      if (!objection) return []
      const evidence = objection.evidence.flatMap((number) => sent.get(number) ?? [])
      // A state may not have set a balance to what it was told; of two strings, one may open nothing.
      const tentative =
        (balanceRuleIds.has(objection.rule) && isArranged(objection)) || isSentWithAmbiguousKey(t, objection)
      const delta = isArranged(objection) ? undefined : objection.delta
      return [{ ...violatedResult(requirement, 'observed', objection, evidence), tentative, delta }]
    }
    const sure = selected.flatMap((one) => seenOf(one, ({ attributableToOthers }) => !attributableToOthers))
    const broken = [...results.values(), ...sure].filter(isViolated)
    const isBroken = ({ id }: Requirement) => broken.some(({ requirement }) => requirement.id === id)
    const undecided = selected.filter(isCheck).filter((check) => !isBroken(check))
    return undecided.flatMap((check) => {
      const [seen] = seenOf(check, ({ attributableToOthers }) => attributableToOthers !== false)
      return seen && !violatedResultOfSameOperation(seen.evidence, broken) ? [{ check, seen }] : []
    })
  }
  try {
    for (const requirement of requirements) {
      const omission = omissionReason(requirement, settings)
      if (omission)
        conclude({ requirement, outcome: 'not_exercised', how: 'observed', ...omission, evidence: [] })
    }
    await readInitialLists(t)
    await runChecks(t, [...selected.filter(isCheck), ...along], conclude)
    const note = (error: Error) => {
      if (!(error instanceof Unreachable || error instanceof NotExercised)) harnessErrors.push(error.message)
      return undefined
    }
    await readFinalLists(t).catch(note)
    for (const find of [unmetRun, lostKey, charged]) {
      const unmet = await find(t, [...results.values()]).catch(note)
      const requirement = selected.find(({ id }) => id === unmet?.id)
      if (unmet && requirement)
        results.set(requirement.id, whole(resultOfError(requirement, unmet.violation)))
    }
    const repeated = await suspects()
      .then((all) => repeatSuspectedChecks(t, all))
      .catch(note)
    for (const result of repeated ?? []) conclude(result)
  } finally {
    for (const one of t.all) await cleanUp(one)
  }
  /** Marks a requirement whose plan succeeded, but left the model nothing to judge, as not exercised. */
  const unseen = (requirement: Requirement) => {
    if (results.get(requirement.id)?.outcome === 'passed')
      results.set(
        requirement.id,
        resultOfError(requirement, new NotExercised('no answer of this run exercised it')),
      )
  }
  /** The result of an action, or `fallback` if it throws: whatever the traffic holds, there is a report. */
  const orElse = <T>(fallback: T, action: () => T): T => {
    try {
      return action()
    } catch (error) {
      harnessErrors.push((error as Error).message)
      return fallback
    }
  }
  const nothing: JudgedHistory = {
    history: [],
    violations: [],
    exercised: new Set(),
    state: createModelState(),
  }
  const { history, violations, exercised, state: known } = orElse(nothing, () => live.conclude())
  const direct = violations.filter((one) => one.neverConsequence)
  const seen = { violations: direct, counted: direct, exercised }
  const { outOfStep } = t.recorder
  const taken = t.recorder.exchanges.filter(({ excess }) => excess === undefined)
  const traffic = { exchanges: taken, outOfStep, secrets: secretsOf(t) }
  for (const requirement of selected) {
    if (!isCheck(requirement)) conclude(trafficResult(requirement, seen, traffic, settings))
    else if (leavesVerdictToModel(requirement) && !exercised.has(requirement.id)) unseen(requirement)
  }
  const { exchanges } = t.recorder
  // An answer that no valid request may get counts wherever it is seen.
  const everywhere = { ...settings, only: [] }
  const watched = requirements.filter((one) => omissionReason(one, everywhere) === undefined)
  const found = () =>
    replacementResultsFromModel({
      history,
      violations,
      exchanges,
      results: [...results.values()],
      selected,
      watched,
    }).map(whole)
  for (const result of orElse([], found)) results.set(result.requirement.id, result)
  const isDisturbed = !settings.shared && t.all.some(hasSeenOtherClients)
  return {
    baseUrl: target.baseUrl,
    lead: [...describeGatewayAnswers(t.recorder.exchanges, t.recorder), ...(isDisturbed ? [othersSeen] : [])],
    runId: t.runId,
    started_at: started.toISOString(),
    duration_ms: Date.now() - started.getTime(),
    variant: variantOfAnswers(known),
    extended: extendedRouteSupportOf(t.recorder.exchanges),
    credits: {
      limit: t.budget.limit,
      spent: t.budget.spent,
      perhaps: t.budget.perhaps,
      ...(t.budget.given > 0 && { given: t.budget.given }),
    },
    requests: t.recorder.exchanges.length,
    disturbances: t.recorder.disturbances,
    results: markAbsentRoutesNotApplicable(
      markConsequencesNotExercised(requirements.map(({ id }) => results.get(id) as RequirementResult)),
      t.recorder.exchanges,
      settings,
    ),
    history,
    exchanges: t.recorder.exchanges,
    evidence: state.evidence,
    created: createdResourcesIn(t.recorder.exchanges),
    secrets: [
      ...secretsOf(t).map(({ secret }) => nameCreatedKeySecret(secret)),
      ...secretsInExchanges(t.recorder.exchanges, t.runId),
    ],
    left: t.all.flatMap(({ keys }) => undeletedKeyIds(keys)),
    gaps: gapsOf(t),
    harnessErrors,
    ...(state.unreachable === undefined ? {} : { unreachable: state.unreachable }),
  }
}

/**
 * The violation by runs that are refused or never end, unless a requirement of runs has failed already; failures that
 * follow from refused runs do not count.
 */
async function unmetRun(
  t: TestContext,
  results: readonly RequirementResult[],
): Promise<PostRunViolation | undefined> {
  const refused = [{ id: 'RUN-ACCEPTED', evidence: [] }] as const
  const broken = results.filter((one) => one.outcome === 'failed' && !isConsequence(one, refused))
  return violatedResultOfSameOperation([{ operation: 'runTask' }, { operation: 'getTask' }], broken)
    ? undefined
    : findRunViolation(t)
}

/** The violation by a lost key, unless a requirement of keys has failed already. */
async function lostKey(
  t: TestContext,
  results: readonly RequirementResult[],
): Promise<PostRunViolation | undefined> {
  const isOfKeys = ({ outcome, requirement: { id } }: RequirementResult) =>
    outcome === 'failed' && requirementsThatExplainLostKey.includes(id)
  const violation = results.some(isOfKeys)
    ? undefined
    : await findLostKeyViolation(t).catch(rethrowUnlessNotExercised)
  return violation && { id: 'KEY-WORKS', violation }
}

/** The violation by a free request that is charged for, unless wrong balances were found already. */
async function charged(
  t: TestContext,
  results: readonly RequirementResult[],
): Promise<PostRunViolation | undefined> {
  const isFound = results.some(({ outcome, delta }) => outcome === 'failed' && delta !== undefined)
  return isFound ? undefined : findWrongChargeViolation(t).catch(rethrowUnlessNotExercised)
}

const othersSeen =
  'Somebody else used the organization during the run; test one that nobody else uses, or say --shared.'

function gapsOf({ recorder: { notWaited }, settings }: TestContext): string[] {
  if (notWaited.size === 0) return []
  return [
    `Not waited for as long as Retry-After asked, since that is longer than --retry-limit ${settings.retryLimit / 1_000}s: ${[...notWaited].join(', ')}.`,
  ]
}

const secretsOf = (t: TestContext) => t.all.flatMap(({ secrets }) => secrets)
