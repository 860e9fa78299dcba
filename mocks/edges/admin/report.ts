/** `/__admin/report`: how clients behave, judged by what the specification requires of them; and texts as HTML. */

import { z } from 'zod'
import type { ClientReport } from '#client-tests/client-report.ts'
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { mediaTypeByFormat, type ReportFormat, reportFormats } from '#reporting/formats.ts'
import { outcomes } from '#reporting/outcome.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { readHarExchanges, secretsInRecording } from '#traffic/recording.ts'
import { clientReportOf } from '../../control/controls.ts'
import { ControlRefusal } from '../../core/failure.ts'
import { declareControlRoute } from './route.ts'

const plain = z.enum(['true', 'false'], 'takes true or false').optional().describe('HTML: without its style.')

const query = z.looseObject({
  format: z.enum(reportFormats, `takes ${reportFormats.join(', ')}`).optional(),
  strict: z.enum(['true', 'false'], 'takes true or false').optional(),
  plain,
})

/** Removes styles from HTML, for a page with a style and a policy of its own. Texts stay: their quotes are escaped. */
const withoutStyle = (text: string) =>
  text.replace(/<style>.*?<\/style>/s, '').replaceAll(' style="', ' data-style="')

/** An entry for the example: a request that got no answer. */
const lostRequest = {
  startedDateTime: '2026-03-01T12:00:00Z',
  request: { method: 'GET', url: 'https://staging.example/api/cli/tasks' },
}

/** The largest recording: as large as one that a state is rebuilt from. */
const largestRecording = { bytes: 256 * 1_048_576, values: 10_000_000 }

/** The largest text: the history of a long search. */
const largestText = { bytes: 64 * 1_048_576 }

/** The first format whose media type the client accepts by name; otherwise JSON. */
function accepted(accept = ''): ReportFormat {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  const fits = (type: string | undefined) =>
    reportFormats.find((name) => mediaTypeByFormat[name].split(';')[0] === type)
  return types.map(fits).find((name) => name !== undefined) ?? 'json'
}

/** The control routes of client reports. */
export const reportRoutes = [
  declareControlRoute('GET /report', {
    summary:
      'The report on one client, or on all: as JSON, text, HTML, Markdown or JUnit, by ?format= or by Accept.',
    query,
    answer: z.looseObject({
      schema_version: z.literal(1),
      outcome: z.enum(['passed', 'failed', 'not_exercised']),
      strict: z.boolean(),
      totals: z.record(z.string(), z.int()),
      parts: z.array(z.looseObject({})),
      rules: z.array(z.looseObject({})),
    }),
    async run({ service, org, query: { format, strict, plain }, request }) {
      const chosen = format ?? accepted(request.header('accept'))
      const report = clientReportOf(service, org, { strict: strict === 'true' })
      const { renderClientReport } = await import('#client-tests/presentation.ts')
      const headers = { 'content-type': mediaTypeByFormat[chosen] }
      const text = renderClientReport(report, chosen)
      return new Response(plain === 'true' ? withoutStyle(text) : text, { headers })
    },
  }),
  declareControlRoute('POST /judge', {
    summary: 'Judge a recording: what it says of a service and of its clients, as HTML.',
    about: 'mock',
    query: z.object({ plain }),
    body: z.strictObject({ file: z.looseObject({}).describe('A HAR.') }),
    type: mediaTypeByFormat.html,
    largest: largestRecording,
    example: { file: { log: { entries: [lostRequest] } } },
    async run({ body, query: { plain } }) {
      const text = await renderJudgement(body.file)
      const headers = { 'content-type': mediaTypeByFormat.html }
      return new Response(plain === 'true' ? withoutStyle(text) : text, { headers })
    },
  }),
  declareControlRoute('POST /render', {
    summary:
      'Render a text as HTML: a file with the JSON report of verify or check, a history that --history wrote or a finding of the search.',
    about: 'mock',
    query: z.object({ plain }),
    body: z.strictObject({ text: z.string(), as: z.literal('report').optional() }),
    type: mediaTypeByFormat.html,
    largest: largestText,
    example: {
      text: '{"kind":"request","id":1,"operation":"whoami","tenant":"main","sent":{"place":1,"ms":0},"answer":null}',
    },
    async run({ body, query: { plain } }) {
      const text = await renderFile(body.text)
      const headers = { 'content-type': mediaTypeByFormat.html }
      return new Response(plain === 'true' ? withoutStyle(text) : text, { headers })
    },
  }),
]

/** Judges a recording. @throws ControlRefusal if it is none, or holds nothing of this API. */
async function renderJudgement(har: object): Promise<string> {
  const [
    { createRecordingJudge },
    { verdictLines },
    { suiteSettingsForRecordedTraffic },
    { decompress },
    { renderReport },
  ] = await Promise.all([
    import('../recording/judgement.ts'),
    import('../recording/verdict.ts'),
    import('../recording/terms.ts'),
    import('../recording/decompress.ts'),
    import('#reporting/render/index.ts'),
  ])
  const entries = refusing(() => readHarExchanges(har, { decompress }))
  if (entries.length === 0)
    throw new ControlRefusal(400, 'Nothing in the recording is a request of this API.')
  const terms = {
    source: 'the recording',
    settings: suiteSettingsForRecordedTraffic(),
    strict: false,
    side: 'both',
  } as const
  const judgement = createRecordingJudge(terms)
  for (const entry of entries) {
    judgement.take([entry])
    judgement.relieve()
  }
  judgement.judge()
  const { json, presented } = verdictLines(judgement.sides(), terms, secretsInRecording(entries))
  return renderReport('html', json, presented)
}

/** Calls `read`. @throws ControlRefusal if what it reads is not a recording. */
function refusing<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ControlRefusal(400, `The recording cannot be judged: ${(error as Error).message}.`)
  }
}

/** Renders a report or a history as HTML. @throws ControlRefusal for any other file. */
async function renderFile(file: string): Promise<string> {
  const json = parseJson(file)
  const report = Object(json) as Record<string, unknown>
  try {
    checkOutcomes(report)
    if (Array.isArray(report.requirements)) {
      const { renderConformance } = await import('#contract-tests/report/presentation.ts')
      return renderConformance(json as ConformanceReport, 'html')
    }
    if (Array.isArray(report.rules)) {
      const { renderClientReport } = await import('#client-tests/presentation.ts')
      return renderClientReport(json as ClientReport, 'html')
    }
    const { renderHistory } = await import('#reporting/render/history-html.ts')
    const history = renderHistory(file, json)
    if (history !== undefined) return history
  } catch {
    // A field has another type than in a report.
  }
  throw new ControlRefusal(
    400,
    'This is no report of verify or check (--report json=FILE), and no history (--history FILE).',
  )
}

/** @throws Error for an unknown outcome: outcomes become names of classes in HTML. */
function checkOutcomes({ outcome, rules, requirements }: Record<string, unknown>): void {
  const all = [outcome, ...[rules ?? requirements ?? []].flat().map((one) => Object(one).outcome)]
  const known: readonly unknown[] = [...outcomes, 'incomplete', 'inconclusive', undefined]
  if (!all.every((one) => known.includes(one))) throw new Error('unknown outcome')
}
