/** `/__admin/scenarios`: lists and starts scenarios. */
import { z } from 'zod'
import { startScenario } from '../../control/start-scenario.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import type { Scenario } from '../../scenarios/index.ts'
import { scenarioOf, scenarios } from '../../scenarios/index.ts'
import { bodyOf, control, ProblemError } from './route.ts'

const seed = z.union([z.string(), z.number()])

const scenario = z.object({
  id: z.string(),
  title: z.string(),
  shows: z.string(),
  options: z.record(z.string(), z.unknown()),
  expects: z.array(z.string()).describe('Ids of the rules of the client report that the scenario exercises.'),
})

const view = ({ id, title, shows, options, expects }: Scenario) => ({ id, title, shows, options, expects })

const settingsOf = (service: Service, org: Organization | undefined) =>
  (org && service.tenants.tenantOf(org)?.settings) ?? service.settings

/** The routes of scenarios. */
export const scenarioRoutes = [
  control({
    method: 'GET',
    path: '/scenarios',
    summary: 'List the scenarios and the one that is started.',
    answer: z.object({ started: z.string().nullable(), scenarios: z.array(scenario) }),
    run: ({ service, org }) => ({
      started: settingsOf(service, org).scenario?.id ?? null,
      scenarios: scenarios.map(view),
    }),
  }),
  control({
    method: 'POST',
    path: '/scenarios/:id/start',
    summary: 'Reset and start a scenario: for the whole mock or, with a key, for that organization alone.',
    body: bodyOf({ seed: seed.optional().describe('Replaces the seed of the scenario.') }),
    answer: z.object({
      started: z.string(),
      seed: z.string(),
      org_id: z.string().nullable().describe('The new id of the organization; null: the whole mock.'),
    }),
    refusals: { 404: 'No such scenario.' },
    example: { seed: 'spring' },
    run({ service, org, body, request }) {
      const id = request.param('id') ?? ''
      const scenario = scenarioOf(id)
      if (!scenario) {
        const known = scenarios.map((one) => one.id).join(', ')
        throw new ProblemError(404, `No scenario "${id}"; the scenarios are ${known}.`)
      }
      const name = org && service.tenants.nameOf(org)
      startScenario(service, scenario, { name, seed: body.seed })
      const started = name === undefined ? undefined : service.tenants.tenant(name)
      const { seed } = started?.settings ?? service.settings
      return { started: id, seed, org_id: started?.org.id ?? null }
    },
  }),
]
