/** The report of a run as the JSON format holds it; every other format is rendered from it. */
import { z } from 'zod'
import { type Outcome, outcomeCountsOf, outcomes } from '#reporting/outcome.ts'
import { type NamedSecret, SecretRedactor } from '#traffic/redaction.ts'
import { serverErrorsText } from '../fixtures/server-errors.ts'
import type { RequirementResult, SuiteRun } from '../harness/outcome.ts'
import { providerStatesInForce, sharedFixtureTexts } from './arranged.ts'
import { createReportedExchange, evidenceTiming, reportedExchangeSchema } from './exchange.ts'

const requirement = z.strictObject({
  id: z.string(),
  level: z.enum(['MUST', 'SHOULD', 'MAY']),
  section: z.string().describe('The part of the specification that requires it.'),
  operation: z.string().nullable().describe('Null: several operations.'),
  statement: z.string(),
  outcome: z.enum(outcomes),
  how: z
    .enum(['observed', 'induced', 'state'])
    .describe('From the traffic of the run, by requests of its own, or in a provider state.'),
  duration_ms: z
    .int()
    .optional()
    .describe(
      'How long the check took, with evidence that it was the first to need; absent: it was not tried.',
    ),
  reason: z.string().optional().describe('Why the outcome is neither a plain pass nor a plain failure.'),
  supply: z.string().optional().describe('What the operator can supply to have it exercised.'),
  others: z.boolean().optional().describe('Suspected, and others may have caused it.'),
  expected: z.string().optional(),
  actual: z.string().optional(),
  evidence: z.array(reportedExchangeSchema).optional().describe('The exchanges that show it.'),
})

const strength = z.strictObject({
  noticed: z.int().describe('How many of the violations the run would have noticed.'),
  of: z.int().describe('How many violations its answers could have shown.'),
  events: z.int().describe('How many requests and states were altered and judged again, from the first on.'),
  events_of: z.int(),
  requirements: z.record(z.string(), z.int()).describe('How many were noticed first by each requirement.'),
  unnoticed: z.array(
    z.strictObject({
      id: z.string().describe('The violation, such as `listTasks items.*.status stale`.'),
      says: z.string().describe('What such a service does wrong.'),
      shown_by: z.string().describe('What would make it visible.'),
    }),
  ),
})

/** Schema of the JSON report. */
export const conformanceReportSchema = z.strictObject({
  schema_version: z.literal(1),
  suite: z.strictObject({ name: z.string(), version: z.string() }),
  target: z.strictObject({ base_url: z.string(), variant: z.string(), extended: z.string() }),
  run_id: z.string().describe('Marks everything that the run created.'),
  outcome: z
    .enum(['passed', 'failed', 'suspected', 'inconclusive', 'incomplete'])
    .describe(
      'Suspected: a violation was seen and not refuted. Inconclusive: the same, where others may have caused it. Incomplete: nothing was exercised, or completeness was required and something was not.',
    ),
  strict: z.boolean().describe('Whether a SHOULD finding fails the run.'),
  lead: z
    .array(z.string())
    .default([])
    .describe('What a reader must know before anything else, such as that others used the organization.'),
  problems: z.array(z.string()).describe('What explains the outcome beside the requirements.'),
  started_at: z.iso.datetime(),
  duration_ms: z.number(),
  requests: z.int(),
  answers: z
    .record(z.string(), z.int())
    .default({})
    .describe('How many answers had each status, those included after which a request was sent again.'),
  server_errors: z
    .string()
    .optional()
    .describe('How many answers are errors of the service itself, and the first; absent: none.'),
  disturbances: z
    .strictObject({
      dropped: z.int().describe('Requests that got no answer.'),
      gateway: z.int().describe('Answers of 502, 503 or 504 that are not of this API.'),
      waits: z.int(),
      waited_ms: z.number(),
      repeats: z.int().describe('Requests that were sent again.'),
    })
    .describe('What happened between the suite and the service besides answers that are judged.'),
  totals: z.strictObject(
    Object.fromEntries(outcomes.map((name) => [name, z.int()])) as Record<
      (typeof outcomes)[number],
      z.ZodInt
    >,
  ),
  credits: z.strictObject({
    limit: z.number(),
    spent: z.number(),
    perhaps: z
      .number()
      .default(0)
      .describe('What requests may have cost besides whose answers were lost, which no balance has shown.'),
    given: z
      .number()
      .optional()
      .describe('What a provider state gave and requests of the same moment have reserved.'),
  }),
  requirements: z
    .array(requirement)
    .describe('Every requirement of the catalogue in its order, but for those in not_selected.'),
  not_selected: z
    .array(z.strictObject({ flag: z.enum(['--only', '--explore-only']), count: z.int() }))
    .default([])
    .describe('How many requirements a flag left out of the report.'),
  took_along: z
    .array(z.string())
    .default([])
    .describe('What the requirements that --only selects needed besides their own requests.'),
  known_gaps: z
    .array(z.string())
    .default([])
    .describe('Requirements that were known not to be exercised: no gaps where completeness is required.'),
  strength: strength
    .optional()
    .describe(
      'Which violations in its answers the run would have noticed; absent: not measured (--strength).',
    ),
  created: z.array(z.strictObject({ operation: z.string(), id: z.string() })),
  left: z.array(z.string()).describe('Keys that the run made and could not delete.'),
})

