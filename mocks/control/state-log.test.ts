/** The log of a mock: whatever happens, and however little of it is written at a time, it reads back as the mock is. */
import { expect, test } from 'vitest'
import { createMock } from '../app.ts'
import { createRandom } from '../core/random.ts'
import { type Mock, mockPartsOf } from '../mock.ts'
import { checkedClientOf, uncheckedClientOf } from '../testing/client.ts'
import { createControlClient } from '../testing/control.ts'
import { sampleUnlessExhaustive } from '../testing/sample.ts'
import { createStateLog, parseStateFile } from './state-log.ts'

type Deed = (mock: Mock, name: string) => unknown

/** A request of a client, which goes on whatever fails. */
const deed =
  (act: (client: ReturnType<typeof uncheckedClientOf>) => Promise<unknown>): Deed =>
  (mock, name) =>
    act(uncheckedClientOf(mock, name)).catch(() => undefined)

const first = (listed: unknown) => (listed as { id: string }[] | undefined)?.[0]?.id ?? 'none'

/** One request of each kind that clients send. */
const calls: readonly Deed[] = [
  deed(({ newTask }) => newTask()),
  deed(async ({ call, newTask }) => call('runTask', { id: await newTask('Run') })),
  deed(async ({ call }) => call('getTask', { id: first((await call('listTasks')).body.items) })),
  deed(async ({ call }) =>
    call('readNotification', { id: first((await call('listNotifications')).body.items) }),
  ),
  deed(({ call }) => call('createKey', { body: { name: 'CI' } })),
  deed(async ({ call }) => call('deleteKey', { id: first((await call('listKeys')).body.keys) })),
  deed(({ call }) => call('createDocument', { body: { title: 'Notes', content_md: '# a' } })),
  deed(({ call }) => call('createLandingPage', { body: { spec: { a: [1, null] } } })),
  deed(({ call }) => call('generateCreative', { body: { prompt: 'sea', size: '64x64' } })),
]

const setState = (mock: Mock, name: string, state: string, params: object = {}) => {
  const org_id = mock.organization(name).id
  return createControlClient(mock).done('POST /states', {
    body: { state, action: 'setup', params: { org_id, ...params } },
  })
}

/** Control calls of operators. */
const controls: readonly Deed[] = [
  (mock, name) => setState(mock, name, 'next_run_fails'),
  (mock, name) => setState(mock, name, 'agent_busy', { duration_ms: 4_000 }),
  (mock, name) => mock.organization(name).setCredits(2),
  (mock, name) => mock.organization(name).faults.add('listLeads=503;times=3'),
  (mock) => mock.faults.add('whoami=lost,ok;rate=0.5'),
  (mock) => mock.clock.advance(1_500),
  (mock, name) => mock.organization(name).clock.advance(700),
  (mock, name) => mock.organization(name).scenarios.start('second-variant'),
  (mock, name) => mock.organization(name).reset(),
  (mock) => mock.reset('state'),
  (mock) => mock.restore(mock.snapshot()),
]

/** A mock, its log and what was written of it. */
function logged(options: Parameters<typeof createMock>[0]) {
  const mock = createMock(options)
  mock.clock.freeze()
  let text = `${JSON.stringify(mock.snapshot())}\n`
  const log = createStateLog(mockPartsOf(mock), true)
  let going: Iterator<string> | undefined
  return {
    mock,
    log,
    /** Writes a little, or with `whole` all that has changed. */
    write(whole: boolean) {
      for (;;) {
        going ??= log.changes()
        const { value, done } = going.next()
        if (!done) text += value
        else going = undefined
        if (done || !whole) return
      }
    },
    text: () => text,
  }
}

/** Names what differs between two values of JSON. */
function differences(one: unknown, other: unknown, at = ''): string[] {
  if (typeof one !== 'object' || typeof other !== 'object' || !one || !other)
    return Object.is(one, other) ? [] : [`${at}: ${JSON.stringify(one)} is ${JSON.stringify(other)}`]
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...names].flatMap((name) =>
    differences(Reflect.get(one, name), Reflect.get(other, name), `${at}.${name}`),
  )
}

