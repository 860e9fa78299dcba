import { expect, test } from 'vitest'
import { LostChargeTracker } from './charges.ts'

/** A tracker of charges that has read a balance. */
function withBalance(credits: number): LostChargeTracker {
  const charges = new LostChargeTracker()
  charges.read()(credits)
  return charges
}

test('a lost request may have cost a credit until a balance shows that it did not', () => {
  const charges = withBalance(20)
  charges.begin(1)('lost')
  expect(charges).toMatchObject({ open: 1, spent: 0 })
  charges.read()(20)
  expect(charges).toMatchObject({ open: 0, spent: 0 })
})

test('a credit that is missing is that of a lost request, and not of one that was accepted', () => {
  const charges = withBalance(20)
  for (const end of ['lost', 'taken', 'lost', 'not taken'] as const) charges.begin(1)(end)
  charges.read()(18)
  expect(charges).toMatchObject({ open: 0, spent: 1 })
  // A refund may show late; more than was lost is somebody else's.
  charges.read()(15)
  expect(charges).toMatchObject({ open: 0, spent: 2 })
})

test('a balance that was read while something was paid, or after it was set, gives nothing back', () => {
  const charges = withBalance(20)
  const end = charges.begin(1)
  charges.read()(20)
  const take = charges.read()
  end('lost')
  take(20)
  expect(charges.open).toBe(1)
  charges.forget()
  charges.read()(30)
  expect(charges.open).toBe(1)
  charges.read()(30)
  expect(charges.open).toBe(0)
})
