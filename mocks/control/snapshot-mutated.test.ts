/** A mutated snapshot is rejected whole and with a reason, or leaves a mock that answers everything. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { createMock } from '../app.ts'
import { rawClient } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock, tenantOf } from '../testing/mock.ts'
import { isWhole } from '../testing/sample.ts'

type Json = Record<string, unknown>

/** Every place of a value, as names from the top. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]))
  return at.length === 0 ? inner : [at, ...inner]
}

/** Changes the value at a place. */
function edit(
  json: Json,
  [name = '', ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): void {
  if (rest.length > 0) edit(json[name] as Json, rest, change)
  else json[name] = change(json[name])
}

const strange = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 0.5, 1e15, -1e308, 1e308, 8.64e15, -8.64e15, 2 ** 53, [], {}),
  fc.constantFrom('', ' ', '\ud800', '\u0000', 'é\r\n'),
  fc.constantFrom('1h', 'a'.repeat(5_000), 'wak_test_x', 'task_1', [[]], [{}], { id: 'a' }),
  fc.string({ unit: 'binary' }),
  fc.double(),
)

const paths = [
  'ledger',
  'state',
  'requests',
  'faults',
  'organizations',
  'overview',
  'report',
  'scenarios',
  'clock',
]

async function lived() {
  const mock = frozenMock({ seed: 'mutated', credits: 30, fault: 'whoami=ok,503', strictClient: 'q' })
  const { call, newTask } = rawClient(mock, 'ada')
  await call('runTask', { id: await newTask() })
  await call('runTask', { id: await newTask() })
  await call('createKey', { body: { name: 'CI' } })
  await call('createDocument', { body: { title: 'A', content_md: 'B' } })
  await call('generateCreative', { body: { prompt: 'A tree' } })
  return mock
}

test('a mutated snapshot is refused with 400, or leaves a mock that answers every route', async () => {
  const mock = await lived()
  const whole = JSON.stringify(mock.snapshot())
  const places = placesIn(JSON.parse(whole))
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: places.length - 1 }), strange), { minLength: 1, maxLength: 2 }),
      async (mutations) => {
        const json = JSON.parse(whole)
        for (const [i, value] of mutations)
          try {
            edit(json, places[i] ?? [], () => value)
          } catch {
            // The first mutation took away the place of the second.
          }
        const target = createMock({ seed: 'mutated' })
        const control = controlOf(target)
        const { status, body } = await control.call('PUT /state', { body: json })
        expect(target.bugs).toEqual([])
        if (status !== 200) return void expect([status, typeof body.title]).toEqual([400, 'string'])
        const client = rawClient(target, 'ada')
        for (const operation of operationIds)
          expect(
            (await client.call(operation, { id: 'x', body: { text: 'a', title: 'a', name: 'a' } })).status,
          ).not.toBe(500)
        for (const path of paths) {
          const response = await target.fetch(`http://mock.test/__admin/${path}`)
          expect([path, response.status]).not.toEqual([path, 500])
          await response.text()
        }
        expect(target.bugs).toEqual([])
      },
    ),
    { numRuns: isWhole ? 400 : 40 },
  )
})

test('a snapshot of too many values is refused while it is read', async () => {
  const block = new TextEncoder().encode('1,'.repeat(1_000_000))
  let sent = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === 0)
        controller.enqueue(new TextEncoder().encode('{"of":"mock","version":1,"organizations":['))
      if (sent++ < 200) controller.enqueue(block)
      else controller.close()
    },
  })
  const init = { method: 'PUT', body, duplex: 'half' } as RequestInit
  const response = await createMock().handle(new Request('http://mock.test/__admin/state', init))
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ title: expect.stringMatching(/more than \d+ values/) })
  expect(sent).toBeLessThan(200)
})

const options = { seed: 'snap', runOutcome: 0.4, credits: 9, rateLimit: '200/60s' }

const copyOf = <T>(json: T): T => JSON.parse(JSON.stringify(json))

/** Changes that invalidate a snapshot: a name, a path and the change of its value. */
const invalid: [string, string, (value: unknown) => unknown][] = [
  ['no kind', 'of', () => undefined],
  ['another version', 'version', () => 2],
  ['an invalid option', 'options.credits', () => -1],
  ['an unknown option', 'options.nope', () => 1],
  ['no clock', 'clock', () => undefined],
  ['an organization twice', 'organizations', (list) => [list, list].flat()],
  ['a task without text', 'organizations.0.state.tasks.0.text', () => undefined],
  ['an id twice', 'organizations.0.state.documents.0.id', () => 'document_2'],
  ['a run without an agent', 'organizations.0.state.agent.active', () => null],
  ['an agent without a run', 'organizations.0.state.agent.waiting', () => ['task_none']],
  ['an invalid random state', 'organizations.0.state.chance.ids', () => [1, 2]],
  ['a time that no Date holds', 'organizations.0.state.tasks.0.created_at', () => -1e308],
  ['an end that no Date holds', 'organizations.0.state.tasks.0.run.ends_at', () => 1e16],
  ['a rule id that no header holds', 'faults.rules.0.id', () => '\ud800'],
  ['a task id that no path holds', 'organizations.0.state.tasks.0.id', () => '\ud800'],
  ['more credits than numbers can tell', 'organizations.0.state.ledger.0.amount', () => 1e308],
  ['an unknown fault', 'faults.rules.0.faults', () => ['nope']],
]

test.each(
  invalid,
)('a snapshot with %s is rejected with a reason and changes nothing', async (_, path, change) => {
  const { mock, call, newTask } = tenantOf({ ...options, fault: 'whoami=ok,503' }, 'ada')
  await call('runTask', { id: await newTask() })
  const before = copyOf(mock.snapshot())
  const json = copyOf(before)
  edit(json, 'organizations.0.state.documents.1.id'.split('.'), () => 'document_2')
  edit(json, path.split('.'), change)
  const { status, body } = await controlOf(mock).call('PUT /state', { body: json })
  expect(status).toBe(400)
  expect(body.title).toMatch(/.{20,}/)
  expect(copyOf(mock.snapshot())).toEqual(before)
})

test.each([
  [{}, 'Invalid snapshot: of: takes mock or organization.'],
  [[], 'Invalid snapshot: it: takes an object.'],
])('%j is refused in plain words', (json, message) => {
  expect(() => frozenMock().restore(json as never)).toThrow(message)
})
