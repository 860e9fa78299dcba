/** `/__admin/report`: how clients behave, judged by what the specification asks of them. */
import { z } from 'zod'
import { type FormName, formNames, forms } from '#client-tests/forms.ts'
import { reportOf } from '../../control/client-report.ts'
import { control } from './route.ts'

const query = z.looseObject({
  format: z.enum(formNames, `takes ${formNames.join(', ')}`).optional(),
  strict: z.enum(['true', 'false'], 'takes true or false').optional(),
})

/** The first form whose media type the client names; JSON where it names none. */
function accepted(accept = ''): FormName {
  const types = accept.split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  const fits = (type: string | undefined) => formNames.find((name) => forms[name].split(';')[0] === type)
  return types.map(fits).find((name) => name !== undefined) ?? 'json'
}

export const reportRoutes = [
  control({
    method: 'GET',
    path: '/report',
    summary:
      'The report card of a client, or of all: as JSON, text, HTML, Markdown or JUnit, by ?format= or by Accept.',
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
      const form = format ?? accepted(request.header('accept'))
      const card = reportOf(service, org, { strict: strict === 'true' })
      const { renderers } = await import('#client-tests/render/index.ts')
      return new Response(renderers[form](card), { headers: { 'content-type': forms[form] } })
    },
  }),
]
