/** A client is not charged with what a gateway in front of the service has sent again. */
import { expect, test } from 'vitest'
import { checkedClientOf } from '#mocks/testing/client.ts'
import { createFrozenMock } from '#mocks/testing/mock.ts'
import { ruleOutcomeOnMock } from './testing/rule-result.ts'

/** Requests a run twice, the first of which gets no answer, with these headers. */
async function ranTwice(first: Record<string, string>, second: Record<string, string>, pause = 0) {
  const mock = createFrozenMock({ fault: 'runTask=lost;times=1', runDuration: '0s' })
  const { call, newTask } = checkedClientOf(mock)
  const id = await newTask()
  await call('runTask', { id, headers: first }).catch(() => undefined)
  mock.clock.advance(pause)
  await call('runTask', { id, headers: second })
  return ruleOutcomeOnMock(mock, 'no-blind-repeat')
}

const varnish = (number: string) => ({ via: '1.1 cache (Varnish/7.1)', 'x-varnish': number })
const proxied = { 'x-forwarded-host': 'service.example' }

test('one request that a gateway has numbered and sent again is one request', async () => {
  expect(await ranTwice(varnish('5'), varnish('5'))).toBe('not_exercised')
})

test('two requests that a gateway has numbered apart are two of the client', async () => {
  expect(await ranTwice(varnish('5'), varnish('32770'))).toBe('warned')
})

test("what came at once through a gateway that numbers nothing may be the gateway's, later it is the client's", async () => {
  expect(await ranTwice(proxied, proxied)).toBe('not_exercised')
  expect(await ranTwice(proxied, proxied, 200)).toBe('warned')
  expect(await ranTwice({}, {}, 200)).toBe('warned')
})

test('the retries of a gateway after a 503 are no haste of the client', async () => {
  const paused = async (headers: Record<string, string>) => {
    const mock = createFrozenMock({ fault: 'whoami=unavailable;times=4' })
    const { call } = checkedClientOf(mock)
    for (let i = 0; i < 5; i++) await call('whoami', { headers })
    return ruleOutcomeOnMock(mock, 'pauses-after-503')
  }
  expect(await paused(proxied)).not.toBe('warned')
})
