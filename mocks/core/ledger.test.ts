/** What no request can show of the ledger; all else, requests and control calls show (choices.test, ledger.test). */
import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

test('a reserve is refunded exactly once', () => {
  const ledger = new Ledger(() => 'entry')
  ledger.topUp(3, 0)
  const reserve = ledger.reserve('run_1', 0)
  if (!reserve) throw new Error('no credit was reserved')
  ledger.refund(reserve, 5)
  ledger.refund(reserve, 6)
  expect(ledger.balance).toBe(3)
  expect(ledger.entries.filter(({ kind }) => kind === 'refund')).toMatchObject([{ amount: 1, at: 5 }])
})
