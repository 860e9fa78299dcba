/** The mock as a process: it starts, reports that it is ready, answers, logs, and stops on a signal. */
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { listen } from '#mocks/edges/http.ts'
import { scenarios } from '#mocks/scenarios/index.ts'
import { mockCommandDefinition } from '../command-lines.ts'
import { readCommandLine } from '../flags.ts'
import { createTestFolder } from '../testing/folder.ts'
import { environmentForTests, runCliInProcess } from '../testing/in-process.ts'
import { runCli, startCli, startMock } from '../testing/process.ts'
import { bannerText, mockStartData } from './banner.ts'
import { readMockOptions } from './options.ts'

test('the ready file has everything a client needs, SIGTERM is exit 0, and the JSON log begins with what differs from the defaults', async () => {
  const flags = '--log json --log-bodies --scenario out-of-credits --fault createTask=lost'
  const { ready, readyFile, child, call, stop, output } = await startMock(flags)
  expect(readdirSync(dirname(readyFile))).toEqual(['ready.json'])
  expect([ready.pid, ready.admin_token]).toEqual([child.pid, undefined])
  expect(ready.states_url).toBe(`${ready.url}/__admin/states`)
  expect(ready.other_api_key).not.toBe(ready.api_key)
  expect((await call('whoami')).body).toMatchObject({ credits: 2 })
  const headers = { authorization: `Bearer ${ready.other_api_key}` }
  expect((await call('whoami', { headers })).status).toBe(200)
  expect((await call('listKeys')).status).toBe(200)
  await call('createTask', { body: { text: ready.api_key } }).catch(() => 'lost')
  await call('whoami', { query: { a: 'b' }, headers: { authorization: 'Bearer wak_guess' } })
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
  const { ready, readyFile, call, stop } = await startMock('--log off --host localhost')
  const other = '{"url":"http://127.0.0.1:1"}'
  writeFileSync(readyFile, other)
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
  })
  const keyed = { authorization: `Bearer ${ready.api_key}` }
  const sent = { method: 'POST', headers: keyed, body, duplex: 'half' } as RequestInit
  const cut = fetch(`${ready.url}/api/cli/tasks`, sent).catch(() => 'cut')
  await call('whoami')
  expect(await stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  expect([await cut, readFileSync(readyFile, 'utf8')]).toEqual(['cut', other])
})

test('a reader that closes the output ends the mock, and the ready file is removed', async () => {
  const { file, json } = createTestFolder()
  const { child, ended } = startCli(`mock --port 0 --ready-file ${file('ready.json')}`)
  child.stdout.once('data', () => child.stdout.destroy())
  await expect.poll(() => existsSync(file('ready.json')), { interval: 20 }).toBe(true)
  const { url } = json('ready.json')
  for (let i = 0; i < 5; i++) await fetch(`${url}/api/cli/whoami`).catch(() => 'gone')
  expect([(await ended).code, existsSync(file('ready.json'))]).toEqual([0, false])
})

test.skipIf(!existsSync('/dev/full'))(
  'output that a full disk does not take is one line and exit 2',
  async () => {
    const { output, ended } = startCli('verify --list', {}, ['sh', '-c', 'exec "$0" "$@" >/dev/full'])
    expect(await ended).toEqual({ code: 2, killedBy: null })
    expect(output.err).toBe('work-agent-contract: cannot write standard output: ENOSPC\n')
  },
)

test('in the place of a ready file, nothing but a regular file is removed', async () => {
  const { folder } = createTestFolder()
  const { code, err } = await runCliInProcess(`mock --port 0 --ready-file ${folder}`)
  expect([code, err, existsSync(folder)]).toEqual([
    2,
    `mock: cannot write ${folder}: it is a directory\n`,
    true,
  ])
})

const curl = spawnSync('curl', ['--version']).status === 0
test.skipIf(!curl)('the three curl lines of the banner work when pasted', async () => {
  const mock = createMock()
  await using listener = await listen(mock)
  const lines = bannerText(mockStartData(mock, listener), mock.settings, []).match(/curl .*/g) ?? []
  const env = { ...environmentForTests, no_proxy: '*' }
  const answers: unknown[] = []
  for (const line of lines) {
    const command = ['-c', `${line} --silent --show-error --fail`]
    const { stdout } = await promisify(execFile)('sh', command, { env })
    answers.push(JSON.parse(stdout))
  }
  expect(answers).toMatchObject([
    { org: {} },
    { task: { text: 'Say hello' } },
    { keys: [{ name: 'First key' }] },
  ])
})

test('beyond loopback the generated admin token is printed, and the address of the provider states holds it', async () => {
  const mock = createMock()
  await using listener = await listen(mock, { host: '0.0.0.0' })
  const ready = mockStartData(mock, listener)
  const token = encodeURIComponent(String(listener.adminToken))
  expect(bannerText(ready, mock.settings, [])).toContain(`admin token     ${listener.adminToken}`)
  expect(bannerText(ready, mock.settings, [])).toContain(`More: ${ready.url}?token=${token} in a browser`)
  expect((await fetch(ready.states_url.replace('0.0.0.0', '127.0.0.1'))).status).toBe(200)
})

test('a port in use is one line and exit 3; the ready file of an earlier mock goes, its state stays', async () => {
  await using listener = await listen(createMock())
  const { folder, file, read, write } = createTestFolder()
  write('ready.json', '{"url":"http://127.0.0.1:1","pid":1}')
  const whole = `${JSON.stringify(createMock().snapshot())}\n`
  const { port } = new URL(listener.url)
  const files = `--ready-file ${file('ready.json')} --state ${write('state.json', whole)}`
  const err = `mock: cannot listen on 127.0.0.1:${port}: the port is in use; --port 0 picks a free one\n`
  expect(await runCli(`mock --port ${port} ${files}`)).toEqual({ code: 3, out: '', err })
  expect([readdirSync(folder), read('state.json')]).toEqual([['state.json'], whole])
})

test('--list-scenarios prints the id, the title and the description of each scenario, and exits', async () => {
  const { code, out } = await runCliInProcess('mock --list-scenarios')
  expect(code).toBe(0)
  const words = out.replace(/\s+/g, ' ')
  for (const { id, title, shows } of scenarios) expect(words).toContain(`${id} ${title} ${shows}`)
  expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(80)
})

test('flags, variables and entries of a file override the scenario, whichever of them names it', () => {
  const config = createTestFolder().write('config.json', { scenario: 'out-of-credits', credits: 4 })
  const variables = { CONFIG: config, PAST: 'none', ADMIN_TOKEN: 'chosen' }
  const env = Object.fromEntries(
    Object.entries(variables).map(([name, text]) => [`WORK_AGENT_MOCK_${name}`, text]),
  )
  const flags = ['--top-up', '2/1s', '--no-extended', '--force', 'busy@runTask', '--force', '500@getTask']
  const { mock, address } = readMockOptions(readCommandLine(mockCommandDefinition, flags, env))
  const { settings } = createMock(mock)
  expect(settings).toMatchObject({ credits: 4, past: 'none', topUp: { credits: 2, after_ms: 1_000 } })
  expect([settings.extended, settings.faults.map(({ operation }) => operation), address.adminToken]).toEqual([
    false,
    ['runTask', 'getTask'],
    'chosen',
  ])
})
