/** The control routes, `/__admin`: for operators, never limited, faulted or counted. */
import { Hono } from 'hono'
import { Failure } from '../failure.ts'
import { readJsonObject } from '../read-json.ts'
import type { Service } from '../service.ts'
import { stateRequest, states } from '../states.ts'
import { cookieOf } from '../tenancy.ts'

/** An error of the control routes: RFC 9457, so that it cannot be mistaken for one of the API. */
const problem = (status: number, title: string) =>
  new Response(JSON.stringify({ title, status }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  })

/** The control routes of a mock. */
export function createControl(service: Service): Hono {
  const control = new Hono()

  control.get('/health', (c) => c.json({ status: 'healthy', seed: service.world.seed }))

  control.post('/states', async (c) => {
    const body = await readJsonObject(c.req.raw)
    const request = body instanceof Failure ? undefined : stateRequest.safeParse(body).data
    if (!request)
      return problem(
        400,
        'Send { "state": NAME, "params": { "org_id": … }, "action": "setup" | "teardown" }.',
      )
    const state = Object.hasOwn(states, request.state) ? states[request.state] : undefined
    if (!state)
      return problem(404, `No state "${request.state}"; the states are ${Object.keys(states).join(', ')}.`)
    const org = service.tenancy.byId(String(request.params.org_id))
    if (!org) return problem(400, 'params.org_id: no such organization; it is what whoami reports.')
    const now = service.world.clock.now()
    org.settle(now)
    if (request.action === 'teardown') {
      state.teardown(org, now)
    } else {
      const params = state.params.safeParse(request.params)
      if (!params.success) {
        const [issue] = params.error.issues
        return problem(400, `params.${issue?.path.join('.')}: ${issue?.message}`)
      }
      state.setup(org, params.data, now)
    }
    return c.json({ ok: true })
  })

  control.post('/login', async (c) => {
    const body = await readJsonObject(c.req.raw)
    const name = body instanceof Failure ? undefined : Reflect.get(body, 'organization')
    if (name !== undefined && (typeof name !== 'string' || name === '' || !name.isWellFormed())) {
      return problem(400, 'Send { "organization": NAME }, the name in its key wak_test_NAME, or nothing.')
    }
    const token = service.tenancy.sessionFor(name ?? service.tenancy.demoName)
    if (!service.tenancy.bySession(token)) return problem(404, 'No such organization.')
    const cookie = cookieOf(token)
    return c.json({ cookie }, 200, { 'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Lax` })
  })

  control.notFound(() => problem(404, 'No such control route.'))
  return control
}
