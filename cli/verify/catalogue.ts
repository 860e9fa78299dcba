/** The catalogue, printed without traffic: `--list`, `--plan` and `--explain`. */
import { type JsonSchema, toJsonSchema } from '#contract/openapi/builder.ts'
import { type OperationId, operationAt, routeOf } from '#contract/operation.ts'
import { variants } from '#contract/route.ts'
import sentences from '#contract/sentences.json' with { type: 'json' }
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { readResponseBody } from '#contract-tests/client/answer.ts'
import type { Target } from '#contract-tests/client/target.ts'
import {
  experimentReasons,
  isCheck,
  type Requirement,
  verdictDescriptions,
} from '#contract-tests/harness/requirement.ts'
import { type SuiteSettings, settingsWithDefaults } from '#contract-tests/harness/terms.ts'
import {
  maxAttemptCredits,
  maxPlannedCredits,
  retryReserveCredits,
  retryReserveWithin,
} from '#contract-tests/runner/planned-credits.ts'
import { preflightProblem } from '#contract-tests/runner/preflight.ts'
import { runSuite } from '#contract-tests/runner/run.ts'
import {
  adaptRequirementsToSettings,
  idOfEvidenceCheck,
  omissionReason,
  type RequirementSelection,
  unmetPrerequisiteError,
} from '#contract-tests/runner/selection.ts'
import { createEmbeddedMock } from '#contract-tests/targets/in-process.ts'
import { ruleAnchorsOf } from '#contract-tests/traceability/trace.ts'
import { type Duration, durationFormatAdvice, durationMsOf } from '#mocks/core/clock.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { decodedPathId, sentPathId } from '#traffic/malformed-input.ts'
import { UsageError } from '../files.ts'
import type { GivenOptions } from '../flags.ts'
import { similarRequirementsText } from './options.ts'

/** The text of `verify --list`: the selected requirements, a line each or as JSON. */
export function requirementListText(asJson: boolean, selection: RequirementSelection): string {
  const selected = catalogue.filter((one) => omissionReason(one, selection) === undefined)
  if (asJson) return `${JSON.stringify(selected.map(facts), null, 2)}\n`
  const width = Math.max(...selected.map(({ id }) => id.length))
  return `${selected.map(({ id, level, section, statement }) => `${id.padEnd(width)}  ${level.padEnd(6)}  ${statement} (${section})`).join('\n')}\n`
}

function facts(requirement: Requirement) {
  const { id, level, section, operation, statement } = requirement
  const { needs, cost } = isCheck(requirement) ? requirement : { needs: [], cost: 0 }
  return { id, level, section, operation, statement, needs, cost }
}

/** The reason why a run with these settings would not exercise a requirement; undefined if it would. */
function reasonOf(requirement: Requirement, settings: SuiteSettings): string | undefined {
  const unwanted = omissionReason(requirement, settings)
  if (unwanted) return unwanted.reason
  if (isCheck(requirement))
    return requirement.obstacle?.(settings) ?? unmetPrerequisiteError(settings, requirement)?.message
  const by = idOfEvidenceCheck(requirement)
  const other =
    by === requirement.id
      ? undefined
      : adaptRequirementsToSettings(catalogue, settings).find((one) => one.id === by)
  const missing = other && reasonOf(other, { ...settings, only: [], skip: [] })
  return missing && `${by} would show it, and ${missing}`
}

/**
 * The text of `verify --plan`: what a run with these settings would test. It never reports a requirement as passed.
 */
export function runPlanText(settings: SuiteSettings): string {
  const requirements = adaptRequirementsToSettings(catalogue, settings)
  const rows = requirements.map((requirement) => ({ requirement, reason: reasonOf(requirement, settings) }))
  const planned = rows.filter(({ reason }) => reason === undefined)
  const lines = rows.map(({ requirement: { id }, reason }) =>
    reason === undefined ? `planned      ${id}` : `not planned  ${id}: ${reason}`,
  )
  const most = maxPlannedCredits(settings, requirements)
  const reserve = retryReserveWithin(settings, most)
  const more =
    reserve > 0
      ? `, and ${reserve} more only to repeat what is violated`
      : most > 0
        ? `; none is kept to repeat what is violated (--max-credits ${most + retryReserveCredits} would keep ${retryReserveCredits})`
        : ''
  return `${lines.join('\n')}\n\n${planned.length} of ${rows.length} planned; at most ${most} Work Credits would be spent${more}.\n`
}

