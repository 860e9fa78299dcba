/** Mocks behind HAProxy: each organization has one of them, and nobody else answers for it. */
import { describe, expect, test } from 'vitest'
import { variants } from '#contract/route.ts'
import { judgeHistory } from '#contract-tests/model/index.ts'
import { slotOfOrganizationName } from '#mocks/config/slots.ts'
import { createMock, listen } from '#mocks/index.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { verifyWithReport } from '../verify/testing/service.ts'
import { hasHaproxy, slotCount, startFleet } from './testing/fleet.ts'
import { startFleetLoad } from './testing/load.ts'

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}-${i}`)

/** Verdict of `verify` on a service, requirement by requirement. */
async function verdictOn(url: string) {
  const keys = '--api-key wak_test_ada --other-api-key wak_test_grace'
  const session = '--session-cookie work_agent_session=was_test_ada'
  const limits = '--max-credits 20 --run-timeout 5s'
  const only = isExhaustiveTestRun ? '' : '--only ISOLATION-*,KEY-*,DOC-*'
  const { totals, requirements } = (await verifyWithReport(`${url} ${keys} ${session} ${limits} ${only}`))
    .report
  // On a busy machine, a short run is over before its task is requested again.
  const told = requirements.filter(({ id }) => id !== 'RUN-TWICE')
  return { totals, outcomes: told.map(({ id, outcome }) => `${id} ${outcome}`) }
}

/** Ids that a mock makes lead to it, and a control call without a key is refused with the addresses to ask. */
async function expectLedToItsMock({ url, nodes }: Awaited<ReturnType<typeof startFleet>>) {
  const all = await fetch(`${url}/__admin/reset`, { method: 'POST' })
  expect([all.status, await all.text()]).toEqual([421, expect.stringContaining(nodes[1]?.address ?? 'none')])
  for (const name of names('maker', 8)) {
    const key = `Bearer wak_test_${name}`
    expect((await fetch(`${url}/__admin/ledger`, { headers: { authorization: key } })).status).toBe(200)
    const post = (path: string, headers: HeadersInit, body: object) =>
      fetch(`${url}/api/cli/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const cookie = `work_agent_session=was_test_${encodeURIComponent(name)}`
    const { secret } = await (await post('keys', { cookie }, { name: 'Laptop' })).json()
    const whoami = (authorization: string) =>
      fetch(`${url}/api/cli/whoami`, { headers: { authorization } }).then((answer) => answer.json())
    expect((await whoami(`bearer  ${secret}`)).org).toEqual((await whoami(key)).org)
    const creative = await post('creative/generate', { authorization: key }, { prompt: 'A calm sea' })
    expect((await fetch((await creative.json()).url)).status).toBe(200)
  }
}

if (!hasHaproxy)
  test('mocks behind HAProxy', ({ skip }) => skip('there is no haproxy: apt-get install haproxy'))

describe.runIf(hasHaproxy)('behind HAProxy', () => {
  test.each(
    isExhaustiveTestRun ? [1, 2, 4] : [2],
  )('%d mocks pass verify as one does, in either variant, and what one makes leads to it', async (count) => {
    for (const variant of isExhaustiveTestRun ? variants : (['second'] as const)) {
      const flags = `--variant ${variant} --run-duration 100ms`
      const fleet = await startFleet(count, flags)
      const { url, check } = fleet
      expect([check.status, check.stderr.includes('ALERT')]).toEqual([0, false])
      // First: HAProxy closes connections that are idle for as long as a verdict takes.
      if (count > 1) await expectLedToItsMock(fleet)
      await using alone = await listen(createMock({ variant, runDuration: '100ms' }))
      const through = await verdictOn(url)
      expect(through.totals).toMatchObject({ failed: 0, harness_error: 0 })
      expect(through.outcomes).toEqual((await verdictOn(alone.url)).outcomes)
    }
  })

  test('while a mock is killed and returns, every answer is right, or 502 or 503 for its slots alone', {
    timeout: 600_000,
  }, async () => {
    const [count, organizations, requests] = isExhaustiveTestRun ? [4, 500, 200_000] : [2, 24, 500]
    const { url, mocks, start } = await startFleet(count, '--rate-limit off --run-duration 20ms')
    const killed = 1
    const isOfKilled = (name: string) =>
      Math.floor((slotOfOrganizationName(name, slotCount) * count) / slotCount) === killed
    const load = startFleetLoad(url, requests)
    const clients = names('org', organizations).map((name) => load.client(name))
    await load.until(0.3)
    await mocks[killed]?.stop('SIGKILL')
    await load.until(0.6)
    await start(killed)
    await Promise.all(clients)
    expect(load.refused.length).toBeGreaterThan(0)
    expect(load.refused.filter((name) => !isOfKilled(name))).toEqual([])
    expect(
      judgeHistory(load.events).violations.map(({ requirement, actual }) => [requirement, actual]),
    ).toEqual([])
  })
})
