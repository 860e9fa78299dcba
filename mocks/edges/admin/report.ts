/** `/__admin/report`: how clients behave, judged by what the specification requires of them. */
import { z } from 'zod'
import { type Format, formats, mediaTypes } from '#reporting/formats.ts'
import { reportOf } from '../../control/client-report.ts'
import { control } from './route.ts'

const query = z.looseObject({
  format: z.enum(formats, `takes ${formats.join(', ')}`).optional(),
  strict: z.enum(['true', 'false'], 'takes true or false').optional(),
})

/** The first format whose media type the client accepts by name; otherwise JSON. */
function accepted(accept = ''): Format {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  const fits = (type: string | undefined) => formats.find((name) => mediaTypes[name].split(';')[0] === type)
  return types.map(fits).find((name) => name !== undefined) ?? 'json'
}

export const reportRoutes = [
  control({
    method: 'GET',
    path: '/report',
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
    async run({ service, org, query: { format, strict }, request }) {
      const chosen = format ?? accepted(request.header('accept'))
      const report = reportOf(service, org, { strict: strict === 'true' })
      const { renderClientReport } = await import('#client-tests/presentation.ts')
      const headers = { 'content-type': mediaTypes[chosen] }
      return new Response(renderClientReport(report, chosen), { headers })
    },
  }),
]
