/** What is taken for a lost answer, whose credits are spent, and what tells that somebody else is at work. */
import { expect, test } from 'vitest'
import type { Exchange } from '#traffic/exchange.ts'
import type { Transport } from '../client/target.ts'
import { bearer, type TestContext } from '../harness/context.ts'
import { contextOnMock } from '../testing/run.ts'
import { createCreditSource } from './credit-source.ts'
import { envOf } from './env.ts'
import { createOtherClients } from './inventory.ts'
import { type CallStep, payersOf, type Step, type Tenant } from './step.ts'
import { changeOf } from './still.ts'
import { createWire } from './wire.ts'

const common = { kind: 'call', at: 1, tenant: 'main' } as const

const request = { operation: 'whoami', tenant: 'main', resource: undefined, caller: 'main' } as const

function wireOf(transport?: Transport) {
  const t = contextOnMock({}, { transport })
  return { wire: createWire(t), recorder: t.recorder, credentials: bearer(t.settings.apiKey) }
}

test('a mistake in a rule is ours, and no lost answer', async () => {
  const { wire, credentials } = wireOf()
  const nothing = () => undefined
  const answered = () => {
    throw new TypeError('a mistake in a rule')
  }
  wire.listeners.add({ sent: nothing, arranged: nothing, answered })
  await expect(wire.send({ ...request, credentials })).rejects.toThrow('a mistake in a rule')
})

test('an answer that does not come is lost', async () => {
  const { wire, credentials } = wireOf(() => Promise.reject(new TypeError('fetch failed')))
  expect(await wire.send({ ...request, credentials })).toBeUndefined()
  expect(wire.history).toMatchObject([{ operation: 'whoami', answer: null }])
})

test('an answer that is nested too deep is not taken in', async () => {
  const deep = () => Promise.resolve(new Response('['.repeat(2_000) + ']'.repeat(2_000)))
  const { wire, credentials } = wireOf(deep)
  await expect(wire.send({ ...request, credentials })).rejects.toThrow('nested deeper than 500 levels')
})

const run = (tenant: Tenant): Step => ({ ...common, tenant, as: 'key', operation: 'runTask', of: 'task' })

test('each organization pays for what it asks for', async () => {
  const creditSource = createCreditSource(contextOnMock({ maxCredits: 2 }))
  await creditSource.open(['main'])
  const payers = payersOf([run('main'), run('other'), run('main'), run('other'), run('other')])
  expect(payers).toEqual(['main', 'other', 'main', 'other', 'other'])
  expect(creditSource.allows(payers)).toBe(false)
  expect(creditSource.allows(payers.slice(0, 4))).toBe(true)
})

const exchange = (json: unknown) => ({ status: 200, json }) as unknown as Exchange
const call = (operation: CallStep['operation']): CallStep => ({ ...common, as: 'session', operation })
const keys = (...ids: string[]) => [call('listKeys'), exchange({ keys: ids.map((id) => ({ id })) })] as const

test('a list of keys that shows an older one once a newer one is deleted, or one that a replay made, tells nothing', () => {
  const otherClients = createOtherClients('run', new Set(['k0']))
  otherClients.note(...keys('k3', 'k2'))
  otherClients.note(call('deleteKey'), exchange({ ok: true }))
  otherClients.note(...keys('k2', 'k1'))
  expect(otherClients.noticed.size).toBe(0)
  otherClients.note(...keys('k2', 'k0'))
  expect(otherClients.noticed.size).toBe(0)
  otherClients.note(...keys('k4', 'k2'))
  expect(otherClients.noticed.get('main')).toContain('k4')
})

/** What is seen of an organization in which something is done while it is watched, and whenever it is read. */
async function seenWhile(
  beside: (mark: () => Promise<unknown>) => Promise<unknown> | undefined,
  onRead?: (mark: () => Promise<unknown>) => Promise<unknown>,
) {
  const t = contextOnMock({ runId: 'verify-still' })
  const org_id = await t.orgId()
  const mark = () => t.states.setup('unread_notification', { org_id })
  const { target } = t
  const env = envOf({
    ...t,
    recorder: t.recorder,
    target: {
      ...target,
      transport: async (...sent) => {
        if (sent[0].endsWith('/notifications')) await onRead?.(mark)
        return target.transport(...sent)
      },
      sleep: async (ms) => void (await Promise.all([target.sleep(ms), beside(mark)])),
    },
  } as TestContext)
  return changeOf(env, 'main')
}

test('what changes in an organization while nothing is sent is the work of somebody else', async () => {
  const nothing = () => undefined
  expect(await seenWhile((mark) => mark())).toBe('listNotifications changed in 5 s in which nothing was sent')
  expect(await seenWhile(nothing)).toBeUndefined()
  // What changes whenever it is read is not.
  expect(await seenWhile(nothing, (mark) => mark())).toBeUndefined()
})