interface ServiceSpeed {
  /** ms from a request to its answer. */
  readonly latency: number
  /** The length of a run, such as `2s`. */
  readonly run: Duration
  /** The limit of each key, such as `30/60s`, or `off`. */
  readonly rate: string
}

/**
 * Estimates the duration and the cost of a run with these settings, by running the suite on a mock. Sends nothing to
 * the service.
 */
export async function estimateRun(settings: SuiteSettings, { latency, run, rate }: ServiceSpeed) {
  const variant = settings.variant === 'auto' ? 'first' : settings.variant
  const { target, access } = createEmbeddedMock({ variant, runDuration: run, rateLimit: rate })
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
  const simulated = settingsWithDefaults({ ...settings, ...Object.fromEntries(given), apiKey: access.apiKey })
  const started = target.now()
  await preflightProblem(paced, simulated)
  const { credits } = await runSuite({ target: paced, settings: simulated })
  return { requests, credits: credits.spent, ms: target.now() - started }
}

/**
 * The estimated duration and cost of a run, as one line of text. The latency of the service is measured only if an
 * option asks for it. @throws UsageError for an invalid option.
 */
export async function estimateText(
  given: GivenOptions,
  { baseUrl }: { readonly baseUrl: string | undefined },
  target: Target,
  settings: SuiteSettings,
): Promise<string> {
  const run = given.text('run') ?? '2s'
  const rate = given.text('rate') ?? 'off'
  if (durationMsOf(run) === undefined) throw new UsageError(`--run ${durationFormatAdvice}`)
  if (!/^(?:off|\d+\/\d+(?:ms|s|m|h))$/.test(rate))
    throw new UsageError('--rate takes N/Ws, such as 30/60s, or off')
  const isMeasured = given.text('latency') === 'measure' && baseUrl !== undefined
  const latency = isMeasured ? await measureLatency(target, settings) : given.duration('latency', 0)
  const { requests, credits, ms } = await estimateRun(settings, { latency, run: run as Duration, rate })
  const speed = `answers after ${Math.round(latency)} ms${isMeasured ? ' (measured)' : ''}, runs of ${run}, limit ${rate}`
  return `About ${requests} requests, ${credits} Work Credits and ${Math.ceil(ms / 1_000)} s if every requirement is met, with ${speed}.\n`
}

/** The median latency of a few free requests, ms; 0: none succeeded. */
async function measureLatency(target: Target, { apiKey, headers, timeout }: SuiteSettings): Promise<number> {
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
    await readResponseBody(response)
    times.push(performance.now() - started)
  }
  return times.toSorted((a, b) => a - b)[2] ?? 0
}

const runDuration = '2s'

type Steps = Awaited<ReturnType<typeof stepsOf>>

/**
 * Runs one check alone, with everything supplied. Returns its steps in order, such as `runTask 200` or `set up
 * next_run_fails`; unusual ids, queries and bodies, each once; and the number of requests, the credits and the waits
 * (ms) that it takes.
 */
async function stepsOf(id: string) {
  const { target, access } = createEmbeddedMock({ runDuration })
  const seen: string[] = []
  const sends = new Set<string>()
  let answered = ''
  let [requests, waits] = [0, 0]
  const watched: Target = {
    ...target,
    async transport(url, outgoing) {
      const response = await target.transport(url, outgoing)
      if (url === access.statesUrl) seen.push(stateOf(outgoing.body))
      else requests++
      const operation = operationAt(outgoing.method, new URL(url).pathname)
      if (!operation) return response
      seen.push(`${operation} ${response.status}`)
      for (const one of unusualIn(operation, url, outgoing.body, answered)) sends.add(one)
      const text = await response.clone().text()
      answered += text
      return response
    },
    async sleep(ms, signal) {
      const started = target.now()
      await target.sleep(ms, signal)
      waits += target.now() - started
    },
  }
  const all = { extended: 'on', maxCredits: 20, concurrency: 1, runId: describedRun } as const
  const settings = settingsWithDefaults({ ...access, ...all, only: [id] })
  const { credits } = await runSuite({ target: watched, settings })
  return { lines: counted(seen), sends: [...sends], requests, credits: credits.spent, waits }
}

