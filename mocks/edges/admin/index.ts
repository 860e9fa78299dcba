/** The control routes, `/__admin`, for operators. Rate limits, faults and the journal do not apply to them. */
import { Hono } from 'hono'
import { anyOf } from '#contract/input/suggestion.ts'
import type { Send } from '../../control/resend.ts'
import type { Bindings, Service } from '../../pipeline/service.ts'
import { unframed } from '../page.ts'
import { eventRoutes } from './events.ts'
import { historyRoutes } from './history.ts'
import { mockRoutes, resetRoutes } from './mock.ts'
import { openapiRoutes } from './openapi.ts'
import { organizationRoutes, sessionRoutes } from './organizations.ts'
import { reportRoutes } from './report.ts'
import { requestRoutes } from './requests.ts'
import type { ControlRoute } from './route.ts'
import { answer, problem } from './route.ts'

/** All control routes, in the order of the documents. */
export const controlRoutes: readonly ControlRoute[] = [
  ...mockRoutes,
  ...reportRoutes,
  ...requestRoutes,
  ...eventRoutes,
  ...organizationRoutes,
  ...historyRoutes,
  ...resetRoutes,
  ...sessionRoutes,
  ...openapiRoutes(() => controlRoutes),
]

/** Whether a path is that of a route. */
function fits({ path }: ControlRoute, given: string): boolean {
  const [wanted, parts] = [path.split('/'), given.split('/')]
  return (
    wanted.length === parts.length && wanted.every((part, i) => part.startsWith(':') || part === parts[i])
  )
}

/** Creates the control routes of a mock. If the edge has a guard, it checks each call first. */
export function createControl(service: Service, send: Send): Hono<{ Bindings: Bindings }> {
  const control = new Hono<{ Bindings: Bindings }>().basePath('/__admin')
  control.use(async (c, next) => {
    const rejection = c.env?.guard?.(c.req)
    if (rejection) c.res = problem(rejection.status, rejection.advice)
    else await next()
    for (const [name, value] of Object.entries(unframed)) c.header(name, value)
  })
  for (const route of controlRoutes)
    control.on(route.method, route.path, (c) => answer(service, route, c, send))
  control.notFound((c) => {
    const path = c.req.path.slice('/__admin'.length)
    const methods = controlRoutes.filter((route) => fits(route, path)).map(({ method }) => method)
    if (methods.length === 0)
      return problem(404, 'No such control route; GET /__admin/openapi.json lists them.')
    const refusal = problem(
      405,
      `/__admin${path} takes ${anyOf([...new Set(methods)])}, not ${c.req.method}.`,
    )
    refusal.headers.set('allow', [...new Set(methods)].join(', '))
    return refusal
  })
  return control
}
