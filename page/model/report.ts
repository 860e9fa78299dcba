/** Reports of any kind in one shape, failures first. */

/** A piece of evidence: one line, and what belongs to it. */
export interface Evidence {
  readonly line: string
  /** The journal id of the request; undefined: it is not in the journal of this mock. */
  readonly request_id?: string
  readonly more?: string
}

/** One rule or requirement. */
export interface Result {
  readonly id: string
  readonly level: string
  readonly section: string
  readonly outcome: string
  readonly statement: string
  readonly texts: readonly (readonly [what: string, text: string])[]
  readonly findings: readonly { readonly text: string; readonly evidence: readonly Evidence[] }[]
}

/** A report. */
export interface Report {
  readonly title: string
  readonly outcome: string
  readonly totals: Readonly<Record<string, number>>
  readonly facts: readonly string[]
  readonly results: readonly Result[]
}

/** Outcomes, the ones to look at first. */
const order = [
  'failed',
  'harness_error',
  'warned',
  'expected_failure',
  'not_exercised',
  'not_applicable',
  'passed',
]

/** Sorts results: failures first. */
const sorted = (results: readonly Result[]): Result[] =>
  results.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome))

interface ClientRule {
  readonly id: string
  readonly level: string
  readonly section: string
  readonly outcome: string
  readonly statement: string
  readonly mend: string
  readonly needs: string
  readonly more_findings: number
  readonly findings: readonly {
    readonly part: string
    readonly what: string
    readonly evidence: readonly {
      readonly request_id: string
      readonly at: string
      readonly method: string
      readonly path: string
      readonly answer: string
    }[]
  }[]
}

/** The client report, as the control route answers it or `check` writes it. */
export interface ClientReport {
  readonly schema_version: 1
  readonly outcome: string
  readonly totals: Readonly<Record<string, number>>
  readonly parts: readonly { readonly id: string; readonly requests: number }[]
  readonly rules: readonly ClientRule[]
}

/** Reads a client report. */
export function readClientReport({ outcome, totals, parts, rules }: ClientReport): Report {
  return {
    title: 'Client report',
    outcome,
    totals,
    facts: parts.map(({ id, requests }) => `${id}: ${requests} requests`),
    results: sorted(rules.map(readRule)),
  }
}

function readRule({ findings, mend, needs, more_findings, ...rule }: ClientRule): Result {
  const { id, level, section, outcome, statement } = rule
  const broken = outcome === 'failed' || outcome === 'warned'
  const texts: [string, string][] = []
  if (broken) texts.push(['to fix it', mend])
  if (outcome === 'not_exercised') texts.push(['needs', needs])
  if (more_findings > 0) texts.push(['more', `${more_findings} more findings`])
  const shown = findings.map(({ part, what, evidence }) => ({
    text: `${part}: ${what}`,
    evidence: evidence.map(({ request_id, at, method, path, answer }) => ({
      line: `${method} ${path} → ${answer}`,
      request_id,
      more: at,
    })),
  }))
  return { id, level, section, outcome, statement, texts, findings: shown }
}

interface Requirement {
  readonly id: string
  readonly level: string
  readonly section: string
  readonly outcome: string
  readonly statement: string
  readonly reason?: string
  readonly supply?: string
  readonly expected?: string
  readonly actual?: string
  readonly evidence?: readonly object[]
}

/** The report of `verify`. */
export interface ConformanceReport {
  readonly schema_version: 1
  readonly outcome: string
  readonly totals: Readonly<Record<string, number>>
  readonly target: { readonly base_url: string; readonly variant: string; readonly extended: string }
  readonly started_at: string
  readonly requests: number
  readonly problems: readonly string[]
  readonly requirements: readonly Requirement[]
}

/** Reads a report of `verify`. */
export function readConformanceReport(report: ConformanceReport): Report {
  const { outcome, totals, target, started_at, requests, problems, requirements } = report
  return {
    title: `Conformance of ${target.base_url}`,
    outcome,
    totals,
    facts: [
      `${target.variant} variant`,
      `extended: ${target.extended}`,
      started_at,
      `${requests} requests`,
      ...problems,
    ],
    results: sorted(requirements.map(readRequirement)),
  }
}

function readRequirement({ evidence = [], reason, supply, expected, actual, ...rule }: Requirement): Result {
  const { id, level, section, outcome, statement } = rule
  const texts = Object.entries({ expected, received: actual, reason, supply })
  const shown = evidence.map((one) => ({ text: '', evidence: [evidenceOf(one as Record<string, unknown>)] }))
  return {
    id,
    level,
    section,
    outcome,
    statement,
    texts: texts.flatMap(([what, text]) => (text === undefined ? [] : [[what, text] as const])),
    findings: shown,
  }
}

function evidenceOf(exchange: Record<string, unknown>): Evidence {
  const { request, response } = exchange as {
    request?: Record<string, unknown>
    response?: Record<string, unknown>
  }
  const { method, url } = request ?? exchange
  const status = response?.status ?? exchange.status ?? 'no answer'
  return { line: `${method} ${url} → ${status}`, more: JSON.stringify(exchange, null, 2) }
}

/** Reads the JSON of a report. @throws Error that says what it should be. */
export function readReport(json: unknown): Report {
  const report = (json ?? {}) as Record<string, unknown>
  if (Array.isArray(report.requirements)) return readConformanceReport(json as ConformanceReport)
  if (Array.isArray(report.rules)) return readClientReport(json as ClientReport)
  throw new Error('This is no JSON report of verify or check; write one with --report json=FILE')
}
