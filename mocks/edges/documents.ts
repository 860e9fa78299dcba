/** Everything but the API: the page, documents, images of creatives and control routes. Loaded at the first request for it. */
import { type Context, Hono } from 'hono'
import { renderCreativeSvg } from '../core/creatives.ts'
import { misdirectedAnswer } from '../pipeline/elsewhere.ts'
import { recordKeyOutsideApi } from '../pipeline/serve.ts'
import type { MockParts } from '../pipeline/service.ts'
import type { SendApiRequest } from './admin/route.ts'
import { memoizeSuccessfulLoad } from './fetch.ts'
import { type EdgeBindings, type EdgeRequest, toResponse } from './request.ts'

type PageContext = Context<{ Bindings: EdgeBindings }>

const wantsHtml = (c: Context) => /\btext\/html\b/.test(c.req.header('accept') ?? '')

/**
 * Creates the handler of all requests outside the API: the page, documents, images of creatives and control routes.
 * `send`: sends requests to the API on behalf of operators.
 */
export function createNonApiHandler(service: MockParts, send: SendApiRequest) {
  const app = new Hono<{ Bindings: EdgeBindings }>()
  app.get('/artifacts/:org/:file{.+\\.svg}', (c) => {
    const id = c.req.param('file').slice(0, -'.svg'.length)
    const creative = service.tenants.byId(c.req.param('org'))?.creatives.get(id)
    if (!creative) return c.notFound()
    return c.body(renderCreativeSvg(creative), 200, {
      'content-type': 'image/svg+xml',
      'cache-control': 'no-store',
    })
  })
  const listing = async (c: PageContext) => (await import('./start-page.ts')).startPageResponse(service, c)
  const page = memoizeSuccessfulLoad(async () => (await import('./page.ts')).createPageLoader())
  const ofPage = async (c: PageContext) => (await page())(c)
  app.get('/', async (c) => (wantsHtml(c) ? await ofPage(c) : undefined) ?? listing(c))
  app.get('/__page/*', async (c) => (await ofPage(c)) ?? c.notFound())
  app.get('/__admin', listing)
  app.get('/openapi.json', async (c) => {
    const { openapiDocument } = await import('./start-page.ts')
    return c.json(openapiDocument(service.settings, new URL(c.req.url).origin))
  })
  const control = memoizeSuccessfulLoad(async () =>
    (await import('./admin/index.ts')).createControlHandler(service, send),
  )
  app.all('/__admin/*', async (c) => (await control()).fetch(c.req.raw, c.env))
  app.notFound((c) =>
    c.json(
      { error: 'not_found', message: 'No such path; the API is under /api/cli/, and / lists everything.' },
      404,
    ),
  )
  app.onError((error, c) => {
    service.onBug(error)
    return c.json({ error: 'internal_error', message: 'Unexpected server error.' }, 500)
  })
  const { slots } = service.tenants
  return async (request: EdgeRequest): Promise<Response> => {
    const elsewhere = slots && misdirectedAnswer(request, slots)
    if (elsewhere) return toResponse(elsewhere, request.method)
    const response = await app.fetch(request.toRequest(), { guard: request.guard })
    const [, root, owner = ''] = request.path.split('/')
    if (root !== 'artifacts') return response
    const { status, headers } = response
    const readAnswer = async () => {
      const text = await response.clone().text()
      return { status, headers: Object.fromEntries(headers), text }
    }
    await recordKeyOutsideApi(service, request, service.tenants.existing(owner), readAnswer)
    return response
  }
}
