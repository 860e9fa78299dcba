/** Which organization a key belongs to, and which slot. The suite tests that organizations are isolated (§1, §5.2). */
import { expect, test } from 'vitest'
import { slotOfOrganizationName } from '../config/slots.ts'
import { resettableParts } from '../control/settings.ts'
import type { Mock } from '../mock.ts'
import { checkedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { createFrozenMock, noonMs } from '../testing/mock.ts'

const names = Array.from({ length: 40 }, (_, i) => `org-${i}.credits=3`)
const lower = { slots: '0-511/1024' }

test('names that are alike spread over the slots', () => {
  for (const prefix of ['org-', 'tenant_', '']) {
    const counts = Array.from({ length: 8 }, () => 0)
    for (let i = 0; i < 2_000; i++)
      counts[slotOfOrganizationName(`${prefix}${i}`, 8)] =
        (counts[slotOfOrganizationName(`${prefix}${i}`, 8)] ?? 0) + 1
    expect([Math.min(...counts) > 200, Math.max(...counts) < 300]).toEqual([true, true])
  }
})

test('an organization of another slot is never created: 421, over every door', async () => {
  const mock = createFrozenMock(lower)
  for (const name of names) {
    const isHere = slotOfOrganizationName(name, 1_024) < 512
    const status = async (path: string, init?: RequestInit) =>
      (await mock.fetch(`http://mock${path}`, init)).status
    const headers = { authorization: `Bearer wak_test_${name}` }
    const session = { cookie: `work_agent_session=was_test_${encodeURIComponent(name)}` }
    const body = JSON.stringify({ organization: name })
    expect([
      await status('/api/cli/whoami', { headers }),
      await status('/api/cli/keys', { headers: session }),
      await status('/api/cli/nowhere', { headers }),
      await status('/__admin/ledger', { headers }),
      await status('/__admin/login', { method: 'POST', body }),
    ]).toEqual(isHere ? [200, 200, 404, 200, 200] : [421, 421, 421, 421, 421])
    if (!isHere) expect(() => mock.organization(name).ledgers()).toThrow('; this mock has 0-511/1024.')
  }
  expect(mock.ledgers().length).toBe(names.filter((name) => slotOfOrganizationName(name, 1_024) < 512).length)
})

test.each([
  'ada',
  'ada.credits=0',
  'ada'.padEnd(200, 'a'),
])('%s has a second organization beside it', async (name) => {
  const mock = createFrozenMock()
  const { apiKey, otherApiKey } = mock.credentials(name)
  const callers = [apiKey, otherApiKey].map((key) => createControlClient(mock, key).done('GET /ledger'))
  const [[own], [other]] = (await Promise.all(callers)).map(({ ledgers }) => ledgers)
  expect(own.org_id).not.toBe(other.org_id)
})

test('requests without a credential get their usual answers', async () => {
  const mock = createFrozenMock(lower)
  for (const [path, status] of [
    ['/api/cli/whoami', 401],
    ['/api/cli/keys', 401],
    ['/artifacts/org_1/artifact_1.svg', 404],
    ['/', 200],
  ] as const)
    expect([path, (await mock.fetch(`http://mock${path}`)).status]).toEqual([path, status])
})

test('a restored state keeps the organizations of the slots, and no slots', async () => {
  const whole = createFrozenMock()
  for (const name of names) await checkedClientOf(whole, name).newTask()
  const snapshot = whole.snapshot()
  const halves = ['0-511/1024', '512-1023/1024'].map((slots) => {
    const half = createFrozenMock({ slots })
    half.restore(snapshot)
    expect(JSON.stringify(half.snapshot())).not.toContain('/1024')
    return half.ledgers().map(({ org_id }) => org_id)
  })
  expect(halves.flat().sort()).toEqual(
    whole
      .ledgers()
      .map(({ org_id }) => org_id)
      .sort(),
  )
  expect(Math.min(...halves.map(({ length }) => length))).toBeGreaterThan(0)
})

test.each(['0-1024/1024', '5-4/10', '1/0', '-1/4', '0,/4', '0-3'])('slots %j are refused', (slots) => {
  expect(() => createFrozenMock({ slots })).toThrow(
    'slots takes the slots of this mock and their number in all, such as 0-255/1024',
  )
})

const options = { seed: 'apart', runOutcome: 0.5, rateLimit: '50/60s', fault: 'createTask=ok,ok,ok' }

/** Returns the visible state of each part. */
async function visibleState(mock: Mock, name: string) {
  const org = mock.organization(name)
  return {
    state: (await checkedClientOf(mock, name).call('listTasks')).body.items.length,
    faults: org.faults.list().map(({ matched }) => matched),
    journal: org.journal.count({ operation: 'createTask' }),
    clock: org.clock.now(),
  }
}

test.each(
  resettableParts,
)('resetting the %s changes nothing else, and that of an organization no other one', async (part) => {
  for (const whole of [true, false]) {
    const mock = createFrozenMock(options)
    const fresh = await visibleState(mock, 'ada')
    await checkedClientOf(mock, 'bob').call('runTask', { id: await checkedClientOf(mock, 'bob').newTask() })
    await checkedClientOf(mock, 'ada').newTask()
    for (const name of ['ada', 'bob']) mock.organization(name).clock.set(noonMs + 5_000)
    const used = await visibleState(mock, 'ada')
    expect(used).toEqual({ state: fresh.state + 1, faults: [1], journal: 1, clock: noonMs + 5_000 })
    const bob = mock.organization('bob')
    const ofBob = () =>
      JSON.stringify([bob.snapshot(), bob.journal.entries(), bob.faults.list(), bob.ledgers()])
    const before = ofBob()
    if (whole) mock.reset(part)
    else await createControlClient(mock, mock.credentials('ada').apiKey).done(`POST /reset/${part}`)
    if (whole && part === 'clock') {
      expect(mock.clock.frozen).toBe(false)
      mock.clock.freeze(noonMs)
    }
    expect(await visibleState(mock, 'ada')).toEqual({ ...used, [part]: fresh[part] })
    if (whole) continue
    await createControlClient(mock, mock.credentials('ada').apiKey).done('POST /reset')
    expect(ofBob()).toBe(before)
  }
})

test('a reset organization is still found by its id', async () => {
  const mock = createFrozenMock()
  const control = createControlClient(mock)
  const org_id = await checkedClientOf(mock, 'ada').orgId()
  await control.done('POST /reset')
  const body = { org_id, set: 7 }
  expect(await control.done('POST /credits', { body })).toEqual({ org_id, credits: 7, credits_before: 25 })
  expect((await control.call('POST /credits', { body: { ...body, org_id: 'org_none' } })).status).toBe(404)
})

test('a key with a byte beyond ASCII is unknown', async () => {
  const mock = createFrozenMock()
  const headers = { authorization: 'Bearer wak_test_é' }
  expect((await mock.fetch('http://mock.test/api/cli/whoami', { headers })).status).toBe(401)
})
