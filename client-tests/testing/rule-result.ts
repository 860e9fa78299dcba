/** A client and the result of one rule, for tests. */
import type { Mock } from '#mocks/app.ts'
import { checkedClientOf } from '#mocks/testing/client.ts'
import { createNonHangingFetch } from '#mocks/testing/giving-up.ts'
import { createFrozenMock } from '#mocks/testing/mock.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { readHarExchanges } from '#traffic/recording.ts'
import type { RuleOutcome, RuleResult } from '../client-report.ts'
import { createJournalEntryConverter } from '../recorded.ts'
import type { JudgeTrafficOptions } from '../traffic.ts'

/** Options of the mock that a rule is tested with. */
export type RuleTestMockOptions = Parameters<typeof createFrozenMock>[0]

/** Creates a mock whose clock stands still, and a client of it, for the test of a rule. */
export function createRuleTestClient(options: RuleTestMockOptions = {}) {
  const mock = createFrozenMock(options)
  return { mock, ...checkedClientOf({ ...mock, fetch: createNonHangingFetch(mock.handle) }) }
}

/** Creates a mock, a client of it, and a task that the client has created and run. */
export async function createMockWithStartedTask(options: RuleTestMockOptions = {}) {
  const client = createRuleTestClient(options)
  const id = await client.newTask()
  await client.call('runTask', { id })
  return { id, ...client }
}

/** Creates a rule result without findings, for tests of reports. Reports show it whatever its id. */
export const ruleResultWithoutFindings = (
  id: string,
  level: RuleResult['level'],
  outcome: RuleResult['outcome'],
): RuleResult => ({
  ...{
    id: id as RuleResult['id'],
    level,
    outcome,
    section: '§7',
    statement: 'A client <waits> & "sees".',
    situations: 1,
  },
  ...{ findings: [], more_findings: 0, evidence: [], mend: `Fix ${id}.`, needs: `what ${id} needs` },
})

/** The requests of a mock as a recording tells them, for tests that judge a selection of them. */
export const journalEntriesOf = (mock: Mock): JournalEntry[] =>
  readHarExchanges(mock.journal.har())
    .map(createJournalEntryConverter())
    .sort((a, b) => a.number - b.number)

/** Judges the client of an organization of a mock by one rule, and returns the result; `name`: the organization. */
export function ruleResultOnMock(
  mock: Mock,
  id: string,
  options?: JudgeTrafficOptions,
  name = 'demo',
): RuleResult {
  const result = mock
    .organization(name)
    .report(options)
    .rules.find((one) => one.id === id)
  if (!result) throw new Error(`no rule ${id}`)
  return result
}

/** Judges the requests of an organization's client by one rule, and returns the outcome. */
export const ruleOutcomeOnMock = (...parameters: Parameters<typeof ruleResultOnMock>): RuleOutcome =>
  ruleResultOnMock(...parameters).outcome
