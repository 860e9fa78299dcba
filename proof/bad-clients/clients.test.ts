/**
 * The report of each bad client names exactly its rule; that of the reference client names none. The gate takes a
 * sample.
 */
import { expect, test } from 'vitest'
import { type ClientReport, isViolated, mergeClientReports } from '#client-tests/client-report.ts'
import { clientRules } from '#client-tests/rules/index.ts'
import { type ScenarioId, scenarios } from '#mocks/scenarios/index.ts'
import { isExhaustiveTestRun, sampleUnlessExhaustive } from '#mocks/testing/sample.ts'
import { quickScenarios } from '../recording.ts'
import { type BadClient, type ClientProgram, referenceClientWithFlaw } from './bad-client.ts'
import { badClients } from './index.ts'
import { legalHabitFlaws } from './legal-habits.ts'
import { measureUsualWork, tryClient } from './try-client.ts'

/** The client of `examples/client`, which keeps every rule. */
const reference = referenceClientWithFlaw()

/** Ids of the rules that a report finds broken, MUST and SHOULD. */
const broken = ({ rules }: ClientReport) => rules.filter(isViolated).map(({ id }) => id)

const inOrder = (ids: readonly string[]) => clientRules.map(({ id }) => id).filter((id) => ids.includes(id))

/** The ids of the rules that it breaks in its scenario, and of all that it breaks; in the order of reports. */
const inScenario = ({ breaks, alsoBreaks }: BadClient) => inOrder([breaks, ...alsoBreaks])
const all = (bad: BadClient) => inOrder([...inScenario(bad), ...(bad.elsewhere ?? [])])

async function inEveryScenario(
  client: ClientProgram,
  tried: typeof scenarios = quickScenarios,
): Promise<ClientReport> {
  const reports: ClientReport[] = []
  const usual = await measureUsualWork(client)
  for (const { id } of tried) reports.push(await tryClient(client, { scenario: id }, id, usual))
  return mergeClientReports(reports as [ClientReport, ...ClientReport[]], false)
}

/** Seeds of quirks: for each client in one scenario, and for the reference client in every scenario. */
const [seedCount, seedsEverywhere] = isExhaustiveTestRun ? [50, 8] : [1, 1]
/** Clients that are tried in all scenarios. */
const everywhere = sampleUnlessExhaustive(badClients, 20)

async function underSeeds(count: number, client: ClientProgram, scenario: ScenarioId): Promise<ClientReport> {
  const reports: ClientReport[] = []
  const seeds = Array.from({ length: count }, (_, i) => `quirks-${i}`)
  const usual = await measureUsualWork(client)
  for (const strictClient of seeds)
    reports.push(await tryClient(client, { scenario, strictClient }, strictClient, usual))
  return mergeClientReports(reports as [ClientReport, ...ClientReport[]], false)
}

test('the reference client keeps every rule, and the scenarios exercise every rule', async () => {
  const report = await inEveryScenario(reference, scenarios)
  expect(report.totals).toEqual({ passed: clientRules.length, failed: 0, warned: 0, not_exercised: 0 })
})

test.each(quickScenarios)('the reference client keeps every rule in $id under seeds of quirks', async ({
  id,
}) => {
  const count = id === 'strict-client' ? seedCount : seedsEverywhere
  expect(broken(await underSeeds(count, reference, id))).toEqual([])
})

test.each(scenarios)('the scenario $id lets a good client pass what it is about', async ({ id, expects }) => {
  const { rules } = await tryClient(reference, { scenario: id })
  expect(rules.filter(({ outcome }) => outcome === 'passed').map((rule) => rule.id)).toEqual(
    expect.arrayContaining([...expects]),
  )
})

test.each(everywhere)('$id breaks $breaks and nothing unsaid, in all scenarios together', async (bad) => {
  expect(broken(await inEveryScenario(referenceClientWithFlaw(bad.flaw, bad.hidesErrors)))).toEqual(all(bad))
})

test.each(
  sampleUnlessExhaustive(badClients, 3),
)('$id breaks $breaks and nothing unsaid, in $scenario under seeds of quirks and without', async (bad) => {
  const { flaw, hidesErrors, scenario } = bad
  const client = referenceClientWithFlaw(flaw, hidesErrors)
  const reports = [
    await tryClient(client, { scenario }, scenario, await measureUsualWork(client)),
    await underSeeds(seedCount, client, scenario),
  ] as const
  const found = broken(mergeClientReports(reports, false))
  // Some seeds draw the quirk that refuses it, or a run time with which it breaks what it breaks elsewhere.
  const others = new Set([
    ...(bad.elsewhere ?? []),
    ...(bad.underQuirks ?? []),
    ...(bad.refusedBy ? ['finishes-work'] : []),
  ])
  expect(found.filter((id) => !others.has(id))).toEqual(inScenario(bad))
})

test.each(
  sampleUnlessExhaustive(Object.entries(legalHabitFlaws), 3),
)('a client that %s breaks no rule', async (_, habit) => {
  const client = referenceClientWithFlaw(habit)
  expect(broken(await inEveryScenario(client))).toEqual([])
  expect(broken(await underSeeds(seedCount, client, 'strict-client'))).toEqual([])
})

test('no client that fails in a duty passes, whatever advice it breaks as well', async () => {
  const duties = new Set(clientRules.flatMap(({ id, level }) => (level === 'MUST' ? [id] : [])))
  const silenced = badClients.filter(({ alsoBreaks }) => alsoBreaks.some((id) => duties.has(id)))
  const outcomes: unknown[] = []
  for (const { id, flaw, hidesErrors, scenario } of silenced)
    outcomes.push([id, (await tryClient(referenceClientWithFlaw(flaw, hidesErrors), { scenario })).outcome])
  expect(outcomes).toEqual(silenced.map(({ id }) => [id, 'failed']))
})

test.each(
  badClients.filter(({ refusedBy }) => refusedBy),
)('$id cannot finish its work where $refusedBy', async ({ flaw, breaks, refusedBy }) => {
  const report = await tryClient(referenceClientWithFlaw(flaw), { strictClient: refusedBy })
  expect(broken(report)).toEqual([breaks, 'finishes-work'])
})

test('each rule has a client that breaks it', () => {
  expect([...new Set(badClients.map(({ breaks }) => breaks))].sort()).toEqual(
    clientRules.map(({ id }) => id).sort(),
  )
})
