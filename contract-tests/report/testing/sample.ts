/** A run with a result of each outcome, and texts that every format escapes in its own way. */

import { type Outcome, outcomes } from '#reporting/outcome.ts'
import type { Report } from '#reporting/report.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { RequirementResult, SuiteRun } from '../../harness/outcome.ts'
import { declareRequirement } from '../../harness/requirement.ts'
import type { RequirementLevel } from '../../harness/terms.ts'
import type { RequirementId } from '../../model/requirement-id.ts'
import { presentConformance } from '../presentation.ts'
import { type ConformanceReport, createConformanceReport, type RunVerdict } from '../report.ts'

/** A text that ends, opens or breaks something in HTML, XML, Markdown, JSON, a shell or a terminal. */
export const hostileText = `<b>&amp;</b> "double" 'single' \`\`\`\` | \\| ]]> <!-- $HOME \u001b[31m\u0007 line\nend ::error:: \ud800 🚀 __proto__`

/** A refused request and its answer, with texts that every report format must escape. */
export const sampleExchange: Exchange = {
  number: 7,
  operation: 'createTask',
  caller: 'main',
  method: 'POST',
  url: `http://service.test/api/cli/tasks/${encodeURIComponent(hostileText.toWellFormed())}?it's=1`,
  requestHeaders: {
    'content-type': 'application/json',
    authorization: 'Bearer the-key-itself',
    'x-request-id': 'verify-7',
    'x-odd': '$(touch /tmp/odd) `id` "quoted" \\ $HOME',
  },
  requestBody: JSON.stringify({ text: hostileText, nul: '@file' }),
  status: 500,
  headers: { 'content-type': 'application/json', 'set-cookie': 'session=the-session-itself' },
  text: JSON.stringify({ error: 'internal_error', message: hostileText }),
  json: { error: 'internal_error', message: hostileText },
  duration_ms: 3.25,
}

const levels: Readonly<Partial<Record<Outcome, RequirementLevel>>> = {
  warned: 'SHOULD',
  not_applicable: 'SHOULD',
}

function resultOf(outcome: Outcome): RequirementResult {
  const id = `SAMPLE-${outcome.toUpperCase().replaceAll('_', '-')}` as string as RequirementId
  const level = levels[outcome] ?? 'MUST'
  const requirement = declareRequirement(level)(id, '§4 Tasks, §7', 'createTask')
    .tests('create-task')
    .states(`It is ${hostileText}`)
    .seen(() => undefined)
  const finding = { expected: `as said: ${hostileText}`, actual: hostileText, evidence: [sampleExchange] }
  const reasoned = { reason: hostileText, supply: '--session-cookie name=value', evidence: [] }
  const details =
    outcome === 'passed'
      ? { evidence: [] }
      : outcome === 'failed' || outcome === 'warned'
        ? finding
        : outcome === 'expected_failure' || outcome === 'suspected'
          ? { ...finding, reason: hostileText }
          : reasoned
  return { requirement, outcome, how: 'observed', ...details }
}

/** A run of the suite with one result of each outcome; `change` replaces parts of it. */
export function sampleRun(change: Partial<SuiteRun> = {}): SuiteRun {
  return {
    baseUrl: 'http://service.test/v1',
    runId: 'verify-sample',
    started_at: '2026-03-01T09:00:00.000Z',
    duration_ms: 1_250,
    variant: 'mixed',
    extended: 'partly',
    credits: { limit: 20, spent: 7 },
    requests: 512,
    disturbances: { dropped: 1, gateway: 2, waits: 3, waited_ms: 4_200, repeats: 5 },
    results: outcomes.map(resultOf),
    history: [],
    created: [{ operation: 'createTask', id: hostileText }],
    secrets: [],
    left: ['key_1'],
    ...change,
  }
}

/** The report on the sample run, as renderers take it. */
export function presentedSample(...parameters: Parameters<typeof sampleReport>): Report {
  return presentConformance(sampleReport(...parameters))
}

/** The report on the sample run. */
export function sampleReport(
  judgement: Partial<RunVerdict> = {},
  change: Partial<SuiteRun> = {},
): ConformanceReport {
  const suite = { name: 'work-agent-contract', version: '1.2.3' }
  const whole: RunVerdict = { outcome: 'failed', strict: false, problems: [hostileText], ...judgement }
  return createConformanceReport(sampleRun(change), whole, suite, [])
}
