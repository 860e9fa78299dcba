/** `/` for programs and `/__admin` for everybody: lists everything that the mock serves, as HTML or text by `Accept`. */
import type { Context } from 'hono'
import { examples } from '#contract/examples/index.ts'
import { openapi } from '#contract/openapi/document.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { escapeHtml } from '#reporting/markup.ts'
import suite from '../../package.json' with { type: 'json' }
import type { MockSettings } from '../config/options.ts'
import type { MockParts } from '../pipeline/service.ts'
import { cookieHeaderOf, sessionTokenOf } from '../tenants/tenant.ts'
import { controlRoutes } from './admin/index.ts'
import { pageSecurityHeaders, plainHtmlPage } from './page.ts'
import type { EdgeBindings } from './request.ts'

interface Row {
  /** A method and a path, or the name of a value. */
  readonly name: string
  readonly text: string
  /** A path that a browser can open. */
  readonly link?: string
}

type Section = readonly [heading: string, rows: readonly Row[]]

/** The response to `GET /`. Credentials are shown only to callers who may make control calls. */
export function startPageResponse(service: MockParts, c: Context<{ Bindings: EdgeBindings }>): Response {
  const refusal = c.env?.guard?.(c.req)
  const token = c.req.query('token')
  const linked = (rows: readonly Row[]) =>
    token === undefined ? rows : rows.map((row) => withToken(row, token))
  const sections: Section[] = [
    ['Documents', linked(documents)],
    ['Demo organization', refusal ? [{ name: 'credentials', text: refusal.advice }] : credentials(service)],
    ['API', apiRows(service)],
    ['Control routes', linked(controlRows)],
  ]
  const headers = { ...pageSecurityHeaders, 'cache-control': 'no-store', vary: 'Accept' }
  return /\btext\/html\b/.test(c.req.header('accept') ?? '')
    ? c.html(htmlPage(sections), 200, headers)
    : c.text(textPage(sections), 200, headers)
}

const title = `${suite.name} ${suite.version}: mock`

const documents = [
  ['/openapi.json', 'OpenAPI 3.1 of the API.'],
  ['/__admin/openapi.json', 'OpenAPI 3.1 of the control routes.'],
  ['/__admin/report?format=html', 'The report on your client.'],
].map(([link = '', text = '']): Row => ({ name: `GET ${link}`, text, link }))

const controlRows = controlRoutes.map(({ method, path, summary, about }): Row => {
  const link = `/__admin${path}`
  const opens = method === 'GET' && !path.includes(':') && about !== 'organization'
  return { name: `${method} ${link}`, text: summary, ...(opens && { link }) }
})

/** Adds the token that control routes need to the link of a row. */
function withToken(row: Row, token: string): Row {
  if (!row.link?.startsWith('/__admin')) return row
  const mark = row.link.includes('?') ? '&' : '?'
  return { ...row, link: `${row.link}${mark}token=${encodeURIComponent(token)}` }
}

function credentials({ tenants }: MockParts): Row[] {
  const { demoName } = tenants
  return [
    { name: 'API key', text: `Authorization: Bearer ${tenants.keyFor(demoName)}` },
    { name: 'session', text: `Cookie: ${cookieHeaderOf(sessionTokenOf(demoName))}` },
  ]
}

function apiRows({ settings }: MockParts): Row[] {
  return operationIds.flatMap((operation) => {
    const { method, path, set } = routeOf(operation)
    return set === 'extended' && !settings.extended ? [] : [{ name: `${method} ${path}`, text: operation }]
  })
}

function textPage(sections: readonly Section[]): string {
  const blocks = sections.map(([heading, rows]) => {
    const width = Math.max(...rows.map(({ name }) => name.length))
    return [heading, ...rows.map(({ name, text }) => `  ${name.padEnd(width)}  ${text}`)].join('\n')
  })
  return `${[title, ...blocks].join('\n\n')}\n`
}

function htmlPage(sections: readonly Section[]): string {
  const body = sections.map(
    ([heading, rows]) => `<h2>${heading}</h2>\n<dl>\n${rows.map(term).join('\n')}\n</dl>`,
  )
  return plainHtmlPage(title, body.join('\n'))
}

function term({ name, text, link }: Row): string {
  const shown =
    link === undefined ? escapeHtml(name) : `<a href="${escapeHtml(link)}">${escapeHtml(name)}</a>`
  return `<dt>${shown}</dt><dd>${escapeHtml(text)}</dd>`
}

/** The OpenAPI document for the settings of a mock. `server`: the origin that the document names as its server. */
export function openapiDocument({ variant, extended }: MockSettings, server: string): object {
  return openapi({ variant, version: suite.version, examples, server, extended })
}
