/** `/__admin/organizations`: who was met, and somebody new. */
import { z } from 'zod'
import { keyNameOf, keyOptions } from '../../config/key-options.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import { cookieOf } from '../../tenants/credentials.ts'
import { control, organizationsOf, queryOf, Refusal } from './route.ts'

const credentials = {
  org_id: z.string(),
  name: z.string().describe('As `whoami` reports it.'),
  api_key: z.string(),
  session_cookie: z.string().describe('A `Cookie` header.'),
  credits: z.number(),
}

const view = (service: Service, org: Organization) => {
  const { tenants } = service
  const name = tenants.nameOf(org) ?? ''
  org.settle(org.clock.now())
  return {
    org_id: org.id,
    name: org.name,
    api_key: tenants.keyFor(name),
    session_cookie: cookieOf(tenants.sessionFor(name)),
    credits: org.ledger.balance,
  }
}

const text = z.union([z.string(), z.number()], 'takes a text or a number')

const said = Object.fromEntries(keyOptions.map((option) => [option, text.optional()]))

/** What can be said of it: what a key can say. */
const organization = z.strictObject({
  ...said,
  name: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'takes letters, digits, _ and -, 100 at most')
    .describe('What comes after `wak_test_`.'),
})

export const organizationRoutes = [
  control({
    method: 'GET',
    path: '/organizations',
    summary: 'The organizations that were met so far, with what a client needs to be one of them.',
    query: queryOf({}),
    answer: z.object({ organizations: z.array(z.object(credentials)) }),
    run: (call) => ({ organizations: organizationsOf(call).map((org) => view(call.service, org)) }),
  }),
  control({
    method: 'POST',
    path: '/organizations',
    summary:
      'Make an organization, or find the one that was made so before. What is said of it becomes part of its key.',
    about: 'mock',
    body: organization,
    answer: z.object(credentials),
    refusals: { 409: 'The mock was started with `--keys-only`.' },
    example: { name: 'ada', credits: 3, runOutcome: 'failed' },
    run({ service, body: { name, ...options } }) {
      const { tenants, settings } = service
      if (settings.keysOnly) throw new Refusal(409, 'The keys are fixed by --keys-only.')
      const keyName = keyNameOf(name, options, settings)
      if (Array.isArray(keyName))
        throw new Refusal(400, keyName.map(({ option, problem }) => `${option}: ${problem}`).join('; '))
      return view(service, tenants.organization(keyName))
    },
  }),
]
