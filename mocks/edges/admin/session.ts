/** `/__admin/login`: creates a browser session; the specification shows no login (§5.7). */
import { z } from 'zod'
import { cookieOf, sessionOf } from '../../tenants/credentials.ts'
import { bodyOf, control, ProblemError } from './route.ts'

const login = bodyOf({
  organization: z
    .string()
    .min(1)
    .refine((name) => name.isWellFormed())
    .optional()
    .describe(
      'The name of the organization: the part of its key after `wak_test_`; default: that of the call, or the demo organization.',
    ),
})

/** The route of the login. */
export const sessionRoutes = [
  control({
    method: 'POST',
    path: '/login',
    summary: 'Log in: set the session cookie of an organization, by its name or its key.',
    body: login,
    answer: z.object({ cookie: z.string() }),
    refusals: { 404: 'No such organization.' },
    example: { organization: 'ada' },
    run({ service, org, body }) {
      const { tenants } = service
      const name = body.organization ?? (org && tenants.nameOf(org)) ?? tenants.demoName
      const token = sessionOf(name)
      if (!tenants.bySession(token))
        throw new ProblemError(404, 'No such organization; send the part of its key after "wak_test_".')
      const cookie = cookieOf(token)
      const headers = {
        'content-type': 'application/json',
        'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Lax`,
      }
      return new Response(JSON.stringify({ cookie }), { headers })
    },
  }),
]
