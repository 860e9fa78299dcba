/** `--list` and `--plan`: what the suite requires, and what a run takes, printed without traffic. */
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { readBody } from '#contract-tests/client/answer.ts'
import type { Target } from '#contract-tests/client/target.ts'
import { isProbe, type Requirement } from '#contract-tests/harness/requirement.ts'
import { type Settings, settingsWith } from '#contract-tests/harness/terms.ts'
import { acceptanceOf } from '#contract-tests/model/index.ts'
import { plannedCredits } from '#contract-tests/runner/planned-credits.ts'
import { preflight } from '#contract-tests/runner/preflight.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import { leftOut, type Selection, unmetPrerequisite } from '#contract-tests/runner/selection.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { type Duration, durationAdvice, milliseconds } from '#mocks/core/clock.ts'
import { type Given, UsageError } from '../flags.ts'

/** The selected requirements, a line each or as JSON. */
export function listText(asJson: boolean, selection: Selection): string {
  const selected = catalogue.filter((one) => leftOut(one, selection) === undefined)
  if (asJson) return `${JSON.stringify(selected.map(facts), null, 2)}\n`
  const width = Math.max(...selected.map(({ id }) => id.length))
  return `${selected.map(({ id, level, section, statement }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${statement} (${section})`).join('\n')}\n`
}

function facts(requirement: Requirement) {
  const { id, level, section, operation, statement } = requirement
  const needs = isProbe(requirement) ? requirement.needs : []
  return {
    id,
    level,
    section,
    operation,
    statement,
    needs,
    cost: isProbe(requirement) ? requirement.cost : 0,
  }
}

/** Why a run with these settings would not exercise a requirement; undefined: it would. */
function reasonOf(requirement: Requirement, settings: Settings): string | undefined {
  const unwanted = leftOut(requirement, settings)
  if (unwanted !== undefined) return unwanted
  const { id, operation, shownBy } = requirement
  if (isProbe(requirement))
    return requirement.obstacle?.(settings) ?? unmetPrerequisite(settings, requirement)?.message
  const by = shownBy ?? (operation ? acceptanceOf(operation) : undefined)
  const other = by === undefined || by === id ? undefined : catalogue.find((one) => one.id === by)
  const missing = other && reasonOf(other, { ...settings, only: [], skip: [], shard: undefined })
  return missing && `${by} would show it, and ${missing}`
}

/** What a run with these settings would exercise. It never reports a requirement as passed. */
export function planText(settings: Settings): string {
  const rows = catalogue.map((requirement) => ({ requirement, reason: reasonOf(requirement, settings) }))
  const planned = rows.filter(({ reason }) => reason === undefined)
  const lines = rows.map(({ requirement: { id }, reason }) =>
    reason === undefined ? `planned      ${id}` : `not planned  ${id}: ${reason}`,
  )
  const most = plannedCredits(settings, catalogue)
  return `${lines.join('\n')}\n\n${planned.length} of ${rows.length} planned; at most ${most} Work Credits would be spent.\n`
}

/** How fast a service is. */
interface Pace {
  /** ms from a request to its answer. */
  readonly latency: number
  /** The length of a run, such as `2s`. */
  readonly run: Duration
  /** The limit of each key, such as `30/60s`, or `off`. */
  readonly rate: string
}

/** What a run with these settings takes if every requirement is met. Sends nothing to the service. */
export async function estimateRun(settings: Settings, { latency, run, rate }: Pace) {
  const variant = settings.variant === 'auto' ? 'first' : settings.variant
  const { target, access } = embeddedMock({ variant, runDuration: run, rateLimit: rate })
  let requests = 0
  const paced: Target = {
    ...target,
    async transport(url, outgoing) {
      if (url !== access.statesUrl) requests++
      await target.sleep(latency)
      return target.transport(url, outgoing)
    },
  }
  const given = Object.entries(access).filter(([name]) => settings[name as keyof typeof access])
  const simulated = settingsWith({ ...settings, ...Object.fromEntries(given), apiKey: access.apiKey })
  const started = target.now()
  await preflight(paced, simulated)
  const { credits } = await runSuite({ target: paced, settings: simulated })
  return { requests, credits: credits.spent, ms: target.now() - started }
}

/** The estimate as a line. The latency is measured only on request. @throws UsageError for an invalid pace. */
export async function estimateText(
  given: Given,
  { baseUrl }: { readonly baseUrl: string | undefined },
  target: Target,
  settings: Settings,
): Promise<string> {
  const run = given.text('run') ?? '2s'
  const rate = given.text('rate') ?? 'off'
  if (milliseconds(run) === undefined) throw new UsageError(`--run ${durationAdvice}`)
  if (!/^(?:off|\d+\/\d+(?:ms|s|m|h))$/.test(rate))
    throw new UsageError('--rate takes N/Ws, such as 30/60s, or off')
  const isMeasured = given.text('latency') === 'measure' && baseUrl !== undefined
  const latency = isMeasured ? await measureLatency(target, settings) : given.duration('latency', 0)
  const { requests, credits, ms } = await estimateRun(settings, { latency, run: run as Duration, rate })
  const pace = `answers after ${Math.round(latency)} ms${isMeasured ? ' (measured)' : ''}, runs of ${run}, limit ${rate}`
  return `About ${requests} requests, ${credits} Work Credits and ${Math.ceil(ms / 1_000)} s if every requirement is met, with ${pace}.\n`
}

/** ms from a request to its answer: the median of a few free ones; 0 if there is none. */
async function measureLatency(target: Target, { apiKey, headers, timeout }: Settings): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const started = performance.now()
    const request = {
      method: 'GET',
      headers: { ...headers, authorization: `Bearer ${apiKey}`, accept: 'application/json' },
      signal: AbortSignal.timeout(timeout),
    }
    const url = `${target.baseUrl}/api/cli/whoami`
    const response = await target.transport(url, request).catch(() => undefined)
    if (!response) return 0
    await readBody(response)
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[2] ?? 0
}
