/** `--state FILE`: a mock goes on where the one before it ended, however that one ended. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { lightFetch } from '../testing/light-fetch.ts'
import { runCli, runHere, startMock, testFolder } from '../testing/mock-process.ts'

const stateIn = (folder: string) => join(folder, 'state.json')
const start = (file: string, ...flags: string[]) => startMock(['--log', 'off', '--state', file, ...flags])

/** Creates a task; returns its id. */
async function create(ask: Awaited<ReturnType<typeof startMock>>['ask'], text: string): Promise<string> {
  const response = await ask('tasks', { method: 'POST', body: JSON.stringify({ text }) })
  return (await response.json()).task.id
}

/** Waits until the file holds a text; the time is far above the second that it takes. */
const writtenTo = (file: string, text: string) =>
  vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain(text), { timeout: 15_000, interval: 50 })

test.each([
  'SIGTERM',
  'SIGINT',
] as const)('what happened before %s is there after a start', async (signal) => {
  const file = stateIn(testFolder())
  const first = await start(file)
  const id = await create(first.ask, 'Say hello')
  await first.ask(`tasks/${id}/run`, { method: 'POST' })
  await fetch(`${first.ready.url}/__admin/faults`, { method: 'POST', body: '{"rule":"listLeads=503"}' })
  expect((await first.stop(signal)).code).toBe(0)

  const second = await start(file)
  expect(await (await second.ask('whoami')).json()).toMatchObject({ credits: 24 })
  expect(await (await second.ask(`tasks/${id}`)).json()).toMatchObject({ task: { id, text: 'Say hello' } })
  expect((await second.ask('leads')).status).toBe(503)
  expect(second.output.out).toMatch(/^ {2}fault f1 {8}listLeads=unavailable$/m)
  expect(second.output.out).toContain(`  state           ${file}; mock time 20`)
})

test('the file is a snapshot, also for a mock in a test, and for the control route', async () => {
  const file = stateIn(testFolder())
  const first = await start(file, '--credits', '7')
  await first.ask('whoami')
  await first.stop('SIGTERM')
  const mock = createMock()
  mock.restore(JSON.parse(readFileSync(file, 'utf8')))
  expect(mock.ledgers()).toMatchObject([{ balance: 7 }])

  writeFileSync(file, JSON.stringify(mock.snapshot()))
  const second = await start(file)
  expect(await (await second.ask('whoami')).json()).toMatchObject({ credits: 7 })
  expect(second.output.err).toBe('')
})

test('kill -9 loses at most what is not written yet, and leaves a whole file', async () => {
  const folder = testFolder()
  const first = await start(stateIn(folder))
  const early = await create(first.ask, 'early')
  await writtenTo(stateIn(folder), early)
  const late = await create(first.ask, 'late')
  await writtenTo(stateIn(folder), late)
  await first.stop('SIGKILL')
  expect(readdirSync(folder)).toEqual(['state.json'])
  const { ask } = await start(stateIn(folder))
  for (const id of [early, late]) expect((await ask(`tasks/${id}`)).status).toBe(200)
})

test('control calls are changes', async () => {
  const file = stateIn(testFolder())
  const { ready } = await start(file)
  await fetch(`${ready.url}/__admin/faults`, { method: 'POST', body: '{"rule":"listLeads=503"}' })
  await writtenTo(file, 'listLeads')
})

test('options of the file hold, and a flag that says otherwise is reported', async () => {
  const file = stateIn(testFolder())
  const first = await start(file, '--credits', '3', '--cors')
  await first.ask('whoami')
  await first.stop('SIGTERM')
  const second = await start(file, '--credits', '5', '--cors', '--seed', 'other')
  expect(second.output.err).toBe(
    `mock: ${file} holds the options that its mock began with; no effect: --credits 5 --seed other\n`,
  )
  const me = await second.ask('whoami', { headers: { origin: 'https://app.example' } })
  expect(await me.json()).toMatchObject({ credits: 3 })
  expect(me.headers.get('access-control-allow-origin')).toBe('https://app.example')
})

test('the state of a command is kept too', () => {
  const file = stateIn(testFolder())
  const script = `${lightFetch}
    const { status } = await fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/whoami',
    { headers: { authorization: 'Bearer wak_test_ada' } })
    process.exitCode = status === 200 ? 0 : 1`
  const command = ['--', process.execPath, '--input-type=module', '-e', script]
  expect(runCli(['mock', '--state', file, ...command]).status).toBe(0)
  expect(readFileSync(file, 'utf8')).toContain('"name":"ada"')
})

const whole = JSON.stringify(createMock().snapshot())
const one = JSON.stringify(createMock().organization().snapshot())

test.each<[string, string, RegExp]>([
  ['an empty file', '', /^mock: cannot read .+: it is not JSON\n$/],
  ['half a file', whole.slice(0, -9), /^mock: cannot read .+: it is not JSON\n$/],
  ['other JSON', '{"name":"mine"}', /^mock: cannot use .+: \S.*of.*\n$/],
  ['another version', whole.replace('"version":1', '"version":2'), /^mock: cannot use .+version.*\n$/],
  ['one organization', one, /^mock: cannot use .+: It holds one organization, not a whole mock\.\n$/],
  [
    'unknown options',
    whole.replace('"options":{}', '"options":{"colour":"red"}'),
    /^mock: cannot use .+: colour is not an option; did you mean .+\n$/,
  ],
])('%s is refused in one line, with exit 2, and stays as it is', async (_, text, message) => {
  const file = stateIn(testFolder())
  writeFileSync(file, text)
  const { status, stdout, stderr } = await runHere(['mock', '--port', '0', '--state', file])
  expect([status, stdout, readFileSync(file, 'utf8')]).toEqual([2, '', text])
  expect(stderr).toMatch(message)
  expect(stderr.match(/\n/g)).toHaveLength(1)
})

test('a mock that cannot listen leaves the file of the one that does', async () => {
  const file = stateIn(testFolder())
  const { ready, ask } = await start(file)
  const id = await create(ask, 'kept')
  await writtenTo(file, id)
  writeFileSync(file, whole)
  expect(runCli(['mock', '--port', new URL(ready.url).port, '--state', file]).status).toBe(3)
  expect(readFileSync(file, 'utf8')).toBe(whole)
})

test('of two mocks with one file, the second to write leaves what the first wrote, and says so', async () => {
  const file = stateIn(testFolder())
  const [first, second] = await Promise.all([start(file), start(file)])
  const id = await create(first.ask, 'kept')
  await writtenTo(file, id)
  await second.ask('whoami')
  expect((await second.stop('SIGTERM')).code).toBe(0)
  expect(second.output.err).toBe(`mock: another process has written ${file}; the state is not kept\n`)
  expect(readFileSync(file, 'utf8')).toContain(id)
})

test('a folder is refused', async () => {
  const folder = stateIn(testFolder())
  mkdirSync(folder)
  const { status, stderr } = await runHere(['mock', '--state', folder])
  expect([status, stderr]).toEqual([2, `mock: cannot write ${folder}: it is a directory\n`])
})
