/** `/__admin/states`: the provider-state protocol, which a real backend can also offer to the suite. */
import { z } from 'zod'
import { stateRequest, states } from '../../control/provider-states.ts'
import { type ControlCall, control, ProblemError } from './route.ts'

type StateCall = ControlCall<z.output<typeof stateRequest>>

/** Returns the organization of the key or of `params.org_id`, which must not differ. */
function organizationOf({ service, org, body }: StateCall) {
  const { org_id } = body.params
  const named = org_id === undefined ? org : service.tenants.byId(String(org_id))
  if (!named)
    throw new ProblemError(400, 'params.org_id: no such organization; send the id that whoami reports.')
  if (org && named !== org)
    throw new ProblemError(
      400,
      'params.org_id: not the organization of the key; omit it, or send the id that whoami reports.',
    )
  return named
}

/** The routes of provider states. */
export const stateRoutes = [
  control({
    method: 'GET',
    path: '/states',
    summary: 'List the provider states that the mock offers.',
    about: 'mock',
    answer: z.object({ states: z.array(z.string()) }),
    run: () => ({ states: Object.keys(states) }),
  }),
  control({
    method: 'POST',
    path: '/states',
    summary: 'Set up or tear down a provider state of an organization.',
    body: stateRequest,
    refusals: { 404: 'The state is not offered.' },
    example: { state: 'credits', params: { org_id: 'org_kbk8kkt0r9wb10m4', credits: 0 }, action: 'setup' },
    run(call) {
      const { state: name, action, params } = call.body
      const state = Object.hasOwn(states, name) ? states[name] : undefined
      if (!state)
        throw new ProblemError(404, `No state "${name}"; the states are ${Object.keys(states).join(', ')}.`)
      const org = organizationOf(call)
      const now = org.clock.now()
      org.settle(now)
      if (action === 'teardown') return state.teardown(org, now)
      const read = state.params.safeParse(params)
      const [issue] = read.error?.issues ?? []
      if (!read.success) throw new ProblemError(400, `params.${issue?.path.join('.')}: ${issue?.message}`)
      return state.setup(org, read.data, now)
    },
  }),
]
