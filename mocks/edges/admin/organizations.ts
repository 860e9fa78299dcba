/** `/__admin/organizations`: lists and creates organizations. */

import { z } from 'zod'
import { createStrictObjectSchema } from '#contract/input/checked.ts'
import { variants } from '#contract/route.ts'
import { maxCreditChange } from '../../config/options.ts'
import {
  ledgerViewSchema,
  viewLedger,
  viewOrganization,
  viewOrganizationSummary,
  viewOverview,
} from '../../control/overview.ts'
import { type ChangeableOptions, changeOptions, optionChangeSchema } from '../../control/settings.ts'
import { ControlRefusal } from '../../core/failure.ts'
import { viewNotification } from '../../handlers/views.ts'
import { optionsInKeys, organizationNameWithOptions } from '../../scenarios/key-options.ts'
import { cookieHeaderOf, organizationNameForAnyKey, sessionTokenOf } from '../../tenants/tenant.ts'
import {
  bodySchemaWithOrgId,
  declareControlRoute,
  isoMomentSchema,
  newOrganizationNameSchema,
  querySchemaWithOrgId,
} from './route.ts'

/** Schemas of the fields of an organization with its credentials, as control routes return it. */
export const organizationCredentialsFieldSchemas = {
  org_id: z.string(),
  name: z.string().describe('As `whoami` reports it.'),
  api_key: z.string(),
  session_cookie: z.string().describe('The value of the `Cookie` header.'),
  credits: z.number(),
}

const text = z.union([z.string(), z.number()], 'takes a text or a number')

const optionFields = Object.fromEntries(optionsInKeys.map((option) => [option, text.optional()]))

const moment = isoMomentSchema.nullable()

const organizationView = z.object({
  ...organizationCredentialsFieldSchemas,
  key_name: z.string().describe('The part of its key after `wak_test_`.'),
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
  clock: z.object({ now: isoMomentSchema, frozen: z.boolean(), following: z.boolean() }),
  next_event: moment,
  overrides: z.record(z.string(), z.boolean()),
  set: z
    .array(z.object({ text: z.string(), end: z.string(), route: z.string(), body: z.looseObject({}) }))
    .describe('What differs from how the mock was started, and the control call that ends it.'),
  counts: z.record(z.string(), z.int()),
  requests: z.int(),
})

