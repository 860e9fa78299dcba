/** `/__admin/behaviour`: chaos and quirks of an organization that exists. */
import { z } from 'zod'
import { switchBehaviour } from '../../control/behaviour.ts'
import { viewOrganization } from '../../control/live/organization-view.ts'
import { bodyOf, control, ProblemError } from './route.ts'

/** The route of chaos and quirks. */
export const behaviourRoutes = [
  control({
    method: 'PUT',
    path: '/behaviour',
    summary: 'Switch chaos and quirks of an organization until a reset; what it has stays.',
    about: 'organization',
    body: bodyOf({
      strictClient: z
        .union([z.boolean(), z.string(), z.number()], 'takes a seed, ids of quirks, true or false')
        .optional()
        .describe('The seed of quirks, or ids with commas between them; `false`: none.'),
      chaos: z
        .union([z.string(), z.number()], 'takes the share of requests that get a fault')
        .optional()
        .describe('Share of requests that get a random fault, 0 to 1; 0: none.'),
      chaosSeed: z.string().optional().describe('Default: the seed of the mock.'),
    }),
    answer: z.object({ strict_client: z.string().nullable(), chaos: z.number().nullable() }),
    refusals: { 409: 'The key of the organization sets its quirks.' },
    example: { strictClient: 7, chaos: 0.1, chaosSeed: 'again' },
    run({ service, org, body }) {
      const { tenants } = service
      const name = tenants.nameOf(org) ?? ''
      if (body.strictClient !== undefined && (name + tenants.createdWith(name)).includes('.strict-client='))
        throw new ProblemError(409, 'The key of this organization sets its quirks; use another organization.')
      const [problem] = switchBehaviour(service, org, body)
      if (problem) throw new ProblemError(400, `${problem.option}: ${problem.problem}`)
      const { strict_client, chaos } = viewOrganization(service, tenants.tenant(name))
      return { strict_client, chaos }
    },
  }),
]
