/** What tells that somebody else uses an organization. */
import { expect, test } from 'vitest'
import type { Exchange } from '#traffic/exchange.ts'
import { OtherClients } from './inventory.ts'
import type { CallStep } from './step.ts'

const exchange = (json: unknown) => ({ status: 200, json }) as unknown as Exchange
const call = (operation: CallStep['operation']): CallStep => ({
  kind: 'call',
  at: 1,
  tenant: 'main',
  as: 'session',
  operation,
})
const keys = (...ids: string[]) => [call('listKeys'), exchange({ keys: ids.map((id) => ({ id })) })] as const

test('a list of keys that shows an older one once a newer one is deleted, or one that a replay made, tells nothing', () => {
  const otherClients = new OtherClients('run', new Set(['k0']))
  otherClients.note(...keys('k3', 'k2'))
  otherClients.note(call('deleteKey'), exchange({ ok: true }))
  otherClients.note(...keys('k2', 'k1'))
  expect(otherClients.noticed.size).toBe(0)
  otherClients.note(...keys('k2', 'k0'))
  expect(otherClients.noticed.size).toBe(0)
  otherClients.note(...keys('k4', 'k2'))
  expect(otherClients.noticed.get('main')).toContain('k4')
})
