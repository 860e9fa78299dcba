/** A mutated snapshot is rejected whole, or leaves a mock that answers everything. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { createMock } from '../app.ts'
import { rawClient } from '../testing/client.ts'
import { controlOf } from '../testing/control.ts'
import { frozenMock } from '../testing/mock.ts'
import { isWhole } from '../testing/sample.ts'

type Json = Record<string, unknown>

/** Every place of a value, as names from the top. */
function placesIn(value: unknown, at: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [at]
  const inner = Object.entries(value).flatMap(([name, one]) => placesIn(one, [...at, name]))
  return at.length === 0 ? inner : [at, ...inner]
}

function put(json: Json, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length > 0) put(json[name] as Json, rest, value)
  else json[name] = value
}

const strange = fc.oneof(
  fc.constantFrom(
    null,
    true,
    0,
    -1,
    0.5,
    1e15,
    -1e308,
    1e308,
    8.64e15,
    -8.64e15,
    2 ** 53,
    '',
    ' ',
    '\ud800',
    '\u0000',
    'é\r\n',
    [],
    {},
  ),
  fc.constantFrom('1h', 'a'.repeat(5_000), 'wak_test_x', 'task_1', [[]], [{}], { id: 'a' }),
  fc.string({ unit: 'binary' }),
  fc.double(),
)

const paths = [
  '/ledgers',
  '/state',
  '/requests',
  '/faults',
  '/organizations',
  '/overview',
  '/report',
  '/scenarios',
  '/clock',
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
            put(json, places[i] ?? [], value)
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
          const response = await target.fetch(`http://mock.test/__admin${path}`)
          expect([path, response.status]).not.toEqual([path, 500])
          await response.text()
        }
        expect(target.bugs).toEqual([])
      },
    ),
    { numRuns: isWhole ? 400 : 40 },
  )
}, 60_000)

test.each([
  ['objects', '{},'],
  ['numbers', '1,'],
])(
  'a snapshot of too many %s is refused while it is read',
  async (_, piece) => {
    const mock = createMock()
    const block = new TextEncoder().encode(piece.repeat(1_000_000))
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === 0)
          controller.enqueue(new TextEncoder().encode('{"of":"mock","version":1,"organizations":['))
        if (sent++ < 200) controller.enqueue(block)
        else controller.close()
      },
    })
    const request = new Request('http://mock.test/__admin/state', {
      method: 'PUT',
      body,
      duplex: 'half',
    } as RequestInit)
    const before = process.cpuUsage()
    const response = await mock.handle(request)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ title: expect.stringMatching(/values|MiB/) })
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(20_000)
  },
  30_000,
)
