/** `/__admin/states`: the provider-state protocol, the same door that a real backend can offer to the suite. */
import { z } from 'zod'
import { stateRequest, states } from '../../control/provider-states.ts'
import { type ControlCall, control, Refusal } from './route.ts'

type StateCall = ControlCall<z.output<typeof stateRequest>>

/** The organization of the key, or that of the protocol's `org_id`; both have to be the same. */
function organizationOf({ service, org, body }: StateCall) {
  const { org_id } = body.params
  const named = org_id === undefined ? org : service.tenants.byId(String(org_id))
  if (!named) throw new Refusal(400, 'params.org_id: no such organization; it is what whoami reports.')
  if (org && named !== org) throw new Refusal(400, 'params.org_id: not the organization of the key.')
  return named
}

export const stateRoutes = [
  control({
    method: 'GET',
    path: '/states',
    summary: 'The provider states that the mock offers.',
    about: 'mock',
    answer: z.object({ states: z.array(z.string()) }),
    run: () => ({ states: Object.keys(states) }),
  }),
  control({
    method: 'POST',
    path: '/states',
    summary: 'Arrange a provider state for an organization, or take it down.',
    body: stateRequest,
    refusals: { 404: 'This state is not offered.' },
    example: { state: 'credits', params: { org_id: 'org_kbk8kkt0r9wb10m4', credits: 0 }, action: 'setup' },
    run(call) {
      const { state: name, action, params } = call.body
      const state = Object.hasOwn(states, name) ? states[name] : undefined
      if (!state)
        throw new Refusal(404, `No state "${name}"; the states are ${Object.keys(states).join(', ')}.`)
      const org = organizationOf(call)
      const now = org.clock.now()
      org.settle(now)
      if (action === 'teardown') return state.teardown(org, now)
      const read = state.params.safeParse(params)
      const [issue] = read.error?.issues ?? []
      if (!read.success) throw new Refusal(400, `params.${issue?.path.join('.')}: ${issue?.message}`)
      return state.setup(org, read.data, now)
    },
  }),
]
