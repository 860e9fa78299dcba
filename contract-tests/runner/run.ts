/** Runs the catalogue: the checks, then the observations of the whole traffic. */
import { createdSecret } from '#traffic/curl.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotExercised, skip, Unreachable } from '../client/check-errors.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import type { OnAwait } from '../harness/deadlines.ts'
import { createdIn } from '../harness/operations.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import { isCheck, type Requirement } from '../harness/requirement.ts'
import { keysLeft, RunState } from '../harness/run-state.ts'
import type { Settings } from '../harness/terms.ts'
import { type ModelViolation, newState } from '../model/index.ts'
import { reportedSecrets } from '../report/secrets.ts'
import { findCharged } from './charged.ts'
import { cleanUp } from './clean-up.ts'
import { detectExtended, type Judged, LiveJudge, variantIn } from './history.ts'
import { findLostKey } from './lost-keys.ts'
import { plannedCredits } from './planned-credits.ts'
import {
  failed,
  isViolated,
  observed,
  resultOf,
  withOrigins,
  withoutAbsent,
  withoutConsequences,
} from './results.ts'
import { repeatSuspects, runChecks } from './schedule.ts'
import { leftOut, selectionOf, testable } from './selection.ts'
import { findUnmet, type Unmet } from './unmet-runs.ts'
import { isBlamed, watch } from './watch.ts'

/** Called with the result of each selected requirement as it is known, with the number so far and the total. */
export type Progress = (result: RequirementResult, done: number, of: number) => void

export interface SuiteOptions {
  readonly settings: Settings
  readonly target: Target
  readonly progress?: Progress
  /** Called with each wait that the service asked for, ms. */
  readonly onWait?: (ms: number) => void
  /** Called with why a wait that the service asked for is not waited for. */
  readonly onNoWait?: (why: string) => void
  readonly onAwait?: OnAwait
  /** Ends the run early; the keys that it created are deleted nevertheless. */
  readonly signal?: AbortSignal
  readonly requirements?: readonly Requirement[]
}

