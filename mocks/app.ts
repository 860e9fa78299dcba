/** A service that behaves by the contract: Request in, Response out. Everything it knows is in this one value. */
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { operationIds, routeOf } from '#contract/operation.ts'
import type { MockOptions, Settings } from './config/options.ts'
import {
  type Controls,
  controlsOf,
  type OrganizationControls,
  organizationControls,
} from './control/controls.ts'
import { createClock } from './core/clock.ts'
import { draw } from './core/creatives.ts'
import type { OrganizationEvent } from './core/events.ts'
import { Faults } from './faults/faults.ts'
import { withoutWire } from './faults/wire.ts'
import { handlers } from './handlers/index.ts'
import { Journal } from './journal/journal.ts'
import { preconditions } from './pipeline/preconditions.ts'
import { serve } from './pipeline/serve.ts'
import type { Bindings, RequestSummary, Rules, Service } from './pipeline/service.ts'
import { Connections, VirtualConnections } from './pipeline/virtual-connections.ts'
import { readSettings } from './scenarios/settings.ts'
import { authenticate } from './tenants/authenticate.ts'
import { cookieOf } from './tenants/credentials.ts'
import { Tenants } from './tenants/tenants.ts'

/** One mock. Many at once do not meet. */
export interface Mock extends Controls {
  /** Answers a request to any of its routes, whatever the host. Never throws for what a client sends. */
  fetch(request: Request): Promise<Response>
  /** The same, without a promise where the answer is at hand. */
  handle(request: Request, bindings?: Bindings): Response | Promise<Response>
  /** The same control as of the whole mock, of one organization alone: by its name, which is that in its key. */
  organization(name?: string): OrganizationControls
  /** The settings in force. */
  readonly settings: Settings
  /**
   * What a client needs to be one of an organization, which is made when it is first met. Organizations of
   * different names never meet; what is called `other…` belongs to a second one.
   */
  credentials(name?: string): {
    apiKey: string
    otherApiKey: string
    sessionCookie: string
    otherSessionCookie: string
  }
  /** Calls back after every answer of the API; answers a function that stops it. */
  observe(callback: (request: RequestSummary) => void): () => void
  /** Errors of the mock's own since the start. Anything but none is a bug of the mock. */
  readonly bugs: readonly unknown[]
}

/** The rules by which the mock behaves. */
export const rules: Rules = { authenticate, preconditions, handlers }

/**
 * Creates a mock.
 * @throws TypeError that names every option that cannot be used.
 */
export function createMock(options: MockOptions = {}, behaviour: Rules = rules): Mock {
  const settings = readSettings(options)
  if (Array.isArray(settings)) {
    throw new TypeError(settings.map(({ option, problem }) => `${option} ${problem}`).join('; '))
  }
  const clock = createClock(settings.now)
  const bugs: unknown[] = []
  const listeners = new Set<(event: OrganizationEvent) => void>()
  const tell = (event: OrganizationEvent) => {
    for (const listener of listeners) listener(event)
  }
  const faults = new Faults(settings.seed, settings.faults)
  const tenants = new Tenants(clock, settings, tell, (org_id, rules) => faults.found(org_id, rules))
  const service: Service = {
    options,
    get settings() {
      return tenants.settings
    },
    clock,
    tenants,
    faults,
    journal: new Journal(settings.journal),
    connections: new Connections(),
    listeners,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    rules: behaviour,
    observers: new Set<(request: RequestSummary) => void>(),
    bugs,
    onBug(error: unknown) {
      bugs.push(error)
      console.error('The mock failed; this is a bug in it, please report it.', error)
    },
  }
  const app = createApp(service)
  const connections = new VirtualConnections()
  return {
    fetch: (request) => connections.use((connection) => withoutWire(app.fetch(request, { connection }))),
    handle: (request, bindings) => app.fetch(request, bindings),
    ...controlsOf(service),
    organization: (name = service.tenants.demoName) => organizationControls(service, name),
    get settings() {
      return service.settings
    },
    bugs,
    credentials: (name = service.tenants.demoName) => ({
      apiKey: service.tenants.keyFor(name),
      otherApiKey: service.tenants.keyFor(service.tenants.otherThan(name)),
      sessionCookie: cookieOf(service.tenants.sessionFor(name)),
      otherSessionCookie: cookieOf(service.tenants.sessionFor(service.tenants.otherThan(name))),
    }),
    observe(callback) {
      service.observers.add(callback)
      return () => service.observers.delete(callback)
    },
  }
}

function createApp(service: Service): Hono<{ Bindings: Bindings }> {
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
  app.get('/openapi.json', async (c) => {
    const { openapiDocument } = await import('./edges/openapi.ts')
    return c.json(openapiDocument(service.settings, new URL(c.req.url).origin))
  })
  // Loaded when first asked for: the mock is ready sooner and smaller without (docs/decisions/0002).
  let control: Promise<Hono<{ Bindings: Bindings }>> | undefined
  app.all('/__admin/*', async (c) => {
    control ??= import('./edges/admin/index.ts').then(({ createControl }) => createControl(service))
    return (await control).fetch(c.req.raw, c.env)
  })
  // Not a route of its own: where one route alone matches, Hono answers at once, without a promise.
  const answerUnknown = serve(service, null)
  app.notFound((c) =>
    /^\/api\/cli(\/|$)/.test(c.req.path)
      ? answerUnknown(c)
      : c.json({ error: 'not_found', message: 'Nothing here; the API is under /api/cli/.' }, 404),
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
