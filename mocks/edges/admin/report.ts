/** `/__admin/report`: how clients behave, judged by what the specification requires of them; and texts as HTML. */

import { z } from 'zod'
import type { ClientReport } from '#client-tests/client-report.ts'
import type { ConformanceReport } from '#contract-tests/report/report.ts'
import { type Format, formats, mediaTypes } from '#reporting/formats.ts'
import { outcomes } from '#reporting/outcome.ts'
import { parsed } from '#traffic/json-bounds.ts'
import { reportOf } from '../../control/controls.ts'
import { Refusal } from '../../core/failure.ts'
import { control } from './route.ts'

const plain = z.enum(['true', 'false'], 'takes true or false').optional().describe('HTML: without its style.')

const query = z.looseObject({
  format: z.enum(formats, `takes ${formats.join(', ')}`).optional(),
  strict: z.enum(['true', 'false'], 'takes true or false').optional(),
  plain,
})

/** HTML without style, for a page with a style and a policy of its own. Quotes in texts are escaped, so this meets none. */
const withoutStyle = (text: string) =>
  text.replace(/<style>.*?<\/style>/s, '').replaceAll(' style="', ' data-style="')

/** The largest text: the history of a long search. */
const largestText = { bytes: 64 * 1_048_576 }

/** The first format whose media type the client accepts by name; otherwise JSON. */
function accepted(accept = ''): Format {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  const fits = (type: string | undefined) => formats.find((name) => mediaTypes[name].split(';')[0] === type)
  return types.map(fits).find((name) => name !== undefined) ?? 'json'
}

export const reportRoutes = [
  control('GET /report', {
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
      const report = reportOf(service, org, { strict: strict === 'true' })
      const { renderClientReport } = await import('#client-tests/presentation.ts')
      const headers = { 'content-type': mediaTypes[chosen] }
      const text = renderClientReport(report, chosen)
      return new Response(plain === 'true' ? withoutStyle(text) : text, { headers })
    },
  }),
  control('POST /render', {
    summary:
      'Render a text as HTML: a file with the JSON report of verify or check, a history that --history wrote or a finding of the search; or Markdown.',
    about: 'mock',
    query: z.object({ plain }),
    body: z.strictObject({ text: z.string(), as: z.enum(['report', 'markdown']) }),
    type: mediaTypes.html,
    largest: largestText,
    example: { text: '# Plan', as: 'markdown' },
    async run({ body, query: { plain } }) {
      const { renderMarkdownText } = await import('#reporting/render/html.ts')
      const text = body.as === 'report' ? await renderFile(body.text) : renderMarkdownText(body.text)
      const headers = { 'content-type': mediaTypes.html }
      return new Response(plain === 'true' ? withoutStyle(text) : text, { headers })
    },
  }),
]

/** @throws Refusal if the file is none of these. */
async function renderFile(file: string): Promise<string> {
  const json = parsed(file)
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
    // A field is not what a report has there.
  }
  throw new Refusal(
    400,
    'This is no report of verify or check (--report json=FILE), and no history (--history FILE).',
  )
}

/** Outcomes become names of styles: no other word gets there. */
function checkOutcomes({ outcome, rules, requirements }: Record<string, unknown>): void {
  const all = [outcome, ...[rules ?? requirements ?? []].flat().map((one) => Object(one).outcome)]
  const known: readonly unknown[] = [...outcomes, 'incomplete', undefined]
  if (!all.every((one) => known.includes(one))) throw new Error('unknown outcome')
}