function stateOf(body = '{}'): string {
  const { state, action, params } = JSON.parse(body) as { state: string; action: string; params?: object }
  if (action !== 'setup') return `tear down ${state}`
  const numbers = Object.entries(params ?? {}).filter(([name]) => name !== 'org_id')
  const shown = numbers.map(([name, value]) => `${name} ${value}`).join(', ')
  return `set up ${state}${shown === '' ? '' : `: ${shown}`}`
}

/** Lines for steps, one for several equal steps in a row. */
function counted(seen: readonly string[]): string[] {
  const groups: { readonly step: string; times: number }[] = []
  for (const step of seen) {
    const last = groups.at(-1)
    if (last?.step === step) last.times++
    else groups.push({ step, times: 1 })
  }
  return groups.map(({ step, times }) => (times === 1 ? step : `${step}, ${times} times`))
}

/** The run id of the run whose requests are described. */
const describedRun = 'run'

/** The mark with which that run makes its texts unique. */
const mark = new RegExp(String.raw` \(${describedRun}-\d+\)`, 'g')

/** Most characters of an id or a body that are shown. */
const longest = 100

/**
 * Descriptions of what is unusual about a request, such as `id %ff`. `answered`: all earlier answers of the service.
 */
function unusualIn(
  operation: OperationId,
  url: string,
  body: string | undefined,
  answered: string,
): string[] {
  const id = sentPathId(operation, url)
  const { search } = new URL(url)
  return [
    ...(id === undefined || isIn(answered, decodedPathId({ operation, url })) ? [] : [`id ${shown(id)}`]),
    ...(search === '' ? [] : [`query ${shown(search.slice(1).replaceAll(/%20\(.*?\)/g, ''))}`]),
    ...(body === undefined || isUsual(body) ? [] : [`body ${shown(body.replaceAll(mark, ''))}`]),
  ]
}

const isIn = (answered: string, id: string | undefined): boolean =>
  id !== undefined && (answered.includes(`"${id}"`) || answered.includes(`:${id},`))

/** True if all texts of a body are short and simple. */
function isUsual(body: string): boolean {
  const value = parseJson(body)
  const texts = Object.values(Object(typeof value === 'string' ? {} : value))
  const isPlain = (one: unknown) => typeof one === 'string' && /^[\w ]{1,60}$/.test(one.replaceAll(mark, ''))
  return !Array.isArray(value) && texts.length > 0 && texts.every(isPlain)
}

/**
 * A text for a terminal: invisible characters are escaped, and of a long text only the start and the length are shown.
 */