/** The control routes that list, create and change organizations. */
export const organizationRoutes = [
  declareControlRoute('GET /ledger', {
    summary: 'List the ledgers: every change of the balance, with its time and the request that caused it.',
    query: querySchemaWithOrgId({}),
    answer: z.object({ ledgers: z.array(ledgerViewSchema) }),
    run: ({ service, org }) => ({ ledgers: service.tenants.organizations(org).map(viewLedger) }),
  }),
  declareControlRoute('POST /credits', {
    summary: 'Add credits, or set the spendable credits.',
    about: 'organization',
    body: bodySchemaWithOrgId({
      add: z
        .number()
        .min(-maxCreditChange)
        .max(maxCreditChange)
        .optional()
        .describe('Credits to add; negative: to remove.'),
      set: z.number().min(0).max(maxCreditChange).optional().describe('New number of spendable credits.'),
    }),
    answer: z.object({
      org_id: z.string(),
      credits: z.number(),
      credits_before: z.number().describe('Credits right before: what undoes this adds the difference.'),
    }),
    example: { add: 5 },
    run({ org, body: { add, set } }) {
      if ((add === undefined) === (set === undefined))
        throw new ControlRefusal(400, 'Send exactly one of "add" and "set".')
      const now = org.settled()
      const credits_before = org.ledger.balance
      if (set === undefined) org.ledger.topUp(add ?? 0, now)
      else org.ledger.setBalance(set, now)
      return { org_id: org.id, credits: org.ledger.balance, credits_before }
    },
  }),
  declareControlRoute('POST /notifications', {
    summary: 'Add an unread notification.',
    about: 'organization',
    body: bodySchemaWithOrgId({
      title: z.string().default('Notice'),
      body: z.string().default('Something happened.'),
      type: z.string().default('notice'),
      task_id: z.string().nullable().default(null),
    }),
    answer: z.object({ notification: z.looseObject({ id: z.string(), read: z.boolean() }) }),
    example: { title: 'Welcome', body: 'Your agent is ready.' },
    run({ org, body: { type, title, body, task_id } }) {
      const now = org.settled()
      return { notification: viewNotification(org.notify(type, title, body, task_id, now)) }
    },
  }),
  declareControlRoute('GET /organizations', {
    summary: 'List the organizations created so far, with their credentials.',
    query: querySchemaWithOrgId({}),
    answer: z.object({ organizations: z.array(z.object(organizationCredentialsFieldSchemas)) }),
    run: ({ service, org }) => ({
      organizations: service.tenants.organizations(org).map((one) => viewOrganizationSummary(service, one)),
    }),
  }),
  declareControlRoute('POST /organizations', {
    summary:
      'Create an organization, or return the existing one with this name and these options, which it also has after a reset. Its key is `wak_test_` and the name.',
    about: 'mock',
    body: createStrictObjectSchema({
      ...optionFields,
      name: newOrganizationNameSchema.describe('The part of the key after `wak_test_`.'),
    }),
    answer: z.object(organizationCredentialsFieldSchemas),
    refusals: {
      409: 'The organization exists already, with other options, or the mock was started with `--keys-only`.',
    },
    example: { name: 'ada', credits: 3, runOutcome: 'failed' },
    run({ service, body: { name, ...options } }) {
      const { tenants, settings } = service
      if (settings.keysOnly)
        throw new ControlRefusal(
          409,
          'No organization can be created: --keys-only fixes the keys. Start the mock without it.',
        )
      const keyName = organizationNameWithOptions(name, options, settings)
      if (Array.isArray(keyName))
        throw new ControlRefusal(
          400,
          keyName.map(({ option, problem }) => `${option}: ${problem}`).join('; '),
        )
      const org = tenants.create(name, keyName.slice(name.length))
      if (org) return viewOrganizationSummary(service, org)
      throw new ControlRefusal(
        409,
        `name: "${name}" exists already, with other options; choose another name, or put the options in a key: wak_test_${keyName}.`,
      )
    },
  }),
  declareControlRoute('GET /overview', {
    summary: 'Show organizations at a glance: credits, agent and queue, limits, switches and clock.',
    query: querySchemaWithOrgId({}),
    answer: z.object({
      mock: z.looseObject({
        version: z.string(),
        now: isoMomentSchema,
        frozen: z.boolean(),
        seed: z.string(),
      }),
      organizations: z
        .array(organizationView)
        .describe('Newest first, at most 200: the newest ones and the oldest.'),
    }),
    run: ({ service, org }) => viewOverview(service, org),
  }),
  declareControlRoute('PUT /settings', {
    summary:
      'Change options, for one organization or for all, existing or not yet, until a reset; what they have stays.',
    body: optionChangeSchema,
    answer: z.object({ variant: z.enum([...variants, 'mixed']), extended: z.boolean() }),
    refusals: { 409: 'The key of the organization sets the option.' },
    example: { variant: 'second', runDuration: '10s', rateLimit: '5/1m' },
    run({ service, org, body: { org_id: _, ...options } }) {
      changeOptions(service, org, options)
      const tenant = org && service.tenants.tenantOf(org)
      const { variant, extended } = tenant ? viewOrganization(service, tenant) : service.settings
      return { variant, extended }
    },
  }),
  declareControlRoute('PUT /behaviour', {
    summary:
      'Switch chaos and quirks of an organization until a reset; what it has stays. `PUT /settings` does the same with the seed of the mock.',
    about: 'organization',
    body: bodySchemaWithOrgId({
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
    run({ service, org, body: { org_id: _, chaosSeed, ...options } }) {
      if (chaosSeed !== undefined && options.chaos === undefined)
        throw new ControlRefusal(400, 'chaosSeed: says nothing without "chaos".')
      changeOptions(service, org, options as ChangeableOptions, chaosSeed)
      const tenant = service.tenants.tenantOf(org)
      const view = tenant && viewOrganization(service, tenant)
      return { strict_client: view?.strict_client, chaos: view?.chaos }
    },
  }),
  declareControlRoute('POST /tasks/:id/finish', {
    summary: 'End the run of a task now, as completed or failed. A run that waits ends as soon as it starts.',
    about: 'organization',
    body: bodySchemaWithOrgId({
      outcome: z.enum(['completed', 'failed'], 'takes completed or failed').default('completed'),
    }),
    refusals: { 404: 'No such task.', 409: 'Its run is over, or it was never run.' },
    example: { outcome: 'failed' },
    run({ org, body, request }) {
      const now = org.settled()
      const task = org.tasks.get(request.param('id') ?? '')
      if (!task) throw new ControlRefusal(404, 'No such task in this organization.')
      if (!task.run || task.run.ended) throw new ControlRefusal(409, 'This task has no run that could end.')
      org.agent.finish(task.run, body.outcome, now)
    },
  }),
]

/** The control routes that log a browser in. */
export const sessionRoutes = [
  declareControlRoute('POST /login', {
    summary: 'Log in: set the session cookie of an organization, by its name or its key.',
    body: bodySchemaWithOrgId({
      organization: z
        .string()
        .min(1)
        .refine((name) => name.isWellFormed())
        .optional()
        .describe(
          'The name of the organization, which is the part of its key after `wak_test_`, or this key; default: that of the call, or the demo organization.',
        ),
    }),
    answer: z.object({ cookie: z.string() }),
    refusals: { 404: 'No such organization.' },
    example: { organization: 'ada' },
    run({ service, org, body }) {
      const { tenants } = service
      const given = body.organization
      const named =
        given && (tenants.byKey(given)?.name ?? organizationNameForAnyKey(given, tenants.settings.keysOnly))
      const name = named ?? (org && tenants.nameOf(org)) ?? tenants.demoName
      const token = sessionTokenOf(name)
      if (!tenants.bySession(token))
        throw new ControlRefusal(404, 'No such organization; send the part of its key after "wak_test_".')
      const cookie = cookieHeaderOf(token)
      const headers = {
        'content-type': 'application/json',
        'set-cookie': `${cookie}; Path=/; HttpOnly; SameSite=Lax`,
      }
      return new Response(JSON.stringify({ cookie }), { headers })
    },
  }),
]