/** The text of the JSON Schema (2020-12) of the JSON report. */
export function reportSchemaText(): string {
  const { $schema, ...schema } = z.toJSONSchema(conformanceReportSchema, { target: 'draft-2020-12' })
  return `${JSON.stringify({ $schema, title: 'Report of a conformance run', ...schema }, null, 2)}\n`
}

/** The JSON report on a service. */
export type ConformanceReport = z.output<typeof conformanceReportSchema>
/** The result of one requirement in the JSON report. */
export type ReportedRequirement = z.output<typeof requirement>

/** The verdict on a run: its outcome, whether SHOULD findings count (`strict`), problems and known gaps. */
export interface RunVerdict {
  readonly outcome: ConformanceReport['outcome']
  readonly strict: boolean
  /** Sentences at the head of a report, which its reader must know before the results. */
  readonly lead?: readonly string[]
  readonly problems: readonly string[]
  /** Ids of requirements that are known not to be exercised. */
  readonly knownGaps?: readonly string[]
}

/**
 * The outcome of a run with suspected requirements: `inconclusive` if other clients may have caused all of them;
 * undefined if there are none.
 */
export function outcomeOfSuspicions(
  results: readonly { readonly outcome: Outcome; readonly others?: boolean | undefined }[],
): 'suspected' | 'inconclusive' | undefined {
  const suspected = results.filter(({ outcome }) => outcome === 'suspected')
  if (suspected.length === 0) return undefined
  return suspected.every(({ others }) => others) ? 'inconclusive' : 'suspected'
}

/** The number of answers with each status. */
function answersIn(history: SuiteRun['history']): Record<string, number> {
  const answers = history.flatMap((event) => (event.kind === 'request' && event.answer ? event.answer : []))
  const groups = [...Map.groupBy(answers, ({ status }) => status)]
  return Object.fromEntries(groups.map(([status, those]) => [status, those.length]))
}

function serverErrors(exchanges: SuiteRun['exchanges']): Pick<ConformanceReport, 'server_errors'> {
  const text = serverErrorsText(exchanges ?? [])
  return text === undefined ? {} : { server_errors: text }
}

/** The JSON report on a run, with each secret replaced by its name. */
export function createConformanceReport(
  run: SuiteRun,
  judgement: RunVerdict,
  suite: ConformanceReport['suite'],
  secrets: readonly NamedSecret[],
): ConformanceReport {
  const redaction = new SecretRedactor(secrets, { decode: true })
  const safe = (text: string) => redaction.known(text)
  return {
    schema_version: 1,
    suite,
    target: { base_url: safe(run.baseUrl), variant: run.variant, extended: run.extended },
    run_id: run.runId,
    outcome: judgement.outcome,
    strict: judgement.strict,
    lead: (judgement.lead ?? []).map(safe),
    problems: judgement.problems.map(safe),
    started_at: run.started_at,
    duration_ms: run.duration_ms,
    requests: run.requests,
    answers: answersIn(run.history),
    ...serverErrors(run.exchanges),
    disturbances: { ...run.disturbances },
    totals: outcomeCountsOf(run.results),
    credits: { perhaps: 0, ...run.credits },
    requirements: run.results.map((result) => reported(result, run, safe)),
    not_selected: [...(run.notSelected ?? [])],
    took_along: run.notSelected?.some(({ flag }) => flag === '--only')
      ? sharedFixtureTexts(run.evidence ?? new Map())
      : [],
    known_gaps: [...(judgement.knownGaps ?? [])],
    created: run.created.map(({ operation, id }) => ({ operation, id: safe(id) })),
    left: run.left.map(safe),
  }
}

function reported(
  result: RequirementResult,
  { history, isRecorded }: Pick<SuiteRun, 'history' | 'isRecorded'>,
  safe: (text: string) => string,
): ReportedRequirement {
  const { id, level, section, operation, statement } = result.requirement
  const { outcome, how, reason, supply, others, expected, actual, evidence, duration_ms } = result
  const texts = Object.entries({ reason, supply, expected, actual }).flatMap(([name, text]) =>
    text === undefined ? [] : [[name, safe(short(text))]],
  )
  const order = evidenceTiming(evidence, history)
  const shown = evidence.map((one, i) =>
    createReportedExchange(one, safe, providerStatesInForce(one, history), {
      ...(isRecorded && { number: one.number }),
      ...order[i],
    }),
  )
  return {
    ...{ id, level, section, operation, statement, outcome, how },
    ...(duration_ms === undefined ? {} : { duration_ms }),
    ...Object.fromEntries(texts),
    ...(others && { others }),
    ...(shown.length > 0 ? { evidence: shown } : {}),
  }
}

/** Longest text about a result, characters. */
const longest = 2_000

const short = (text: string) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text)
