/** A recorded history as a run: what the model says of each requirement, without a request. */
import { routeOf } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { catalogue } from '../catalogue/index.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import type { Requirement } from '../harness/requirement.ts'
import type { Settings } from '../harness/terms.ts'
import {
  judge,
  type ModelEvent,
  type ModelViolation,
  type RequestEvent,
  rules,
  type Verdict,
} from '../model/index.ts'
import { detectExtended, detectVariant } from './detection.ts'
import { leftOut } from './selection.ts'
import { certain } from './watch.ts'

/** What the exchanges of a history stand under, since it holds no address. */
const baseUrl = 'http://history.invalid'

/** Judges a history. `name`: where it comes from. */
export function judgeHistory(history: readonly ModelEvent[], name: string, settings: Settings): SuiteRun {
  const verdict = judge(history, { lag: settings.consistency, patience: settings.runTimeout })
  const exchanges = history.flatMap((event) => (event.kind === 'request' ? (exchangeOf(event) ?? []) : []))
  const counted = certain(verdict.violations, history, exchanges)
  const lost = history.filter((event) => event.kind === 'request' && event.answer === null)
  const moments = history.map(({ sent }) => sent.ms)
  return {
    baseUrl: name,
    runId: 'judge',
    started_at: new Date().toISOString(),
    duration_ms: Math.max(...moments) - Math.min(...moments),
    variant: detectVariant(exchanges),
    extended: detectExtended(exchanges),
    credits: { limit: 0, spent: 0 },
    requests: exchanges.length,
    disturbances: {
      dropped: lost.length,
      gateway: 0,
      waits: 0,
      waited_ms: 0,
      repeats: 0,
    },
    results: catalogue.map((requirement) => resultOf(requirement, verdict, counted, exchanges, settings)),
    history,
    created: [],
    secrets: [],
    left: [],
  }
}

function resultOf(
  requirement: Requirement,
  { violations, tried }: Verdict,
  counted: readonly ModelViolation[],
  exchanges: readonly Exchange[],
  settings: Settings,
): RequirementResult {
  const common = { requirement, how: 'observed', evidence: [] } as const
  const unexercised = (reason: string): RequirementResult => ({ ...common, outcome: 'not_exercised', reason })
  const left = leftOut(requirement, settings)
  if (left !== undefined) return unexercised(left)
  if (!rules.some((rule) => rule.requirement === requirement.id))
    return unexercised('a history alone does not show it')
  const ofIt = (one: ModelViolation) => one.requirement === requirement.id
  const sure = counted.find(ofIt)
  if (sure) {
    const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
    const evidence = exchanges.filter(({ number }) => sure.because.includes(number))
    return { ...common, outcome, expected: sure.expected, actual: sure.actual, evidence }
  }
  const doubtful = violations.find(ofIt)
  if (doubtful)
    return unexercised(
      `expected ${doubtful.expected}; got ${doubtful.actual} (event ${doubtful.because.at(-1)}): another client may have caused it`,
    )
  if (!tried.has(requirement.id)) return unexercised('nothing in the history bears on it')
  return { ...common, outcome: 'passed' }
}

/** An event as an exchange, for the report; undefined where the answer was lost. */
function exchangeOf({
  id,
  operation,
  tenant,
  resource,
  query,
  body,
  sent,
  answer,
}: RequestEvent): Exchange | undefined {
  if (!answer) return undefined
  const { method, path } = routeOf(operation)
  const search = new URLSearchParams(query).toString()
  return {
    number: id,
    operation,
    caller: tenant === null ? 'nobody' : tenant === 'main' ? 'main' : 'other',
    method,
    url: `${baseUrl}${path.replace(':id', encodeURIComponent(resource ?? ''))}${search && `?${search}`}`,
    requestHeaders: {},
    requestBody: body === undefined ? undefined : JSON.stringify(body),
    status: answer.status,
    headers: {},
    text: JSON.stringify(answer.json) ?? '',
    json: answer.json,
    duration_ms: answer.received.ms - sent.ms,
  }
}
