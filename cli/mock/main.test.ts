/** The mock as a process: it starts, reports that it is ready, answers, logs, and stops on a signal. */
import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { clean, runCli, runHere, startMock } from '../testing/mock-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'mock-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('the ready file has everything a client needs, and SIGTERM stops the mock with exit 0', async () => {
  const { ready, readyFile, child, ask, stop, output } = await startMock()
  expect(ready.pid).toBe(child.pid)
  expect(ready.states_url).toBe(`${ready.url}/__admin/states`)
  expect(ready.other_api_key).not.toBe(ready.api_key)
  expect((await ask('whoami')).status).toBe(200)
  expect((await ask('whoami', { headers: { authorization: `Bearer ${ready.other_api_key}` } })).status).toBe(
    200,
  )
  const keys = await fetch(`${ready.url}/api/cli/keys`, { headers: { cookie: ready.session_cookie } })
  expect(keys.status).toBe(200)
  expect(await stop('SIGTERM')).toEqual({ code: 0, killedBy: null })
  expect([output.err, existsSync(readyFile)]).toEqual(['', false])
})

test('SIGINT stops the mock with exit 0, even during a request', async () => {
  const { readyFile, ask, stop } = await startMock(['--log', 'off', '--host', 'localhost'])
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{')),
  })
  const cut = ask('tasks', { method: 'POST', body, duplex: 'half' } as RequestInit).catch(() => 'cut')
  await ask('whoami')
  expect(await stop('SIGINT')).toEqual({ code: 0, killedBy: null })
  expect([await cut, existsSync(readyFile)]).toEqual(['cut', false])
})

test('every option of the mock works from the command line', async () => {
  const { ready, ask } = await startMock([
    '--no-extended',
    '--busy',
    '5',
    '--rate-limit',
    '6/60s',
    '--retry-after',
    'date',
    '--run-duration',
    '1h',
    '--run-outcome',
    'failed',
    '--force',
    'internal_error@getTask',
    '--force',
    'unavailable@listDocuments',
    '--now',
    '2026-03-01T09:00:00Z',
    '--keys-only',
    'one,two',
    '--cors',
  ])
  expect([ready.api_key, ready.other_api_key]).toEqual(['one', 'two'])
  const me = await ask('whoami', { headers: { origin: 'https://app.example' } })
  expect(me.headers.get('access-control-allow-origin')).toBe('https://app.example')
  expect(me.headers.get('date')).toMatch(/^Sun, 01 Mar 2026 09:00:/)
  expect((await ask('leads')).status).toBe(404)
  expect((await ask('tasks/any')).status).toBe(500)
  expect((await ask('documents')).status).toBe(503)
  const { task } = await (await ask('tasks', { method: 'POST', body: '{"text":"a"}' })).json()
  expect((await ask(`tasks/${task.id}/run`, { method: 'POST' })).status).toBe(409)
  const statuses: number[] = []
  for (let i = 0; i < 3; i++) statuses.push((await ask('whoami')).status)
  expect(statuses.at(-1)).toBe(429)
  expect((await ask('whoami')).headers.get('retry-after')).toMatch(/^Sun, 01 Mar 2026 09:01:\d\d GMT$/)
})

test('beyond loopback the mock generates an admin token, and prints it', async () => {
  const { ready, output } = await startMock(['--host', '0.0.0.0', '--log', 'off'])
  const health = (headers: Record<string, string> = {}) => fetch(`${local}/__admin/health`, { headers })
  const local = ready.url.replace('0.0.0.0', '127.0.0.1')
  expect(output.out).toContain(`admin token     ${ready.admin_token}`)
  expect((await health()).status).toBe(401)
  expect((await health({ 'x-admin-token': ready.admin_token ?? '' })).status).toBe(200)
  const states = await fetch(ready.states_url.replace('0.0.0.0', '127.0.0.1'))
  expect(states.status).toBe(200)
})

test('on loopback there is no admin token, unless one is set', async () => {
  const usual = await startMock(['--log', 'off'])
  expect([usual.ready.admin_token, usual.output.out.includes('admin token')]).toEqual([undefined, false])
  const { ready } = await startMock(['--log', 'off'], { WORK_AGENT_MOCK_ADMIN_TOKEN: 'chosen' })
  expect(ready.admin_token).toBe('chosen')
  expect((await fetch(`${ready.url}/__admin/health`)).status).toBe(401)
})

test('flags set faults and chaos', async () => {
  const flags = ['--fault', 'whoami=503,429', '--fault', 'listTasks=reset;times=1', '--no-reason-header']
  const { ask, output } = await startMock([...flags, '--chaos', '0'])
  const heard = []
  for (let i = 0; i < 3; i++) heard.push(await ask('whoami'))
  expect(heard.map(({ status }) => status)).toEqual([503, 429, 200])
  expect(heard[0]?.headers.has('x-mock-reason')).toBe(false)
  await expect(ask('tasks')).rejects.toThrow()
  expect((await ask('tasks')).status).toBe(200)
  expect(output.out).toContain("--chaos 0 --seed 'work-agent' replays it")
})