const seeds = sampleUnlessExhaustive(
  Array.from({ length: 60 }, (_, i) => `${i}`),
  15,
)

test.each(seeds)('what is written in between is the state in the end, seed %s', async (seed) => {
  const random = createRandom(seed)
  const pick = (count: number) => Math.floor(random.fraction() * count)
  const journal = pick(2) === 0 ? 0 : 100
  const { mock, log, write, text } = logged({ seed, journal, rateLimit: '200/60s', runOutcome: 0.4 })
  for (let step = 0; step < 60; step++) {
    const isControl = pick(5) === 0
    const deeds = isControl ? controls : calls
    await deeds[pick(deeds.length)]?.(mock, ['ada', 'bob'][pick(2)] as string)
    if (isControl) log.controlled()
    if (pick(2) === 0) write(pick(2) === 0)
    // Whatever is in the file, a mock can begin with it.
    if (pick(6) === 0) createMock().restore(parseStateFile(text()).snapshot as ReturnType<Mock['snapshot']>)
  }
  write(true)
  write(true)
  expect(differences(parseStateFile(text()).snapshot, mock.snapshot())).toEqual([])
})

test('rows that change while a large organization is written are of one moment', async () => {
  const { mock, log, write, text } = logged({ past: 500, credits: 500, runDuration: '1s' })
  const { call, newTask } = checkedClientOf(mock, 'ada')
  for (let step = 0; step < 30; step++) {
    await call('runTask', { id: await newTask() })
    mock.clock.advance(600)
    log.controlled()
    write(false)
    if (step % 3 > 0) continue
    const { organizations } = parseStateFile(text()).snapshot as ReturnType<Mock['snapshot']> & {
      organizations: []
    }
    if (step % 9 === 0) createMock().restore({ ...mock.snapshot(), organizations } as never)
  }
  write(true)
  write(true)
  expect(differences(parseStateFile(text()).snapshot, mock.snapshot())).toEqual([])
})

test('what nobody called is not written', async () => {
  const { log, mock } = logged({})
  await checkedClientOf(mock, 'ada').call('whoami')
  expect([...log.changes()].join('')).toContain('"organization":"ada"')
  expect([...log.changes()]).toEqual([])
  await checkedClientOf(mock, 'bob').newTask()
  const lines = [...log.changes()].join('')
  expect(lines).toContain('"organization":"bob"')
  expect(lines).not.toContain('"organization":"ada"')
})

test.each<[string, string, string | number]>([
  ['nothing', '', 0],
  ['half a line', '{"organization":"ada","ro', 0],
  ['a line without its end', '{"mock":{"options":{"credits":1}},"gone":[]}', 0],
  [
    'rows that nothing completes',
    '{"organization":"ada","fresh":true}\n{"organization":"ada","rows":{}}\n',
    0,
  ],
  ['an organization that is gone', '{"mock":{},"gone":["bob"]}\n', 0],
  [
    'half a line in the middle',
    '{"organiz\n{"mock":{},"gone":[]}\n',
    'line 2 holds no change; delete it and',
  ],
  ['other JSON', '{"mock":{},"gone":[]}\n{"a":1}\n', 'line 3 holds no change; delete it and'],
])('a snapshot and %s', (_, rest, message) => {
  const first = `${JSON.stringify(createMock().snapshot())}\n`
  if (typeof message === 'string') expect(() => parseStateFile(first + rest)).toThrow(message)
  else expect(parseStateFile(first + rest).snapshot).toEqual(JSON.parse(first))
})

test('a snapshot is read in any layout', () => {
  const snapshot = createMock().snapshot()
  for (const [text, isPlain] of [
    [JSON.stringify(snapshot), false],
    [`${JSON.stringify(snapshot)}\n`, true],
    [`${JSON.stringify(snapshot, null, 2)}\n`, false],
  ] as const)
    expect(parseStateFile(text)).toEqual({ snapshot, isPlain })
})
