/** The report of a run as data: what the JSON report holds, and what every other form is rendered from. */
import { z } from 'zod'
import type { Exchange } from '../exchange.ts'
import { outcomes, type Run, totalsOf, type Verdict } from '../outcome.ts'
import { curlOf, shownHeaders } from './curl.ts'
import { redactor, type Secret } from './redact.ts'

const exchange = z.strictObject({
  caller: z.string(),
  operation: z.string(),
  request: z.strictObject({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  }),
  response: z.strictObject({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }),
  duration_ms: z.number(),
  /** Reproduces it; credentials are named, never told. */
  curl: z.string(),
})

const requirement = z.strictObject({
  id: z.string(),
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  section: z.string(),
  operation: z.string().nullable(),
  statement: z.string(),
  outcome: z.enum(outcomes),
  how: z.enum(['observed', 'induced', 'state']),
  reason: z.string().optional(),
  /** What would let it be exercised. */
  supply: z.string().optional(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  evidence: z.array(exchange).optional(),
})

/** The shape of the JSON report. */
export const report = z.strictObject({
  schema_version: z.literal(1),
  suite: z.strictObject({ name: z.string(), version: z.string() }),
  target: z.strictObject({ base_url: z.string(), variant: z.string(), extended: z.string() }),
  run_id: z.string(),
  /** `incomplete`: nothing was exercised, or completeness was required and something was not. */
  outcome: z.enum(['passed', 'failed', 'incomplete']),
  /** Why, in one line each: stale or expired expected failures, findings that count by `--strict`, and so on. */
  problems: z.array(z.string()),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  requests: z.int(),
  totals: z.strictObject(
    Object.fromEntries(outcomes.map((name) => [name, z.int()])) as Record<
      (typeof outcomes)[number],
      z.ZodInt
    >,
  ),
  credits: z.strictObject({ limit: z.number(), spent: z.number() }),
  requirements: z.array(requirement),
  created: z.array(z.strictObject({ operation: z.string(), id: z.string() })),
  /** Keys that the run made and could not delete. */
  left: z.array(z.string()),
})

export type Report = z.output<typeof report>
export type ReportedRequirement = z.output<typeof requirement>
export type ReportedExchange = z.output<typeof exchange>

/** What decides the outcome beside the verdicts. */
export interface Judgement {
  readonly outcome: Report['outcome']
  readonly problems: readonly string[]
}

/** The report of a run, with every secret replaced by its name. */
export function createReport(
  run: Run,
  judgement: Judgement,
  suite: Report['suite'],
  secrets: readonly Secret[],
): Report {
  const safe = redactor(secrets)
  const whole: Report = {
    schema_version: 1,
    suite,
    target: { base_url: run.baseUrl, variant: run.variant, extended: run.extended },
    run_id: run.runId,
    outcome: judgement.outcome,
    problems: [...judgement.problems],
    started_at: run.started_at,
    duration_ms: run.duration_ms,
    requests: run.requests,
    totals: totalsOf(run.verdicts),
    credits: run.credits,
    requirements: run.verdicts.map((verdict) => reported(verdict, safe)),
    created: [...run.created],
    left: [...run.left],
  }
  return safeDeep(whole, safe) as Report
}

function reported(verdict: Verdict, safe: (text: string) => string): ReportedRequirement {
  const { id, level, section, operation, statement } = verdict.requirement
  const { outcome, how, reason, supply, expected, actual } = verdict
  const told = Object.fromEntries(
    Object.entries({ reason, supply, expected, actual }).filter(([, text]) => text !== undefined),
  )
  const evidence = verdict.evidence.map((one) => reportedExchange(one, safe))
  return {
    id,
    level,
    section,
    operation,
    statement,
    outcome,
    how,
    ...told,
    ...(evidence.length > 0 ? { evidence } : {}),
  }
}

/** Longest body that a report shows, characters. */
const longestBody = 4_000

function reportedExchange(one: Exchange, safe: (text: string) => string): ReportedExchange {
  const { method, url, requestBody, status, text } = one
  const cut = (body: string) =>
    body.length > longestBody
      ? `${body.slice(0, longestBody).toWellFormed()}… (${body.length} characters)`
      : body
  const headers = shownHeaders(one)
  return {
    caller: one.caller,
    operation: one.operation,
    request: { method, url, headers, ...(requestBody === undefined ? {} : { body: cut(safe(requestBody)) }) },
    response: { status, headers: withoutCookies(one.headers), body: cut(safe(text)) },
    duration_ms: Math.round(one.duration_ms),
    curl: curlOf(one),
  }
}

function withoutCookies(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name === 'set-cookie' ? '(not shown)' : value]),
  )
}

function safeDeep(value: unknown, safe: (text: string) => string): unknown {
  if (typeof value === 'string') return safe(value)
  if (Array.isArray(value)) return value.map((one) => safeDeep(one, safe))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, safeDeep(one, safe)]))
}

/** `71 passed, 0 failed, … of 81`: the headline, always with its denominator. */
export function headline({ totals, requirements }: Report): string {
  const told = outcomes.filter((name) => totals[name] > 0 || name === 'passed' || name === 'failed')
  return `${told.map((name) => `${totals[name]} ${name.replaceAll('_', ' ')}`).join(', ')}, of ${requirements.length}`
}

/** Requirements of some outcomes. */
export function among(report: Report, ...kinds: ReportedRequirement['outcome'][]): ReportedRequirement[] {
  return report.requirements.filter(({ outcome }) => kinds.includes(outcome))
}
