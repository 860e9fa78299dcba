/** Creates a mock: a stateful implementation of the contract that takes a Request and returns a Response. */
import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import { z } from 'zod'
import { checked, listener, sentence } from '#contract/input/checked.ts'
import { operationIds, routeOf } from '#contract/operation.ts'
import { controlsOf, organizationControls } from './control/controls.ts'
import { draw } from './core/creatives.ts'
import { createFetch, loadOnce } from './edges/fetch.ts'
import { handlers } from './handlers/index.ts'
import { type Mock, registerService } from './mock.ts'
import { answerElsewhere, preconditions } from './pipeline/decide.ts'
import { serve } from './pipeline/serve.ts'
import { type Bindings, createService, type Rules, type Service } from './pipeline/service.ts'
import { type MockOptions, readSettings } from './scenarios/index.ts'
import { cookieOf, nameOfKey, sessionOf } from './tenants/tenant.ts'
import { authenticate, type Tenants } from './tenants/tenants.ts'

export type { Mock } from './mock.ts'

/** The default rules of the mock. */
export const defaultRules: Rules = { authenticate, preconditions, handlers }

/**
 * Creates a mock.
 * @param behaviour replaces the default rules, to prove that tests notice.
 * @throws TypeError that names every invalid option.
 */
export function createMock(options: MockOptions = {}, behaviour: Rules = defaultRules): Mock {
  checked('createMock', z.looseObject({}), options)
  const settings = readSettings(options)
  if (Array.isArray(settings)) {
    throw new TypeError(settings.map(({ option, problem }) => `${option} ${problem}`).join('; '))
  }
  const service = createService(options, settings, behaviour, async (recorded, until) => {
    const { rebuild } = await import('./rebuilt.ts')
    const { cors, reasonHeader, organizations, rows } = service.settings
    const kept = { cors, reasonHeader, organizations, rows }
    const create = (options: MockOptions) => createMock({ ...kept, ...options })
    const { mock: rebuilt, notes } = await rebuild(create, recorded, until)
    rebuilt.clock.run()
    return { snapshot: rebuilt.snapshot(), notes }
  })
  const { tenants } = service
  const apps = new Map<boolean, ReturnType<typeof createApp>>()
  /** With CORS or without, as the settings say: a restored snapshot may change them. */
  const handle = (request: Request, bindings?: Bindings): Response | Promise<Response> => {
    const { cors } = service.settings
    const app = apps.get(cors) ?? createApp(service, handle)
    apps.set(cors, app)
    return app.fetch(request, bindings)
  }
  const named = (method: string, name = tenants.demoName) => nameOf(tenants, method, name)
  const mock: Mock = {
    fetch: createFetch(handle),
    handle,
    ...controlsOf(service),
    organization: (name) => organizationControls(service, named('organization', name)),
    get settings() {
      return service.settings
    },
    bugs: service.bugs,
    credentials(given) {
      const name = named('credentials', given)
      const other = tenants.otherThan(name)
      return {
        apiKey: tenants.keyFor(name),
        otherApiKey: tenants.keyFor(other),
        sessionCookie: cookieOf(sessionOf(name)),
        otherSessionCookie: cookieOf(sessionOf(other)),
      }
    },
    observe(notify) {
      const told = checked('observe', listener, notify) as typeof notify
      service.observers.add(told)
      return () => service.observers.delete(told)
    },
  }
  registerService(mock, service)
  return mock
}

/** Of a name or a key. @throws TypeError for what cannot be the name of an organization, such as one with invalid options. */
function nameOf(tenants: Tenants, method: string, given: string): string {
  const text = checked(method, z.string('takes the name of an organization, such as "ada"').min(1), given)
  const name = nameOfKey(text, tenants.settings.keysOnly)
  if (!tenants.isAllowed(name)) throw new TypeError(`${method}: keysOnly has no key of this organization.`)
  const [problem] = tenants.problemsOf(name)
  if (problem) throw new TypeError(`${method}: ${sentence(`${problem.option} ${problem.problem}`)}`)
  return name
}

const wantsHtml = (c: Context) => /\btext\/html\b/.test(c.req.header('accept') ?? '')

/** `handle`: what takes requests on behalf of operators. */
function createApp(
  service: Service,
  handle: (request: Request, bindings?: Bindings) => Response | Promise<Response>,
): Hono<{ Bindings: Bindings }> {
  const app = new Hono<{ Bindings: Bindings }>()
  if (service.settings.cors)
    app.use(
      '/api/cli/*',
      cors({
        origin: (origin) => origin,
        credentials: true,
        exposeHeaders: ['Retry-After', 'Date', 'X-Mock-Reason', 'Preference-Applied'],
      }),
    )
  const { slots } = service.tenants
  if (slots) app.use(async (c, next) => answerElsewhere(c.req, slots) ?? next())
  for (const operation of operationIds) {
    const { method, path } = routeOf(operation)
    app.on(method, path, serve(service, operation))
  }
  app.get('/artifacts/:org/:file{.+\\.svg}', (c) => {
    const id = c.req.param('file').slice(0, -'.svg'.length)
    const creative = service.tenants.byId(c.req.param('org'))?.creatives.get(id)
    if (!creative) return c.notFound()
    return c.body(draw(creative), 200, { 'content-type': 'image/svg+xml', 'cache-control': 'no-store' })
  })
  const listing = async (c: Context<{ Bindings: Bindings }>) =>
    (await import('./edges/start-page.ts')).startPage(service, c)
  const page = loadOnce(async () => (await import('./edges/page.ts')).createPage())
  const ofPage = async (c: Context<{ Bindings: Bindings }>) => (await page())(c)
  app.get('/', async (c) => (wantsHtml(c) ? await ofPage(c) : undefined) ?? listing(c))
  app.get('/__page/*', async (c) => (await ofPage(c)) ?? c.notFound())
  app.get('/__admin', listing)
  app.get('/openapi.json', async (c) => {
    const { openapiDocument } = await import('./edges/start-page.ts')
    return c.json(openapiDocument(service.settings, new URL(c.req.url).origin))
  })
  // Loaded on first use, so that the mock starts faster (docs/decisions/0002).
  const control = loadOnce(async () =>
    (await import('./edges/admin/index.ts')).createControl(service, handle),
  )
  app.all('/__admin/*', async (c) => (await control()).fetch(c.req.raw, c.env))
  // Not a separate route: if only one route matches, Hono responds synchronously.
  const serveUnknown = serve(service, null)
  app.notFound((c) =>
    /^\/api\/cli(\/|$)/.test(c.req.path)
      ? serveUnknown(c)
      : c.json(
          {
            error: 'not_found',
            message: 'No such path; the API is under /api/cli/, and / lists everything.',
          },
          404,
        ),
  )
  app.onError((error) => {
    service.onBug(error)
    return new Response(JSON.stringify({ error: 'internal_error', message: 'Unexpected server error.' }), {
      status: 500,
      headers: { 'content-type': 'application/json' },
    })
  })
  return app
}
