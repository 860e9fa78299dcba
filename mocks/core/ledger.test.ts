/** Credits are reserved before use, refunded once and never negative (§3.2, §8.2). */
import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

const day = 86_400_000
const sumOf = (ledger: Ledger) => ledger.entries.reduce((sum, { amount }) => sum + amount, 0)

function ledgerWith(credits: number): Ledger {
  let next = 0
  const ledger = new Ledger(() => `entry_${next++}`)
  ledger.topUp(credits, 0)
  return ledger
}

test('a reserved credit cannot be spent again', () => {
  const ledger = ledgerWith(1)
  expect(ledger.reserve('run_1', 0)).toMatchObject({ kind: 'reserve', amount: -1, subject: 'run_1' })
  expect(ledger.balance).toBe(0)
  expect(ledger.reserve('run_2', 0)).toBeUndefined()
  expect(ledger.balance).toBe(0)
})

test('a rejected reserve adds no entry', () => {
  const ledger = ledgerWith(0)
  const before = ledger.entries.length
  ledger.reserve('run_1', 0)
  expect(ledger.entries).toHaveLength(before)
})

test('less than a whole credit cannot be reserved', () => {
  const ledger = ledgerWith(0.9)
  expect(ledger.solvent).toBe(false)
  expect(ledger.reserve('run_1', 0)).toBeUndefined()
})

test('a reserve is refunded exactly once', () => {
  const ledger = ledgerWith(3)
  const reserve = ledger.reserve('run_1', 0)
  if (!reserve) throw new Error('no credit was reserved')
  ledger.refund(reserve, 5)
  ledger.refund(reserve, 6)
  expect(ledger.balance).toBe(3)
  expect(ledger.entries.filter(({ kind }) => kind === 'refund')).toMatchObject([
    { amount: 1, at: 5, subject: 'run_1' },
  ])
})

test('the balance is the sum of the entries', () => {
  const ledger = ledgerWith(5)
  for (const subject of ['a', 'b', 'c']) {
    const reserve = ledger.reserve(subject, 0)
    if (reserve && subject !== 'b') ledger.refund(reserve, 1)
  }
  ledger.setBalance(17, 2)
  ledger.topUp(-4, 3)
  expect(ledger.balance).toBe(13)
  expect(sumOf(ledger)).toBe(13)
})

test('removing more credits than available leaves zero', () => {
  const ledger = ledgerWith(2)
  ledger.topUp(-5, 0)
  expect(ledger.balance).toBe(0)
  expect(sumOf(ledger)).toBe(0)
})

test.each([
  0, 0.1, 7, 12.34, 1e12,
])('the balance can be set to exactly %d, also from a fraction', (credits) => {
  const ledger = ledgerWith(25.7)
  ledger.setBalance(credits, 0)
  expect(ledger.balance).toBe(credits)
  expect(sumOf(ledger)).toBe(credits)
})

test('usedToday counts reserves of the UTC day that were not refunded', () => {
  const ledger = ledgerWith(9)
  ledger.reserve('yesterday', day - 1)
  expect(ledger.usedToday(day - 1)).toBe(1)
  expect(ledger.usedToday(day)).toBe(0)
  const reserve = ledger.reserve('a', day)
  ledger.reserve('b', day + 1)
  expect(ledger.usedToday(day + 2)).toBe(2)
  if (reserve) ledger.refund(reserve, day + 3)
  expect(ledger.usedToday(2 * day - 1)).toBe(1)
})

test('a refund of a reserve of yesterday does not reduce usedToday', () => {
  const ledger = ledgerWith(9)
  const yesterday = ledger.reserve('a', day - 1)
  ledger.reserve('b', day)
  if (yesterday) ledger.refund(yesterday, day + 1)
  expect(ledger.usedToday(day + 1)).toBe(1)
})
