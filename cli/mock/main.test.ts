/** The mock as a process: it starts, reports that it is ready, answers, logs, and stops on a signal. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { origin } from '#mocks/testing/client.ts'
import { mockCommand } from '../command-lines.ts'
import { readCommandLine } from '../flags.ts'
import { testFolder } from '../testing/folder.ts'
import { clean, runHere, wordsOf } from '../testing/in-process.ts'
import { asking, runCli, startCli, startMock } from '../testing/process.ts'
import { banner, describeMock } from './banner.ts'
import { readMockOptions } from './options.ts'

test('the ready file has everything a client needs, SIGTERM is exit 0, and the JSON log begins with what differs from the defaults', async () => {
  const flags = '--log json --log-bodies --scenario out-of-credits --fault createTask=lost'
  const { ready, readyFile, child, ask, stop, output } = await startMock(flags)
  expect(readdirSync(dirname(readyFile))).toEqual(['ready.json'])
  expect([ready.pid, ready.admin_token]).toEqual([child.pid, undefined])
  expect(ready.states_url).toBe(`${ready.url}/__admin/states`)
  expect(ready.other_api_key).not.toBe(ready.api_key)
  expect(await (await ask('whoami')).json()).toMatchObject({ credits: 2 })
  const headers = { authorization: `Bearer ${ready.other_api_key}` }
  expect((await ask('whoami', { headers })).status).toBe(200)
  const keys = await fetch(`${ready.url}/api/cli/keys`, { headers: { cookie: ready.session_cookie } })
  expect(keys.status).toBe(200)
  await ask('tasks', { method: 'POST', body: `{"text":"${ready.api_key}"}` }).catch(() => 'lost')
  await ask('whoami?a=b', { headers: { authorization: 'Bearer wak_guess' } })
  expect(await stop('SIGTERM')).toEqual({ code: 0, killedBy: null })
  expect([output.err, existsSync(readyFile)]).toEqual(['', false])
  const [listening, ...lines] = output.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(listening).toMatchObject({
    event: 'listening',
    url: ready.url,
    scenario: 'out-of-credits',
    faults: [{ id: 'f1', rule: 'createTask=lost reset' }],
    options: ['--seed out-of-credits', '--credits 2', '--scenario out-of-credits', '--fault createTask=lost'],
  })
  expect(
    lines.map(({ id, ...line }) => [line.path, line.status, line.error, line.wire, line.reason]),
  ).toEqual([
    ['/api/cli/whoami', 200, null, null, null],
    ['/api/cli/whoami', 200, null, null, null],
    ['/api/cli/keys', 200, null, null, null],
    ['/api/cli/tasks', 0, null, 'reset', 'rule=f1; fault=lost reset'],
    ['/api/cli/whoami', 401, 'unauthorized', null, null],
  ])
  expect(lines[3]).toMatchObject({
    id: expect.stringMatching(/^req_\w+_3$/),
    request_body: '{"text":"[redacted]"}',
  })
  expect(JSON.stringify(lines)).not.toMatch(/wak_/)
})

test('SIGINT stops the mock with exit 0, even during a request; a ready file that another mock wrote since stays', async () => {
  const { readyFile, ask, stop } = await startMock('--log off --host localhost')
  const other = '{"url":"http://127.0.0.1:1"}'
  writeFileSync(readyFile, other)
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
  })
  const cut = ask('tasks', { method: 'POST', body, duplex: 'half' } as RequestInit).catch(() => 'cut')
  await ask('whoami')
  expect(await stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  expect([await cut, readFileSync(readyFile, 'utf8')]).toEqual(['cut', other])
})

test('a reader that closes the output ends the mock, and the ready file is removed', async () => {
  const { file, json } = testFolder()
  const { child, ended } = startCli(`mock --port 0 --ready-file ${file('ready.json')}`)
  child.stdout.once('data', () => child.stdout.destroy())
  await expect.poll(() => existsSync(file('ready.json')), { interval: 20 }).toBe(true)
  const { url } = json('ready.json')
  for (let i = 0; i < 5; i++) await fetch(`${url}/api/cli/whoami`).catch(() => 'gone')
  expect([(await ended).code, existsSync(file('ready.json'))]).toEqual([0, false])
})

test('in the place of a ready file, nothing but a regular file is removed', async () => {
  const { folder } = testFolder()
  const { code, err } = await runHere(`mock --port 0 --ready-file ${folder}`)
  expect([code, err, existsSync(folder)]).toEqual([2, `mock: cannot write ${folder}: EISDIR\n`, true])
})

/** The options of a call without a process. */
const optionsOf = (call: string, env: Record<string, string> = {}) =>
  readMockOptions(readCommandLine(mockCommand, wordsOf(call), env))