function shown(text: string): string {
  const readable = text
    .slice(0, longest)
    .replaceAll(/[\udc80-\udcff]/gu, (one) => `\\x${(one.charCodeAt(0) - 0xdc00).toString(16)}`)
    .replaceAll(/\p{Cc}|\p{Cf}/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (text.length <= longest) return readable === '' ? '(empty)' : readable
  return `${readable.toWellFormed()}… (${text.length.toLocaleString('en')} characters)`
}

/** The requirement with an id, in upper or lower case. @throws UsageError for an unknown id. */
function requirementOf(id: string): Requirement {
  const requirement = catalogue.find((one) => one.id.toLowerCase() === id.toLowerCase())
  if (!requirement) throw new UsageError(`--explain: no requirement "${id}"${similarRequirementsText(id)}`)
  return requirement
}

/**
 * The text of `verify --explain ID`: a requirement, and the steps of its check. @throws UsageError for an unknown id.
 */
export async function explainRequirement(id: string): Promise<string> {
  const requirement = requirementOf(id)
  const steps = isCheck(requirement) ? await stepsOf(requirement.id) : undefined
  const { defectIdsBreaking } = await import('#proof/defects/index.ts')
  return requirementExplanation(requirement.id, defectIdsBreaking(requirement.id), steps)
}

/**
 * Explains a requirement: its texts, the defects that violate it, and the steps of its check. @throws UsageError for an
 * unknown id.
 */
export function requirementExplanation(id: string, defects: readonly string[] = [], steps?: Steps): string {
  const requirement = requirementOf(id)
  const { level, section, statement, operation, verdict, experiment } = requirement
  const { needs, runsInsteadOfState } = isCheck(requirement)
    ? requirement
    : { needs: [], runsInsteadOfState: 0 }
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['Requirement', [statement]],
    ['Rules', ruleAnchorsOf(requirement).map(ruleOf)],
    ['Operation', [operation ?? 'several']],
    ['Fields', operation === null ? [] : fieldLines(operation)],
    ['Judged', [isCheck(requirement) ? 'by requests of its own' : 'from every response of the run']],
    [
      'Verdict',
      [
        `${verdict}: ${verdictDescriptions[verdict]}`,
        ...(experiment ? [`${experiment}: ${experimentReasons[experiment]}`] : []),
      ],
    ],
    ['Steps', steps?.lines ?? []],
    ['Sends', steps?.sends ?? []],
    [
      'Needs',
      [
        needs.length > 0
          ? needs.map(needText).join(', ') +
            (runsInsteadOfState > 0 ? ', or --max-credits 1: a run may bring one' : '')
          : 'a base URL and a key',
      ],
    ],
    ['Costs', [costText(requirement), ...(steps ? [takenText(steps)] : [])]],
    [
      'Proven by',
      defects.length > 0 ? [`the defect${defects.length > 1 ? 's' : ''} ${defects.join(', ')}`] : [],
    ],
  ]
  const lines = rows.flatMap(([label, texts]) =>
    texts.map((text, at) => `  ${(at === 0 ? label : '').padEnd(11)}  ${text}`),
  )
  return [`${level} ${requirement.id} (${section})`, ...lines, ''].join('\n')
}

/** A rule of the specification: its section, its sentence, and where it is. */
function ruleOf(anchor: string): string {
  const { section, sentence } = sentences[anchor as keyof typeof sentences]
  return `${section}: ${sentence} (docs/specification.md#${anchor})`
}

function costText(requirement: Requirement): string {
  const most = isCheck(requirement) ? maxAttemptCredits(requirement) : 0
  if (most === 0) return 'no Work Credits'
  return `up to ${most} Work Credit${most > 1 ? 's' : ''} an attempt, shared with others`
}

const takenText = ({ requests, credits, waits }: Steps) =>
  `tested alone: ${requests} requests, ${credits} Work Credit${credits === 1 ? '' : 's'}, waits of ${(waits / 1_000).toFixed(1)} s where a run takes ${runDuration.replace('s', ' s')}`

function needText(need: string): string {
  const texts: Record<string, string> = {
    other_key: '--other-api-key',
    session: '--session-cookie',
    other_session: '--other-session-cookie',
  }
  return texts[need] ?? `--states-url with the state "${need.replace('state:', '')}"`
}

/** Lines such as `answer: { task: { id: text or number }, finished: true or false }`. */
function fieldLines(operation: OperationId): string[] {
  const { body, query, answer } = routeOf(operation)
  const answers = variants.map((variant) => typeOf(toJsonSchema(answer[variant])))
  const isOne = new Set(answers).size === 1
  return [
    ...(body ? [`body: ${typeOf(toJsonSchema(body))}`] : []),
    ...(query ? [`query: ${typeOf(toJsonSchema(query))}`] : []),
    ...(isOne
      ? [`answer: ${answers[0]}`]
      : answers.map((one, at) => `answer, ${variants[at]} variant: ${one}`)),
  ]
}

/** Types of JSON Schema, in the words of a person. */
const words: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: 'true or false',
  integer: 'number',
}

function typeOf(schema: JsonSchema): string {
  const { type = [], const: only, anyOf, items, properties, required = [] } = schema
  if (only !== undefined) return JSON.stringify(only)
  if (anyOf) return anyOf.map(typeOf).join(' or ')
  if (items) return `[${typeOf(items)}]`
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)}`,
  )
  if (fields.length > 0) return `{ ${fields.join(', ')} }`
  return (
    [type]
      .flat()
      .map((one) => words[one] ?? one)
      .join(' or ') || 'anything'
  )
}
