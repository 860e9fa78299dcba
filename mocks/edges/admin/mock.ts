/** The control routes of the mock as a whole: status, scenarios, provider states, faults, mock time, vocabulary and resets. */

import { z } from 'zod'
import { failures } from '#contract/errors.ts'
import { endWithFullStop, tryParse } from '#contract/input/checked.ts'
import { codesOf, operationIds, routeOf } from '#contract/operation.ts'
import { providerStates } from '#contract/provider-state.ts'
import suite from '../../../package.json' with { type: 'json' }
import { changeClock, clockChangeFieldSchemas } from '../../control/clock.ts'
import { viewClock } from '../../control/overview.ts'
import { providerStateActions, providerStateRequestFieldSchemas } from '../../control/provider-states.ts'
import { type ResettablePart, resetParts, resettableParts, startScenario } from '../../control/settings.ts'
import type { OrganizationEvent } from '../../core/changes.ts'
import { ControlRefusal } from '../../core/failure.ts'
import {
  faultsThatLoseAnswers,
  findDeclaredFailureName,
  remainingFaultDescriptions,
} from '../../faults/fault.ts'
import { ruleDraftOfInput, ruleFieldSchemas } from '../../faults/grammar.ts'
import { faultRuleWithCountsSchema } from '../../faults/rule.ts'
import { faultExamples } from '../../faults/words.ts'
import { quirkTable } from '../../quirks/create.ts'
import { findScenario, scenarios } from '../../scenarios/index.ts'
import {
  bodySchemaWithOrgId,
  type ControlCall,
  declareControlRoute,
  isoMomentSchema,
  orgIdMismatchText,
  querySchemaWithOrgId,
} from './route.ts'

const seed = z.union([z.string(), z.number()])

const scenario = z.object({
  id: z.string(),
  title: z.string(),
  shows: z.string(),
  options: z.record(z.string(), z.unknown()),
  expects: z.array(z.string()).describe('Ids of the rules of the client report that the scenario exercises.'),
})

const stateBody = bodySchemaWithOrgId(providerStateRequestFieldSchemas)
type StateCall = ControlCall<z.output<typeof stateBody>>

/** Returns the organization of the key or of `params.org_id`, which must not differ. */
function organizationOf({ service, org, body }: StateCall) {
  const { org_id } = body.params
  const named = org_id === undefined ? org : service.tenants.byId(String(org_id))
  if (!named)
    throw new ControlRefusal(400, 'params.org_id: no such organization; send the id that whoami reports.')
  if (org && named !== org) throw new ControlRefusal(400, `params.org_id: ${orgIdMismatchText}`)
  return named
}

const word = z.object({ word: z.string(), says: z.string() })

const operation = z.object({
  id: z.enum(operationIds),
  method: z.string(),
  path: z.string(),
  summary: z.string(),
  set: z.enum(['core', 'extended']),
  auth: z.enum(['key', 'cookie']),
  cost: z.int(),
  errors: z.array(z.string()).describe('Codes that a fault can make it return.'),
  statuses: z.array(z.int()).describe('The status of each, in the first variant.'),
  body: z.array(z.string()).describe('Names of its fields.'),
})

const vocabularyView = z.object({
  operations: z.array(operation),
  wire: z
    .array(word)
    .describe('Faults that `lost` can come before: those of the connection and answers of gateways.'),
  others: z
    .array(word.extend({ operations: z.array(z.enum(operationIds)) }))
    .describe('The other faults that are no errors, with the operations that each applies to.'),
  words: z.array(z.string()).describe('Every fault; those with an argument by an example.'),
  quirks: z.array(z.object({ id: z.string(), says: z.string() })),
})
const clockView = {
  now: isoMomentSchema,
  frozen: z.boolean(),
  following: z.boolean().describe('Whether the clock of the organization follows the clock of the mock.'),
}

