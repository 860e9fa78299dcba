/** The report of each bad client names exactly its rule; that of the reference client names none. */
import { expect, test } from 'vitest'
import { type ClientReport, mergeReports } from '#client-tests/client-report.ts'
import { rules } from '#client-tests/rules/index.ts'
import { type ScenarioId, scenarios } from '#mocks/scenarios/index.ts'
import { type Client, clientWith } from './bad-client.ts'
import { badClients } from './index.ts'
import { legalHabits } from './legal-habits.ts'
import { tryClient } from './try-client.ts'

/** The client of `examples/client`, which keeps every rule. */
const reference = clientWith()

/** Ids of the rules that a report finds broken, MUST and SHOULD. */
const broken = ({ rules }: ClientReport) =>
  rules.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').map(({ id }) => id)

async function inEveryScenario(client: Client): Promise<ClientReport> {
  const reports: ClientReport[] = []
  for (const { id } of scenarios) reports.push(await tryClient(client, { scenario: id }, id))
  return mergeReports(reports as [ClientReport, ...ClientReport[]], false)
}

/** Seeds of quirks; a sample in the gate, 50 in `npm run proof`. */
const seedCount = process.env.MODE === 'whole' ? 50 : 10

async function underSeeds(count: number, client: Client, scenario: ScenarioId): Promise<ClientReport> {
  const reports: ClientReport[] = []
  const seeds = Array.from({ length: count }, (_, i) => `quirks-${i}`)
  for (const strictClient of seeds)
    reports.push(await tryClient(client, { scenario, strictClient }, strictClient))
  return mergeReports(reports as [ClientReport, ...ClientReport[]], false)
}

test('the reference client keeps every rule, and the scenarios exercise every rule', async () => {
  const report = await inEveryScenario(reference)
  expect(report.totals).toEqual({ passed: rules.length, failed: 0, warned: 0, not_exercised: 0 })
})

test('the reference client keeps every rule under many seeds of quirks', async () => {
  expect(broken(await underSeeds(seedCount, reference, 'strict-client'))).toEqual([])
})

test.each(scenarios)('the reference client keeps every rule in $id under 8 seeds of quirks', async ({
  id,
}) => {
  expect(broken(await underSeeds(8, reference, id))).toEqual([])
})

test.each(scenarios)('the scenario $id lets a good client pass what it is about', async ({ id, expects }) => {
  const { rules } = await tryClient(reference, { scenario: id })
  expect(rules.filter(({ outcome }) => outcome === 'passed').map((rule) => rule.id)).toEqual(
    expect.arrayContaining([...expects]),
  )
})

test.each(badClients)('$id breaks $breaks and nothing else, in all scenarios together', async ({
  flaw,
  hidesErrors,
  breaks,
}) => {
  expect(broken(await inEveryScenario(clientWith(flaw, hidesErrors)))).toEqual([breaks])
})

test.each(badClients)('$id breaks $breaks and nothing else, in $scenario under many seeds of quirks', async ({
  flaw,
  hidesErrors,
  breaks,
  scenario,
}) => {
  expect(broken(await underSeeds(seedCount, clientWith(flaw, hidesErrors), scenario))).toEqual([breaks])
})

test.each(Object.entries(legalHabits))('a client that %s breaks no rule', async (_, habit) => {
  const client = clientWith(habit)
  expect(broken(await inEveryScenario(client))).toEqual([])
  expect(broken(await underSeeds(seedCount, client, 'strict-client'))).toEqual([])
})

test('each rule has a client that breaks it', () => {
  expect([...new Set(badClients.map(({ breaks }) => breaks))].sort()).toEqual(
    rules.map(({ id }) => id).sort(),
  )
})
