/** `/__admin/organizations`: lists and creates organizations. */
import { z } from 'zod'
import { fields } from '#contract/input/checked.ts'
import { keyNameOf, keyOptions } from '../../config/key-options.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import { readSettings } from '../../scenarios/settings.ts'
import { cookieOf, sessionOf } from '../../tenants/credentials.ts'
import { control, organizationsOf, ProblemError, queryOf } from './route.ts'

/** Fields of an organization and of its credentials. */
export const credentials = {
  org_id: z.string(),
  name: z.string().describe('As `whoami` reports it.'),
  api_key: z.string(),
  session_cookie: z.string().describe('The value of the `Cookie` header.'),
  credits: z.number(),
}

/** Returns an organization with its credentials. */
export function viewCredentials(service: Service, org: Organization) {
  const { tenants } = service
  const name = tenants.nameOf(org) ?? ''
  org.settle(org.clock.now())
  return {
    org_id: org.id,
    name: org.name,
    api_key: tenants.keyFor(name),
    session_cookie: cookieOf(sessionOf(name)),
    credits: org.ledger.balance,
  }
}

const text = z.union([z.string(), z.number()], 'takes a text or a number')

const optionFields = Object.fromEntries(keyOptions.map((option) => [option, text.optional()]))

/** The options that a key can set. */
const organization = fields({
  ...optionFields,
  name: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'takes at most 100 letters, digits, _ and -')
    .describe('The part of the key after `wak_test_`.'),
})

/** The routes of organizations. */
export const organizationRoutes = [
  control({
    method: 'GET',
    path: '/organizations',
    summary: 'List the organizations created so far, with their credentials.',
    query: queryOf({}),
    answer: z.object({ organizations: z.array(z.object(credentials)) }),
    run: (call) => ({
      organizations: organizationsOf(call).map((org) => viewCredentials(call.service, org)),
    }),
  }),
  control({
    method: 'POST',
    path: '/organizations',
    summary:
      'Create an organization, or return the existing one with this name and these options, which it also has after a reset. Its key is `wak_test_` and the name.',
    about: 'mock',
    body: organization,
    answer: z.object(credentials),
    refusals: {
      409: 'The organization exists already, with other options, or the mock was started with `--keys-only`.',
    },
    example: { name: 'ada', credits: 3, runOutcome: 'failed' },
    run({ service, body: { name, ...options } }) {
      const { tenants, settings } = service
      if (settings.keysOnly)
        throw new ProblemError(
          409,
          'No organization can be created: --keys-only fixes the keys. Start the mock without it.',
        )
      const keyName = keyNameOf(name, options, settings, readSettings)
      if (Array.isArray(keyName))
        throw new ProblemError(400, keyName.map(({ option, problem }) => `${option}: ${problem}`).join('; '))
      const org = tenants.create(name, keyName.slice(name.length))
      if (org) return viewCredentials(service, org)
      throw new ProblemError(
        409,
        `name: "${name}" exists already, with other options; choose another name, or put the options in a key: wak_test_${keyName}.`,
      )
    },
  }),
]