/** Converts an event of an organization to the form in which control routes and streams return it. */
export const viewEvent = (event: OrganizationEvent) => ({ ...event, at: new Date(event.at).toISOString() })

const eventView = z.object({
  type: z.string(),
  org_id: z.string(),
  at: isoMomentSchema,
  subject: z.string().describe('The id of the run, artifact, ledger entry or notification.'),
  detail: z.union([z.string(), z.number()]).optional(),
})

/** The control routes of the mock as a whole, such as its health and fault rules. */
export const mockRoutes = [
  declareControlRoute('GET /health', {
    about: 'mock',
    answer: z.object({
      status: z.enum(['healthy', 'failing']),
      version: z.string(),
      seed: z.string(),
      bugs: z.int(),
    }),
    summary: 'Get the status of the mock. `bugs` counts its internal errors.',
    run: ({ service }) => ({
      status: service.bugs.length === 0 ? 'healthy' : 'failing',
      version: suite.version,
      seed: service.settings.seed,
      bugs: service.bugs.length,
    }),
  }),
  declareControlRoute('GET /version', {
    about: 'mock',
    answer: z.object({ name: z.string(), version: z.string() }),
    summary: 'Get the name and version of the mock.',
    run: () => ({ name: suite.name, version: suite.version }),
  }),
  declareControlRoute('GET /states', {
    summary: 'List the provider states that the mock offers.',
    about: 'mock',
    answer: z.object({ states: z.array(z.string()) }),
    run: () => ({ states: [...providerStates] }),
  }),
  declareControlRoute('POST /states', {
    summary: 'Set up or tear down a provider state of an organization.',
    body: stateBody,
    refusals: { 404: 'The state is not offered.' },
    example: { state: 'credits', params: { org_id: 'org_kbk8kkt0r9wb10m4', credits: 0 }, action: 'setup' },
    run(call) {
      const { state: name, action, params } = call.body
      const known = providerStates.find((one) => one === name)
      if (!known)
        throw new ControlRefusal(404, `No state "${name}"; the states are ${providerStates.join(', ')}.`)
      const state = providerStateActions[known]
      const org = organizationOf(call)
      const now = org.settled()
      if (action === 'teardown') return state.teardown(org, now)
      const { data, problem } = tryParse(z.object({ params: state.params }), { params })
      if (problem !== undefined) throw new ControlRefusal(400, problem)
      return state.setup(org, data.params, now)
    },
  }),
  declareControlRoute('GET /scenarios', {
    summary: 'List the scenarios and the one that is started.',
    answer: z.object({ started: z.string().nullable(), scenarios: z.array(scenario) }),
    run: ({ service, org }) => ({
      started: ((org && service.tenants.tenantOf(org)) ?? service).settings.scenario?.id ?? null,
      scenarios: scenarios.map((one) => scenario.parse(one)),
    }),
  }),
  declareControlRoute('POST /scenarios/:id/start', {
    summary: 'Reset and start a scenario: for the whole mock or, with a key, for that organization alone.',
    body: bodySchemaWithOrgId({ seed: seed.optional().describe('Replaces the seed of the scenario.') }),
    answer: z.object({
      started: z.string(),
      seed: z.string(),
      org_id: z.string().nullable().describe('The new id of the organization; null: the whole mock.'),
    }),
    refusals: { 404: 'No such scenario.' },
    example: { seed: 'spring' },
    run({ service, org, body, request }) {
      const id = request.param('id') ?? ''
      const scenario = findScenario(id)
      if (!scenario) {
        const known = scenarios.map((one) => one.id).join(', ')
        throw new ControlRefusal(404, `No scenario "${id}"; the scenarios are ${known}.`)
      }
      const started = startScenario(service, scenario, org, body.seed)
      const { seed } = started?.settings ?? service.settings
      return { started: id, seed, org_id: started?.org.id ?? null }
    },
  }),
  declareControlRoute('GET /faults', {
    summary: 'List the fault rules with their counts, for one organization or for all.',
    query: querySchemaWithOrgId({}),
    answer: z.object({ faults: z.array(faultRuleWithCountsSchema) }),
    run: ({ service, org }) => ({ faults: service.faults.list(org?.id) }),
  }),
  declareControlRoute('POST /faults', {
    summary: 'Add a fault rule for the organization of the call, or for all.',
    body: bodySchemaWithOrgId(ruleFieldSchemas),
    answer: faultRuleWithCountsSchema,
    example: { rule: 'runTask=rate_limited,unavailable,ok' },
    run({ service, org, body: { org_id: _, ...given } }) {
      const rule = ruleDraftOfInput(given)
      if (typeof rule === 'string') throw new ControlRefusal(400, endWithFullStop(`The rule ${rule}`))
      return service.faults.add({ ...rule, org_id: org?.id })
    },
  }),
  declareControlRoute('DELETE /faults/:id', {
    summary: 'Remove a fault rule. With a key, only a rule of that organization.',
    query: querySchemaWithOrgId({}),
    refusals: { 404: 'No such fault rule.' },
    run({ service, org, request }) {
      if (!service.faults.remove(request.param('id') ?? '', org?.id))
        throw new ControlRefusal(404, 'No such fault rule; GET /__admin/faults lists them.')
    },
  }),
  declareControlRoute('GET /vocabulary', {
    summary: 'List operations with their errors, the words of the fault grammar, and quirks.',
    about: 'mock',
    answer: vocabularyView,
    run: () => ({
      operations: operationIds.map((id) => {
        const { method, path, summary, set, auth, cost, body } = routeOf(id)
        const fields = Object.keys(body?.shape ?? {})
        const errors = codesOf(id)
        const statuses = errors.map(
          (code) => failures[findDeclaredFailureName(id, code) ?? 'internal_error'].status.first,
        )
        return { id, method, path, summary, set, auth, cost, errors, statuses, body: fields }
      }),
      wire: faultsThatLoseAnswers,
      others: remainingFaultDescriptions,
      words: faultExamples,
      quirks: quirkTable.map(({ id, title }) => ({ id, says: title })),
    }),
  }),
  declareControlRoute('GET /clock', {
    summary: 'Get the mock time.',
    answer: z.object(clockView),
    run: ({ service, org }) => viewClock(org?.clock ?? service.clock),
  }),
  declareControlRoute('PUT /clock', {
    summary:
      'Run, freeze, advance or set mock time. Returns the events that this caused. After its first change, the clock of an organization no longer follows the clock of the mock, until a reset.',
    body: bodySchemaWithOrgId(clockChangeFieldSchemas),
    answer: z.object({ ...clockView, events: z.array(eventView) }),
    example: { action: 'advance', by: '1h' },
    run({ service, org, body }) {
      const { org_id, ...travel } = body
      try {
        const events = changeClock(service, org, travel)
        return { ...viewClock(org?.clock ?? service.clock), events: events.map(viewEvent) }
      } catch (error) {
        if (error instanceof RangeError) throw new ControlRefusal(400, error.message)
        throw error
      }
    },
  }),
]

/** The control routes that restore the initial state of the mock, as a whole or in parts. */
export const resetRoutes = [
  declareControlRoute('POST /reset', {
    summary: 'Restore the initial state, faults, journal and clock, or only some of these.',
    body: bodySchemaWithOrgId({
      parts: z
        .array(z.enum(resettableParts))
        .min(1)
        .optional()
        .describe(`Some of ${resettableParts.join(', ')}; default: all.`),
    }),
    run: ({ service, org, body }) => resetParts(service, body.parts ?? resettableParts, org),
  }),
  ...resettableParts.map((part: ResettablePart) =>
    declareControlRoute(`POST /reset/${part}`, {
      summary: `Restore the initial ${part} and nothing else.`,
      body: bodySchemaWithOrgId({}),
      run: ({ service, org }) => resetParts(service, [part], org),
    }),
  ),
]
