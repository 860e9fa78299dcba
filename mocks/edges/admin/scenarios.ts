/** `/__admin/scenarios`: situations that a client should cope with, and a way into each. */
import { z } from 'zod'
import { startScenario } from '../../control/start-scenario.ts'
import type { Organization } from '../../core/organization.ts'
import type { Service } from '../../pipeline/service.ts'
import { scenarioOf, scenarios } from '../../scenarios/index.ts'
import type { Scenario } from '../../scenarios/scenario.ts'
import { bodyOf, control, Refusal } from './route.ts'

const seed = z.union([z.string(), z.number()])

const scenario = z.object({
  id: z.string(),
  title: z.string(),
  shows: z.string(),
  options: z.record(z.string(), z.unknown()),
  expects: z.array(z.string()).describe('Rules of the client report that a client meets here.'),
})

const view = ({ id, title, shows, options, expects }: Scenario) => ({ id, title, shows, options, expects })

const settingsOf = (service: Service, org: Organization | undefined) =>
  (org && service.tenants.tenantOf(org)?.settings) ?? service.settings

export const scenarioRoutes = [
  control({
    method: 'GET',
    path: '/scenarios',
    summary: 'The scenarios, and which one was started.',
    answer: z.object({ started: z.string().nullable(), scenarios: z.array(scenario) }),
    run: ({ service, org }) => ({
      started: settingsOf(service, org).scenario?.id ?? null,
      scenarios: scenarios.map(view),
    }),
  }),
  control({
    method: 'POST',
    path: '/scenarios/:id/start',
    summary: 'Reset into a scenario: the whole mock, or, with a key, that organization alone.',
    body: bodyOf({ seed: seed.optional().describe('In place of the seed of the scenario.') }),
    answer: z.object({
      started: z.string(),
      seed: z.string(),
      org_id: z.string().nullable().describe('The organization, as it is called from now on.'),
    }),
    refusals: { 404: 'There is no such scenario.' },
    example: { seed: 'spring' },
    run({ service, org, body, request }) {
      const id = request.param('id') ?? ''
      const scenario = scenarioOf(id)
      if (!scenario) {
        const known = scenarios.map((one) => one.id).join(', ')
        throw new Refusal(404, `No scenario "${id}"; the scenarios are ${known}.`)
      }
      const name = org && service.tenants.nameOf(org)
      startScenario(service, scenario, { name, seed: body.seed })
      const started = name === undefined ? undefined : service.tenants.tenant(name)
      const { seed } = started?.settings ?? service.settings
      return { started: id, seed, org_id: started?.org.id ?? null }
    },
  }),
]
