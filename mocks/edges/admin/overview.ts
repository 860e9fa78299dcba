/** `/__admin/overview` and `/__admin/settings`: organizations at a glance, and their switches. */
import { z } from 'zod'
import { variants } from '#contract/route.ts'
import { viewOrganization } from '../../control/live/organization-view.ts'
import { viewOverview } from '../../control/live/overview.ts'
import { bodyOf, control, iso, queryOf } from './route.ts'

const moment = iso.nullable()

/** An organization at a glance. */
export const organizationView = z.object({
  org_id: z.string(),
  name: z.string().describe('As `whoami` reports it.'),
  key_name: z.string().describe('The part of its key after `wak_test_`.'),
  api_key: z.string(),
  session_cookie: z.string(),
  credits: z.number(),
  reserved: z.number(),
  agent: z.object({
    state: z.enum(['idle', 'busy', 'other_work']),
    task_id: z.string().nullable(),
    run_id: z.string().nullable(),
    started_at: moment,
    ends_at: moment,
    free_at: moment.describe('When other work ends.'),
    waiting: z.int(),
    queue: z.array(z.object({ task_id: z.string(), run_id: z.string(), text: z.string() })),
  }),
  limit: z.object({ limit: z.int(), window_ms: z.number() }).nullable(),
  limit_set: z.boolean().describe('Whether the limit was set for this organization.'),
  limits: z.array(z.object({ credential: z.string(), used: z.int(), limit: z.int(), resets_at: moment })),
  unread: z.int(),
  variant: z.enum([...variants, 'mixed']),
  extended: z.boolean(),
  strict_client: z.string().nullable().describe('The seed of quirks, or their ids; null: none.'),
  chaos: z.number().nullable().describe('The share of requests that get a fault; null: none.'),
  clock: z.object({ now: iso, frozen: z.boolean(), following: z.boolean() }),
  next_event: moment,
  overrides: z.record(z.string(), z.boolean()),
  counts: z.record(z.string(), z.int()),
  requests: z.int(),
})

const overview = z.object({
  mock: z.looseObject({ version: z.string(), now: iso, frozen: z.boolean(), seed: z.string() }),
  organizations: z.array(organizationView).describe('Newest first, at most 200.'),
})

/** The routes of the overview and of its switches. */
export const overviewRoutes = [
  control({
    method: 'GET',
    path: '/overview',
    summary: 'Show organizations at a glance: credits, agent and queue, limits, switches and clock.',
    query: queryOf({}),
    answer: overview,
    run: ({ service, org }) => viewOverview(service, org),
  }),
  control({
    method: 'PUT',
    path: '/settings',
    summary:
      'Switch the variant of responses or the extended set, for one organization or for all until a reset.',
    body: bodyOf({
      variant: z.enum(variants, 'takes first or second').optional(),
      extended: z.boolean('takes true or false').optional(),
    }),
    answer: z.object({ variant: z.enum([...variants, 'mixed']), extended: z.boolean() }),
    example: { variant: 'second' },
    run({ service, org, body: { variant, extended } }) {
      if (!org) {
        service.tenants.switch({ variant, extended })
        return { variant: service.settings.variant, extended: service.settings.extended }
      }
      if (variant !== undefined) org.override({ variant })
      if (extended !== undefined) org.override({ extended })
      const tenant = service.tenants.tenantOf(org)
      const view = tenant && viewOrganization(service, tenant)
      return { variant: view?.variant, extended: view?.extended }
    },
  }),
]
