/** `/__admin/states`: the provider-state protocol, the same door that a real backend can offer to the suite. */
import { z } from 'zod'
import { stateRequest, states } from '../../states.ts'
import { control, Refusal } from './route.ts'

export const stateRoutes = [
  control({
    method: 'GET',
    path: '/states',
    summary: 'The provider states that the mock offers.',
    run: () => ({ states: Object.keys(states) }),
  }),
  control({
    method: 'POST',
    path: '/states',
    summary: 'Arrange a provider state for an organization, or take it down.',
    body: z.unknown(),
    run({ service, body }) {
      const request = stateRequest.safeParse(body).data
      if (!request)
        throw new Refusal(
          400,
          'Send { "state": NAME, "params": { "org_id": … }, "action": "setup" | "teardown" }.',
        )
      const state = Object.hasOwn(states, request.state) ? states[request.state] : undefined
      if (!state)
        throw new Refusal(
          404,
          `No state "${request.state}"; the states are ${Object.keys(states).join(', ')}.`,
        )
      const org = service.tenancy.byId(String(request.params.org_id))
      if (!org) throw new Refusal(400, 'params.org_id: no such organization; it is what whoami reports.')
      const now = org.clock.now()
      org.settle(now)
      if (request.action === 'teardown') return state.teardown(org, now)
      const params = state.params.safeParse(request.params)
      const [issue] = params.error?.issues ?? []
      if (!params.success) throw new Refusal(400, `params.${issue?.path.join('.')}: ${issue?.message}`)
      return state.setup(org, params.data, now)
    },
  }),
]
