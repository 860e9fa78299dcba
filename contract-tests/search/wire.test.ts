/** What is taken for a lost answer, and what is not. */
import { expect, test } from 'vitest'
import { Unreachable } from '../client/check-errors.ts'
import type { Transport } from '../client/target.ts'
import { bearer } from '../harness/context.ts'
import { contextOnMock } from '../testing/run.ts'
import { createWire } from './wire.ts'

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

test('a service whose answers are too large together is not asked any more', async () => {
  const { wire, recorder, credentials } = wireOf()
  recorder.keptBytes = 256 * 2 ** 20 + 1
  await expect(wire.send({ ...request, credentials })).rejects.toThrow(Unreachable)
})
