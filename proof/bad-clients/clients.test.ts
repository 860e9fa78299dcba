/** The report names exactly what is wrong with each sample client, and nothing for the exemplary one. */
import { expect, test } from 'vitest'
import { type ClientReport, mergeReports } from '#client-tests/client-report.ts'
import { rules } from '#client-tests/rules/index.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { createClient } from '../../examples/client/client.ts'
import { work } from '../../examples/client/work.ts'
import type { Client } from './client.ts'
import { breakers } from './index.ts'
import { tryClient } from './try-client.ts'

const texts = ['Say hello', 'Write a haiku', 'Sum up the week']
/** The client of `examples/client`, which does everything as the specification asks. */
const exemplary: Client = (access) => work(createClient(access), texts, () => {})

/** Ids of the rules that a report finds broken, MUST and SHOULD. */
const broken = ({ rules }: ClientReport) =>
  rules.filter(({ outcome }) => outcome === 'failed' || outcome === 'warned').map(({ id }) => id)

async function inEveryScenario(client: Client): Promise<ClientReport> {
  const reports: ClientReport[] = []
  for (const { id } of scenarios) reports.push(await tryClient(client, { scenario: id }, id))
  return mergeReports(reports as [ClientReport, ...ClientReport[]], false)
}

async function underSeeds(count: number, client: Client, scenario: string): Promise<ClientReport> {
  const reports: ClientReport[] = []
  const seeds = Array.from({ length: count }, (_, i) => `surprise-${i}`)
  for (const strictClient of seeds)
    reports.push(await tryClient(client, { scenario, strictClient }, strictClient))
  return mergeReports(reports as [ClientReport, ...ClientReport[]], false)
}

test('the exemplary client keeps every rule, and the scenarios exercise every rule', async () => {
  const report = await inEveryScenario(exemplary)
  expect(report.totals).toEqual({ passed: rules.length, failed: 0, warned: 0, not_exercised: 0 })
})

test('the exemplary client keeps every rule under 50 seeds of surprises', async () => {
  expect(broken(await underSeeds(50, exemplary, 'strict-client'))).toEqual([])
})

test.each(scenarios)('the exemplary client keeps every rule in $id under 8 seeds of surprises', async ({
  id,
}) => {
  expect(broken(await underSeeds(8, exemplary, id))).toEqual([])
})

test.each(scenarios)('the scenario $id lets a good client show what it is about', async ({ id, expects }) => {
  const { rules } = await tryClient(exemplary, { scenario: id })
  expect(rules.filter(({ outcome }) => outcome === 'passed').map((rule) => rule.id)).toEqual(
    expect.arrayContaining([...expects]),
  )
})

test.each(breakers)('$file breaks $breaks and nothing else, in all scenarios together', async ({
  client,
  breaks,
}) => {
  expect(broken(await inEveryScenario(client))).toEqual([breaks])
})

test.each(
  breakers,
)('$file breaks $breaks and nothing else, in $scenario under 50 seeds of surprises', async ({
  client,
  breaks,
  scenario,
}) => {
  expect(broken(await underSeeds(50, client, scenario))).toEqual([breaks])
})

test('each rule has one client that breaks it', () => {
  expect(breakers.map(({ breaks }) => breaks).sort()).toEqual(rules.map(({ id }) => id).sort())
})
