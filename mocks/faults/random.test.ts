/** Random faults: rates and chaos, reproducible from the seed. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Mock } from '../app.ts'
import { checkedClientOf, collectWhoamiStatuses } from '../testing/client.ts'
import { createFrozenMock } from '../testing/mock.ts'

describe('rates', () => {
  const hits = async (options: Parameters<typeof createFrozenMock>[0], count = 200) =>
    (await collectWhoamiStatuses(createFrozenMock({ rateLimit: 'off', ...options }), count)).map(
      (status) => status !== 200,
    )

  test('a rate affects about the given share of requests', async () => {
    const share = (await hits({ fault: 'whoami=503;rate=0.3' })).filter(Boolean).length / 200
    expect(share).toBeGreaterThan(0.2)
    expect(share).toBeLessThan(0.4)
  })

  test('the same seed affects the same requests, another seed others', async () => {
    const first = await hits({ fault: 'whoami=503;rate=0.3' })
    expect(await hits({ fault: 'whoami=503;rate=0.3' })).toEqual(first)
    expect(await hits({ fault: 'whoami=503;rate=0.3;seed=b' })).not.toEqual(first)
    expect(await hits({ fault: 'whoami=503;rate=0.3', seed: 'b' })).not.toEqual(first)
  })
})

describe('chaos', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  /** Returns the outcomes of a number of calls: a status or `gone`, and whether a fault applied. */
  async function storm(mock: Mock, count: number, name?: string) {
    const { call } = checkedClientOf(mock, name)
    const outcomes: (number | 'gone')[] = []
    for (let i = 0; i < count; i++) {
      const called = call('whoami').then(
        ({ status }) => outcomes.push(status),
        () => outcomes.push('gone'),
      )
      await vi.advanceTimersByTimeAsync(1_000)
      await called
    }
    const faulted = mock.journal.entries({ limit: count }).map(({ reason }) => Number(reason !== null))
    return { outcomes, faulted: faulted.join('') }
  }
  const quick = (options: object) => createFrozenMock({ rateLimit: 'off', ...options })

  test('it is reproducible from its share and the seed, independent of other rules', async () => {
    const first = await storm(quick({ chaos: 0.4, seed: 'storm' }), 40)
    expect(new Set(first.outcomes).size).toBeGreaterThan(3)
    const again = quick({ chaos: 0.4, seed: 'storm', fault: 'getTask=503' })
    await storm(again, 3, 'bob')
    expect(await storm(again, 40)).toEqual(first)
    expect(await storm(quick({ chaos: 0.4, seed: 'else' }), 40)).not.toEqual(first)
  })

  test('written down as a flag, it is the same', async () => {
    const mock = quick({ chaos: 0.6, seed: 'here' })
    const [{ text } = { text: '' }] = mock.faults.list()
    expect(text).toContain(';times=unlimited;rate=0.6;in-a-row=2;id=chaos')
    expect(await storm(quick({ fault: text, seed: 'here' }), 40)).toEqual(await storm(mock, 40))
  })
})
