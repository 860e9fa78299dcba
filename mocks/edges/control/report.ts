/** `/__admin/report`: how clients behave, judged by what the specification asks of them. */
import { z } from 'zod'
import { type FormName, forms } from '../../report-card/render/index.ts'
import { report } from '../../report-card/report.ts'
import { control } from './route.ts'

const names = Object.keys(forms) as [FormName, ...FormName[]]

const query = z.looseObject({
  format: z.enum(names, `takes ${names.join(', ')}`).optional(),
  strict: z.enum(['true', 'false'], 'takes true or false').optional(),
})

/** The first form whose media type the client names; JSON where it has no wish. */
function accepted(accept: string | undefined): FormName {
  const wishes = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase())
  const fits = (wish: string | undefined) => names.find((name) => forms[name].type.split(';')[0] === wish)
  return wishes.map(fits).find((name) => name !== undefined) ?? 'json'
}

export const reportRoutes = [
  control({
    method: 'GET',
    path: '/report',
    summary:
      'The report card of the clients: of one organization, or of all. ?format= or Accept: JSON, text, HTML, Markdown, JUnit.',
    query,
    run({ service, org, query: { format, strict }, request }) {
      const { type, render } = forms[format ?? accepted(request.header('accept'))]
      const card = report(service, org, { strict: strict === 'true' })
      return new Response(render(card), { headers: { 'content-type': type } })
    },
  }),
]