const curl = spawnSync('curl', ['--version']).status === 0
test.skipIf(!curl)('the three curl lines of the banner work when pasted', async () => {
  const { output } = await startMock()
  const lines = output.out.match(/curl .*/g) ?? []
  expect(lines).toHaveLength(3)
  const env = { ...clean, no_proxy: '*' }
  const answers: Record<string, unknown>[] = []
  for (const line of lines) {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${line} --silent --show-error --fail`], {
      env,
    })
    answers.push(JSON.parse(stdout))
  }
  expect(answers[0]).toHaveProperty('org')
  expect(answers[1]).toMatchObject({ task: { text: 'Say hello' } })
  expect(answers[2]).toMatchObject({ keys: [{ name: 'First key' }] })
})

test('the log has one line per request, and never a key', async () => {
  const { ready, ask, output, stop } = await startMock(['--log', 'json'])
  await ask('whoami')
  await ask('tasks/nope?a=b')
  await ask('whoami', { headers: { authorization: 'Bearer wak_guess' } })
  await stop('SIGTERM')
  const [listening, ...lines] = output.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(listening).toMatchObject({ event: 'listening', url: ready.url })
  expect(lines.every(({ id }) => /^req_\w+_\d+$/.test(id))).toBe(true)
  expect(lines.map(({ path, status, error }) => [path, status, error])).toEqual([
    ['/api/cli/whoami', 200, null],
    ['/api/cli/tasks/nope', 404, 'not_found'],
    ['/api/cli/whoami', 401, 'unauthorized'],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/wak_/)
})

test('the log shows faults where they came from, and redacted bodies if asked for', async () => {
  const flags = ['--fault', 'whoami=503', '--fault', 'createTask=lost', '--log-bodies']
  const { ready, ask, output, stop } = await startMock(flags)
  await ask('whoami')
  await ask('tasks', { method: 'POST', body: `{"text":"${ready.api_key}"}` }).catch(() => 'lost')
  await ask('tasks/nope', { headers: { prefer: 'error=unavailable' } })
  await stop('SIGTERM')
  const [, log = ''] = output.out.split('Ctrl-C stops it.\n')
  expect(log).toMatch(
    / 503 unavailable "[^"]+" org_\w+ \S+ms req_\w+_1 rule=f1; fault=unavailable\n {2}< \{"error":/,
  )
  expect(log).toMatch(
    / 0 - "[^"]+" org_\w+ \S+ms req_\w+_2 wire=reset rule=f2; fault=lost reset\n {2}> \{"text":"\[redacted\]"\}\n/,
  )
  expect(log).toMatch(/ 503 unavailable .+ req_\w+_3 prefer; fault=unavailable\n/)
})

test('the first line of the JSON log has what differs from the defaults', async () => {
  const flags = ['--log', 'json', '--scenario', 'out-of-credits', '--fault', 'whoami=503']
  const { output } = await startMock(flags)
  expect(JSON.parse(output.out.split('\n')[0] ?? '')).toMatchObject({
    scenario: 'out-of-credits',
    faults: [{ id: 'f1', rule: 'whoami=unavailable' }],
    options: ['--seed out-of-credits', '--credits 2', '--scenario out-of-credits', '--fault whoami=503'],
  })
})

test('a port in use is one line and exit 3', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const { status, stderr } = runCli(['mock', '--port', String(port)])
  server.close()
  expect([status, stderr]).toEqual([
    3,
    `mock: cannot listen on 127.0.0.1:${port}: the port is in use; --port 0 picks a free one\n`,
  ])
})

const configured = (content: object) => {
  const file = join(folder, `${Object.keys(content)}.bad.json`)
  writeFileSync(file, JSON.stringify(content))
  return { WORK_AGENT_MOCK_CONFIG: file }
}

test.each<[string, string[], Record<string, string>, RegExp]>([
  ['an unknown flag', ['--prot', '1'], {}, /^mock: unknown option '--prot' \(Did you mean --port\?\)\n$/],
  [
    'a malformed flag',
    ['--credits', 'many', '--seed', ''],
    {},
    /^mock: --credits takes a number of credits, 0 or more\n$/,
  ],
  [
    'an unknown variable',
    [],
    { WORK_AGENT_MOCK_CREDIT: '1' },
    /^mock: unknown variable WORK_AGENT_MOCK_CREDIT; did you mean WORK_AGENT_MOCK_CREDITS\?\n$/,
  ],
  [
    'a malformed variable',
    [],
    { WORK_AGENT_MOCK_PORT: '70000' },
    /^mock: WORK_AGENT_MOCK_PORT takes a port from 0 to 65535\n$/,
  ],
  [
    'a malformed entry of the file',
    [],
    configured({ runDuration: 'long' }),
    /^mock: "runDuration" in .*bad\.json takes a duration such as 2s or 150ms\n$/,
  ],
  [
    'a switch of another type in the file',
    [],
    configured({ logBodies: 'yes' }),
    /^mock: "logBodies" in .*bad\.json takes true or false\n$/,
  ],
  ['a line break in a value', ['--fault', 'x\ny'], {}, /^mock: --fault does not know .+\n$/],
  ['a line break in an operand', ['a\nb'], {}, /^mock: unexpected "a\\nb"; .+\n$/],
  [
    'an operand',
    ['now', 'then'],
    {},
    /^mock: unexpected "now then"; a command comes after --: mock -- npm test\n$/,
  ],
  ['no command after --', ['--'], {}, /^mock: needs a command after --, such as: mock -- npm test\n$/],
  [
    'a report on nobody',
    ['--report', 'html=a.html'],
    {},
    /^mock: --report needs a command after --, such as: mock -- npm test\n$/,
  ],
  ['no name for the state', ['--state', ''], {}, /^mock: --state takes a non-empty text\n$/],
])('%s is one line and exit 2', async (_, argv, env, message) => {
  const { status, stdout, stderr } = await runHere(['mock', ...argv], env)
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})
