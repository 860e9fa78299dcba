/**
 * Schedules the catalogue and turns what checks come to into verdicts. First what may run side by side, then
 * what must run alone, then what is judged by looking at all of it.
 */
import pLimit from 'p-limit'
import { operationIds, routeOf } from '#contract/operation.ts'
import { type Exchange, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { variantsTold } from '../catalogue/answers.ts'
import { catalogue } from '../catalogue/index.ts'
import { NotApplicable, NotExercised, Unreachable, Violation } from '../client/finding.ts'
import type { Target } from '../client/target.ts'
import { TestContext } from '../harness/context.ts'
import type { How, Run, Verdict } from '../harness/outcome.ts'
import { isProbe, type Observation, type Probe, type Requirement } from '../harness/requirement.ts'
import type { Settings } from '../harness/settings.ts'
import { reportedSecrets } from '../report/secrets.ts'
import { cleanUp } from './clean-up.ts'
import { obstacleTo } from './prerequisites.ts'
import { leftOut } from './selection.ts'

/** Told of each verdict as it falls, with how many there will be. */
export type Progress = (verdict: Verdict, done: number, of: number) => void

export interface Judging {
  readonly settings: Settings
  readonly target: Target
  readonly progress?: Progress
  /** Told of each wait that the service has asked for, ms. */
  readonly onWait?: (ms: number) => void
  /** Ends the run early; keys that it made are deleted all the same. */
  readonly signal?: AbortSignal
  readonly requirements?: readonly Requirement[]
}

/** Judges a service by the catalogue. Where the service stops answering, the rest is not exercised. */
export async function judge({
  settings,
  target,
  progress,
  onWait,
  signal,
  requirements = catalogue,
}: Judging): Promise<Run> {
  const t = new TestContext(settings, target, signal, onWait)
  const started = new Date()
  const verdicts = new Map<string, Verdict>()
  const conclude = (verdict: Verdict) => {
    verdicts.set(verdict.requirement.id, verdict)
    progress?.(verdict, verdicts.size, requirements.length)
  }
  try {
    const selected = requirements.filter((requirement) => {
      const reason = leftOut(requirement, settings)
      if (reason !== undefined)
        conclude({ requirement, outcome: 'not_exercised', how: 'observed', reason, evidence: [] })
      return reason === undefined
    })
    const probes = selected.filter(isProbe)
    const limit = pLimit(settings.concurrency)
    const together = probes.filter(({ alone }) => !alone)
    await Promise.all(together.map((probe) => limit(async () => conclude(await tryProbe(t, probe, signal)))))
    for (const probe of probes.filter(({ alone }) => alone)) conclude(await tryProbe(t, probe, signal))
    for (const requirement of selected) if (!isProbe(requirement)) conclude(look(t, requirement))
  } finally {
    await cleanUp(t)
  }
  return {
    baseUrl: target.baseUrl,
    runId: t.runId,
    started_at: started.toISOString(),
    duration_ms: Date.now() - started.getTime(),
    variant: detectVariant(t.recorder.exchanges),
    extended: detectExtended(t.recorder.exchanges),
    credits: { limit: t.budget.limit, spent: t.budget.spent },
    requests: t.recorder.exchanges.length,
    verdicts: requirements.map(({ id }) => verdicts.get(id) as Verdict),
    created: t.created,
    secrets: [
      ...t.secrets.flatMap(({ secret, others }) => [secret, ...others]),
      ...reportedSecrets(t.recorder.exchanges, t.runId),
    ],
    left: t.keys.map(({ id }) => id ?? 'a key whose id was not told'),
    ...(t.unreachable === undefined ? {} : { unreachable: t.unreachable }),
  }
}

async function tryProbe(t: TestContext, probe: Probe, signal: AbortSignal | undefined): Promise<Verdict> {
  if (signal?.aborted) return verdictOf(probe, new NotExercised('the run was interrupted'))
  const obstacle = obstacleTo(t.settings, probe)
  if (obstacle) return verdictOf(probe, obstacle)
  if (t.unreachable !== undefined) return verdictOf(probe, new NotExercised(t.unreachable))
  t.attempt = 0
  const first = await attempt(t, probe)
  if (first.outcome !== 'failed' || !probe.quiet) return first
  return again(t, probe, first)
}

/** How often a requirement that needs quiet is tried, where each time it seems broken. */
const mostAttempts = 4
/** How often in a row it must come out the same. */
const mostAlike = 3

/**
 * Tries again what somebody else may have disturbed: a violation is one when it comes out the same each time.
 * By how much a balance is off tells them apart: what others do is rarely off by the same amount thrice.
 */
async function again(t: TestContext, probe: Probe, first: Verdict): Promise<Verdict> {
  try {
    let last = first
    let alike = 1
    for (t.attempt = 1; t.attempt < mostAttempts && alike < mostAlike; t.attempt++) {
      const next = await attempt(t, probe)
      if (next.outcome === 'passed') {
        t.disturbed = true
        return { ...next, reason: 'seen broken before and kept this time: the organization was not quiet' }
      }
      // Where others were seen at work, one look at a balance that cannot be repeated shows nothing.
      if (next.outcome !== 'failed') return t.disturbed && first.offBy !== undefined ? next : first
      alike = next.offBy === last.offBy ? alike + 1 : 1
      last = next
    }
    if (alike >= mostAlike) return last
    t.disturbed = true
    return verdictOf(
      probe,
      new NotExercised(
        'each try came out differently: the organization is not quiet',
        'an organization that nobody else uses',
      ),
    )
  } finally {
    t.attempt = 0
  }
}

async function attempt(t: TestContext, probe: Probe): Promise<Verdict> {
  try {
    const note = await probe.check(t)
    return {
      requirement: probe,
      outcome: 'passed',
      how: howOf(probe),
      evidence: [],
      ...(note ? { reason: note } : {}),
    }
  } catch (error) {
    if (!(error instanceof Unreachable)) return verdictOf(probe, error)
    t.unreachable ??= error.message
    return verdictOf(probe, new NotExercised(error.message))
  }
}

function look(t: TestContext, observation: Observation): Verdict {
  const variant = t.settings.variant === 'auto' ? undefined : t.settings.variant
  try {
    observation.observe({ exchanges: t.recorder.exchanges, secrets: t.secrets, variant })
    return { requirement: observation, outcome: 'passed', how: 'observed', evidence: [] }
  } catch (error) {
    return verdictOf(observation, error)
  }
}

function verdictOf(requirement: Requirement, error: unknown): Verdict {
  const how = howOf(requirement)
  if (error instanceof Violation) {
    const { expected, actual, exchanges } = error
    const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
    return { requirement, outcome, how, expected, actual, evidence: exchanges, offBy: error.offBy }
  }
  if (error instanceof NotExercised) {
    const supply = error.supply === undefined ? {} : { supply: error.supply }
    return { requirement, outcome: 'not_exercised', how, reason: error.message, ...supply, evidence: [] }
  }
  if (error instanceof NotApplicable)
    return { requirement, outcome: 'not_applicable', how, reason: error.message, evidence: [] }
  const { message, stack } = error as Error
  return {
    requirement,
    outcome: 'harness_error',
    how,
    reason: `fault of the suite: ${message}`,
    evidence: [],
    stack: stack ?? message,
  }
}

function howOf(requirement: Requirement): How {
  if (!isProbe(requirement)) return 'observed'
  return requirement.needs.some((need) => need.startsWith('state:')) ? 'state' : 'induced'
}

function detectVariant(exchanges: readonly Exchange[]): Run['variant'] {
  const { common, told } = variantsTold(exchanges)
  if (told.length === 0) return 'unknown'
  return [...common][0] ?? 'mixed'
}

function detectExtended(exchanges: readonly Exchange[]): Run['extended'] {
  const extended = operationIds.filter((id) => routeOf(id).set === 'extended')
  const offered = extended.filter((id) => exchanges.some((one) => one.operation === id && isAccepted(one)))
  const absent = extended.filter(
    (id) => !offered.includes(id) && exchanges.some((one) => one.operation === id && isAbsent(one)),
  )
  if (offered.length > 0) return absent.length > 0 ? 'partly' : 'offered'
  return absent.length > 0 ? 'absent' : 'unknown'
}