/** Tests a service against the catalogue. If it becomes unreachable, the remaining requirements are not exercised. */
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
  const requirements = testable(wanted, settings)
  const { selected, along } = selectionOf(requirements, settings)
  const ids = new Set(selected.map(({ id }) => id))
  const state = new RunState(settings, plannedCredits(settings, requirements), ids)
  const t = new TestContext({ settings, target, run: state, signal, onWait, onNoWait, onAwait })
  const live = new LiveJudge(t)
  state.objections = () => live.objections()
  const started = new Date()
  const results = new Map<string, RequirementResult>()
  const harnessErrors: string[] = []
  let done = 0
  const whole = (result: RequirementResult) =>
    withOrigins(result, { exchanges: t.recorder.exchanges, secrets: secretsOf(t) })
  const conclude = (known: RequirementResult) => {
    const result = whole(known)
    const { requirement, outcome, evidence } = result
    const isKnown = results.has(requirement.id)
    if (isKnown && !ids.has(requirement.id)) return
    results.set(requirement.id, result)
    if (outcome === 'failed') state.violations.push({ id: requirement.id, evidence })
    if (ids.has(requirement.id) && !isKnown) progress?.(result, ++done, selected.length)
  }
  /** What the model objects to and others may have caused, where no certain violation of the same operation explains it. */
  const suspects = async () => {
    const objections = await state.objections()
    const sent = new Map(t.recorder.exchanges.map((one) => [one.number, one]))
    const seenOf = (requirement: Requirement, isMeant: (one: ModelViolation) => boolean) => {
      const objection = objections.find((one) => one.requirement === requirement.id && isMeant(one))
      const evidence = objection?.because.flatMap((number) => sent.get(number) ?? []) ?? []
      return objection ? [failed(requirement, 'observed', objection, evidence)] : []
    }
    const sure = selected.flatMap((one) => seenOf(one, ({ others }) => !others))
    const broken = [...results.values(), ...sure].filter(isViolated)
    return selected.filter(isCheck).flatMap((check) => {
      const [seen] = seenOf(check, ({ others }) => others !== false)
      return seen && !isBlamed(seen.evidence, broken) ? [{ check, seen }] : []
    })
  }
  try {
    for (const requirement of requirements) {
      const reason = leftOut(requirement, settings)
      if (reason !== undefined)
        conclude({ requirement, outcome: 'not_exercised', how: 'observed', reason, evidence: [] })
    }
    await runChecks(t, [...selected.filter(isCheck), ...along], conclude)
    const note = (error: Error) => {
      if (!(error instanceof Unreachable)) harnessErrors.push(error.message)
      return undefined
    }
    for (const find of [unmetRun, lostKey, charged]) {
      const unmet = await find(t, [...results.values()]).catch(note)
      const requirement = selected.find(({ id }) => id === unmet?.id)
      if (unmet && requirement) results.set(requirement.id, whole(resultOf(requirement, unmet.violation)))
    }
    const repeated = await suspects()
      .then((all) => repeatSuspects(t, all))
      .catch(note)
    for (const result of repeated ?? []) conclude(result)
  } finally {
    for (const one of t.all) await cleanUp(one)
  }
  /** A plan that went well, after which the model had nothing to judge. */
  const unseen = (requirement: Requirement) => {
    if (results.get(requirement.id)?.outcome === 'passed')
      results.set(requirement.id, resultOf(requirement, new NotExercised('no answer bore on it')))
  }
  /** Whatever the traffic holds, there is a report. */
  const orElse = <T>(fallback: T, action: () => T): T => {
    try {
      return action()
    } catch (error) {
      harnessErrors.push((error as Error).message)
      return fallback
    }
  }
  const nothing: Judged = { history: [], violations: [], tried: new Set(), state: newState() }
  const { history, violations, tried, state: known } = orElse(nothing, () => live.conclude())
  const direct = violations.filter((one) => one.direct)
  const seen = { violations: direct, counted: direct, tried }
  const { outOfStep } = t.recorder
  const taken = t.recorder.exchanges.filter(({ excess }) => excess === undefined)
  const traffic = { exchanges: taken, outOfStep, secrets: secretsOf(t) }
  for (const requirement of selected) {
    if (!isCheck(requirement)) conclude(observed(requirement, seen, traffic, settings))
    else if (requirement.isJudged && !tried.has(requirement.id)) unseen(requirement)
  }
  const { exchanges } = t.recorder
  // What a valid request may never be answered counts wherever it is seen.
  const everywhere = { ...settings, only: [], shard: undefined }
  const watched = requirements.filter((one) => leftOut(one, everywhere) === undefined)
  const found = () =>
    watch({ history, violations, exchanges, results: [...results.values()], selected, watched }).map(whole)
  for (const result of orElse([], found)) results.set(result.requirement.id, result)
  return {
    baseUrl: target.baseUrl,
    runId: t.runId,
    shard: settings.shard,
    started_at: started.toISOString(),
    duration_ms: Date.now() - started.getTime(),
    variant: variantIn(known),
    extended: detectExtended(t.recorder.exchanges),
    credits: { limit: t.budget.limit, spent: t.budget.spent },
    requests: t.recorder.exchanges.length,
    disturbances: t.recorder.disturbances,
    results: withoutAbsent(
      withoutConsequences(requirements.map(({ id }) => results.get(id) as RequirementResult)),
      t.recorder.exchanges,
      settings,
    ),
    history,
    exchanges: t.recorder.exchanges,
    evidence: [...state.evidence],
    created: createdIn(t.recorder.exchanges),
    secrets: [
      ...secretsOf(t).map(({ secret }) => createdSecret(secret)),
      ...reportedSecrets(t.recorder.exchanges, t.runId),
    ],
    left: t.all.flatMap(({ keys }) => keysLeft(keys)),
    gaps: gapsOf(t),
    harnessErrors,
    ...(state.unreachable === undefined ? {} : { unreachable: state.unreachable }),
  }
}

/** Runs that are refused or never end, unless a requirement has failed at runs already. */
async function unmetRun(t: TestContext, results: readonly RequirementResult[]): Promise<Unmet | undefined> {
  const broken = results.filter(({ outcome }) => outcome === 'failed')
  return isBlamed([{ operation: 'runTask' }, { operation: 'getTask' }], broken) ? undefined : findUnmet(t)
}

/** A key that was lost, unless a requirement of keys has failed already. */
async function lostKey(t: TestContext, results: readonly RequirementResult[]): Promise<Unmet | undefined> {
  const isOfKeys = ({ outcome, requirement: { id } }: RequirementResult) =>
    outcome === 'failed' && id.startsWith('KEY-')
  const violation = results.some(isOfKeys) ? undefined : await findLostKey(t).catch(skip)
  return violation && { id: 'KEY-WORKS', violation }
}

/** A free request that is charged for, unless wrong balances were found already. */
async function charged(t: TestContext, results: readonly RequirementResult[]): Promise<Unmet | undefined> {
  const isFound = results.some(({ outcome, delta }) => outcome === 'failed' && delta !== undefined)
  return isFound ? undefined : findCharged(t).catch(skip)
}

function gapsOf({ recorder: { notWaited }, settings }: TestContext): string[] {
  if (notWaited.size === 0) return []
  return [
    `Not waited for as long as Retry-After asked, since that is longer than --retry-limit ${settings.retryLimit / 1_000}s: ${[...notWaited].join(', ')}.`,
  ]
}

const secretsOf = (t: TestContext) => t.all.flatMap(({ secrets }) => secrets)
