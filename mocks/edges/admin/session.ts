/** `/__admin/login`: a browser session, since the specification shows no way to get one (§5.7). */
import { z } from 'zod'
import { cookieOf } from '../../tenants/credentials.ts'
import { bodyOf, control, Refusal } from './route.ts'

const login = bodyOf({
  organization: z
    .string()
    .min(1)
    .refine((name) => name.isWellFormed())
    .optional()
    .describe('Its name: what comes after `wak_test_`; default: that of the key, or of the demo.'),
})

export const sessionRoutes = [
  control({
    method: 'POST',
    path: '/login',
    summary: 'Log in: sets the session cookie of an organization, by its name or by its key.',
    body: login,
    answer: z.object({ cookie: z.string() }),
    refusals: { 404: 'No such organization.' },
    example: { organization: 'ada' },
    run({ service, org, body }) {
      const { tenants } = service
      const name = body.organization ?? (org && tenants.nameOf(org)) ?? tenants.demoName
      const token = tenants.sessionFor(name)
      if (!tenants.bySession(token)) throw new Refusal(404, 'No such organization.')
      const cookie = cookieOf(token)
      const headers = {
        'content-type': 'application/json',
        'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Lax`,
      }
      return new Response(JSON.stringify({ cookie }), { headers })
    },
  }),
]