test('every option of the mock works from the command line', async () => {
  const { mock: options } =
    optionsOf(`--no-extended --busy 5 --rate-limit 7/60s --retry-after date --run-duration 1h
    --run-outcome failed --force internal_error@getTask --force unavailable@listDocuments
    --fault listTasks=503;times=1 --chaos 0 --no-reason-header --now 2026-03-01T09:00:00Z
    --keys-only one,two --cors`)
  const mock = createMock(options)
  const { apiKey, otherApiKey } = mock.credentials()
  expect([apiKey, otherApiKey]).toEqual(['one', 'two'])
  const ask = asking(mock.fetch, origin, apiKey)
  const me = await ask('whoami', { headers: { origin: 'https://app.example' } })
  expect(me.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(me.headers.get('date')).toMatch(/^Sun, 01 Mar 2026 09:00:/)
  expect((await ask('leads')).status).toBe(404)
  const failed = await ask('tasks/any')
  expect([failed.status, failed.headers.has('x-mock-reason')]).toEqual([500, false])
  expect((await ask('documents')).status).toBe(503)
  expect((await ask('tasks')).status).toBe(503)
  expect((await ask('tasks')).status).toBe(200)
  const { task } = await (await ask('tasks', { method: 'POST', body: '{"text":"a"}' })).json()
  expect((await ask(`tasks/${task.id}/run`, { method: 'POST' })).status).toBe(409)
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await ask('whoami')).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await ask('whoami')).headers.get('retry-after')).toMatch(/^Sun, 01 Mar 2026 09:01:\d\d GMT$/)
})

test('an admin token can be chosen', () => {
  expect(optionsOf('', { WORK_AGENT_MOCK_ADMIN_TOKEN: 'chosen' }).address.adminToken).toBe('chosen')
})

test('beyond loopback the generated admin token is printed, and the address of the provider states holds it', async () => {
  const mock = createMock()
  await using listener = await listen(mock, { host: '0.0.0.0' })
  const { adminToken = '' } = listener
  const ready = describeMock(mock, listener)
  expect(banner(ready, mock.settings, [])).toContain(`admin token     ${adminToken}`)
  expect((await fetch(ready.states_url.replace('0.0.0.0', '127.0.0.1'))).status).toBe(200)
})

const curl = spawnSync('curl', ['--version']).status === 0
test.skipIf(!curl)('the three curl lines of the banner work when pasted', async () => {
  const mock = createMock()
  await using listener = await listen(mock)
  const printed = banner(describeMock(mock, listener), mock.settings, [])
  const lines = printed.match(/curl .*/g) ?? []
  expect(lines).toHaveLength(3)
  const env = { ...clean, no_proxy: '*' }
  const answers: Record<string, unknown>[] = []
  for (const line of lines) {
    const command = ['-c', `${line} --silent --show-error --fail`]
    const { stdout } = await promisify(execFile)('sh', command, { env })
    answers.push(JSON.parse(stdout))
  }
  expect(answers[0]).toHaveProperty('org')
  expect(answers[1]).toMatchObject({ task: { text: 'Say hello' } })
  expect(answers[2]).toMatchObject({ keys: [{ name: 'First key' }] })
})

test('a port in use is one line and exit 3; the ready file of an earlier mock goes, its state stays', async () => {
  await using listener = await listen(createMock())
  const { folder, file, read, write } = testFolder()
  write('ready.json', '{"url":"http://127.0.0.1:1"}')
  const whole = `${JSON.stringify(createMock().snapshot())}\n`
  const { port } = new URL(listener.url)
  const files = `--ready-file ${file('ready.json')} --state ${write('state.json', whole)}`
  const err = `mock: cannot listen on 127.0.0.1:${port}: the port is in use; --port 0 picks a free one\n`
  expect(await runCli(`mock --port ${port} ${files}`)).toEqual({ code: 3, out: '', err })
  expect([readdirSync(folder), read('state.json')]).toEqual([['state.json'], whole])
})

test('--list-scenarios prints the id, the title and the description of each scenario, and exits', async () => {
  const { code, out } = await runHere('mock --list-scenarios')
  expect(code).toBe(0)
  const words = out.replace(/\s+/g, ' ')
  for (const { id, title, shows } of scenarios) expect(words).toContain(`${id} ${title} ${shows}`)
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('flags, variables and entries of a file override the scenario, whichever of them names it', () => {
  const config = testFolder().write('config.json', { scenario: 'out-of-credits', credits: 4 })
  const env = { WORK_AGENT_MOCK_CONFIG: config, WORK_AGENT_MOCK_PAST: 'none' }
  const { settings } = createMock(optionsOf('--top-up 2/1s', env).mock)
  expect(settings).toMatchObject({ credits: 4, past: 'none', topUp: { credits: 2, after_ms: 1_000 } })
})
