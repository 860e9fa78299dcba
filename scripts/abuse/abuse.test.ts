/** A minute's worth of `npm run abuse`, drawn anew each time. */
import { expect, test } from 'vitest'
import { builtCliPath } from '#cli/testing/command.ts'
import { runProcess } from '#cli/testing/run.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { testMachineFaults } from './machine.ts'
import { drawHostileClientBehaviour, sendHostileRequests } from './requests.ts'
import { ledgerProblemsOf, runSoakTest } from './soak.ts'

process.env.ABUSE_COMMAND = builtCliPath

const seed = String(Date.now())

test(`seed ${seed}: hostile requests end nothing, and get only answers of the contract`, {
  timeout: 240_000,
}, async () => {
  expect((await sendHostileRequests(seed, isExhaustiveTestRun ? 20_000 : 1_000)).findings).toEqual([])
})

test(`seed ${seed}: faults of the machine lose nothing`, { timeout: 240_000 }, async () => {
  expect(await testMachineFaults(seed, isExhaustiveTestRun ? 40 : 1)).toEqual([])
})

test(`seed ${seed}: under load every ledger is exact`, { timeout: 240_000 }, async () => {
  const { findings, requests, ledgers } = await runSoakTest(isExhaustiveTestRun ? 0.25 : 0.01, seed)
  expect(findings).toEqual([])
  expect([requests > 0, ledgers > 0]).toEqual([true, true])
})

test('the same seed draws the same connections', () => {
  expect(drawHostileClientBehaviour('a', 7)).toEqual(drawHostileClientBehaviour('a', 7))
})

test('a ledger with a second refund, or a wrong sum, is not exact', () => {
  const entry = (kind: string, amount: number, balance: number) => ({ kind, amount, balance, subject: 'run' })
  const sums = { reserved: 0, spent: 0, added: 2 }
  const entries = [
    { ...entry('top_up', 2, 2), subject: null },
    entry('reserve', -1, 1),
    entry('refund', 1, 2),
  ]
  expect(ledgerProblemsOf({ ...sums, balance: 2, entries })).toEqual([])
  expect(
    ledgerProblemsOf({ ...sums, balance: 3, entries: [...entries, entry('refund', 1, 3)] }),
  ).toHaveLength(2)
  expect(ledgerProblemsOf({ ...sums, balance: 1, entries })).toHaveLength(1)
})

test('an option that does not exist is refused in one line', async () => {
  const { code, said } = await runProcess('.', process.execPath, [
    'scripts/choose.ts',
    'abuse',
    '--requets',
    '3',
  ])
  expect([code, said]).toEqual([2, "npm run abuse: Unknown option '--requets'\n"])
})
