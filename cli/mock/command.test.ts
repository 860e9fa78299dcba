/** `mock -- <command…>`: the command finds the mock, and its output, exit code and signals are its own. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createMock } from '#mocks/app.ts'
import { mockCommandDefinition } from '../command-lines.ts'
import { isOtherProcessRunning } from '../files.ts'
import { readCommandLine } from '../flags.ts'
import { createTestFolder } from '../testing/folder.ts'
import { captureOutput, environmentForTests } from '../testing/in-process.ts'
import { lightFetchSource } from '../testing/light-fetch.ts'
import { runCli, startCli } from '../testing/process.ts'
import { readMockOptions } from './options.ts'
import { startClientCommand, writeClientReports } from './run-command.ts'

/** A command line that runs a script beside the mock. */
const beside = (script: string, flags = '') => [
  ...['mock', ...flags.split(' ').filter(Boolean), '--'],
  ...[process.execPath, '--input-type=module', '-e', script],
]

const ask = `${lightFetchSource}
const ask = (path, init = {}) => fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/' + path,
  { ...init, headers: { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY } });`

test('the command gets every variable, its input, output and exit code are its own, and --log writes to standard error', async () => {
  const file = createTestFolder().file('ready.json')
  const script = `${ask}
    const [fs, { status }] = [process.getBuiltinModule('node:fs'), await ask('whoami')]
    const ready = JSON.parse(fs.readFileSync('${file}', 'utf8'))
    console.log(JSON.stringify([process.env, status, ready.url, fs.readFileSync(0, 'utf8')]))
    console.error('problem')
    process.exitCode = 7`
  const call = beside(script, `--ready-file ${file} --log human`)
  const { code, out, err } = await runCli(call, {}, ({ stdin }) => stdin?.end('text'))
  const [env, ...told] = JSON.parse(out)
  expect([code, told]).toEqual([7, [200, env.WORK_AGENT_BASE_URL, 'text']])
  expect(err).toMatch(/^problem$/m)
  expect(err).toMatch(/^Work-agent mock listening on .+ GET {4}\/api\/cli\/whoami 200 - /s)
  expect(env).toMatchObject({
    WORK_AGENT_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    WORK_AGENT_API_KEY: 'wak_test_demo',
    WORK_AGENT_OTHER_API_KEY: 'wak_test_other',
    WORK_AGENT_SESSION_COOKIE: 'work_agent_session=was_test_demo',
    WORK_AGENT_OTHER_SESSION_COOKIE: 'work_agent_session=was_test_other',
    WORK_AGENT_STATES_URL: `${env.WORK_AGENT_BASE_URL}/__admin/states`,
  })
  expect(env.WORK_AGENT_BASE_URL).not.toMatch(/:4402$/)
  await expect(
    fetch(env.WORK_AGENT_BASE_URL),
    'it listens only as long as the command runs',
  ).rejects.toThrow()
  expect(existsSync(file)).toBe(false)
})

test.each([
  ['TERM', 143],
  ['KILL', 137],
])('a command that SIG%s ends is %i', async (signal, code) => {
  expect(
    await startClientCommand(['sh', '-c', `kill -${signal} $$`], environmentForTests).ended,
  ).toMatchObject({
    code,
  })
})

test('the command decides how a signal ends it', async () => {
  const script = "trap 'echo HUP; exit 5' HUP; echo ready; while :; do sleep 0.05; done"
  const { output, child, stop } = startCli(['mock', '--', 'sh', '-c', script])
  await once(child.stdout, 'data')
  expect(await stop('SIGHUP')).toEqual({ code: 5, killedBy: null })
  expect(output).toEqual({ out: 'ready\nHUP\n', err: '' })
})

test('what a shell leaves running when a signal ends it is ended as well', async () => {
  const script = `"${process.execPath}" -e 'console.log(process.pid); setTimeout(Date, 60_000)'; true`
  const { child, stop } = startCli(['mock', '--', script])
  const [pid] = await once(child.stdout, 'data')
  await stop('SIGTERM')
  await expect.poll(() => isOtherProcessRunning(Number(pid))).toBe(false)
})

test.each([
  ['not there', '/no/such/client', 127, 'ENOENT'],
  ['no program', './package.json', 126, 'EACCES'],
])('a command that is %s cannot be started: %s is exit %i', async (_, file, code, reason) => {
  const note = `cannot start ${file}: ${reason}`
  expect(await startClientCommand([file], environmentForTests).ended).toMatchObject({
    started: false,
    code,
    note,
  })
})

test('that it cannot be started is one line', async () => {
  const err = 'mock: cannot start /no/such/client: ENOENT\n'
  expect(await runCli('mock -- /no/such/client')).toEqual({ code: 127, out: '', err })
})

test.each([
  ['a client that keeps every rule passes', '/whoami', 0, 0, /^mock: PASSED: \d+ passed, 0 failed, .+\n$/],
  ['a violation fails a command that passed', '/whoami?org_id=org_1', 0, 1, /^mock: FAILED: /],
  ['a command that failed keeps its exit code', undefined, 4, 4, /^mock: NOT EXERCISED: /],
  ['a command that sent no request is exit 3', undefined, 0, 3, /^mock: NOT EXERCISED: /],
])('of what --report judges, %s', async (_, path, ended, code, says) => {
  const mock = createMock({ scenario: 'slow-run' })
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  if (path) await mock.fetch(`http://mock.test/api/cli${path}`, { headers })
  const { file, json } = createTestFolder()
  const call = ['--report', `json=${file('report.json')}`, '--', 'true']
  const options = readMockOptions(readCommandLine(mockCommandDefinition, call, {}))
  const ending = { started: true, code: ended, note: `exit ${ended}` }
  const judged = await captureOutput(() => writeClientReports(mock, options, ending))
  expect(judged).toEqual({ code, out: '', err: expect.stringMatching(says) })
  expect(json('report.json').parts[0]).toMatchObject({ id: 'slow-run', end: ending.note })
})
