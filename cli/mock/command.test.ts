/** `mock -- <command…>`: the command finds the mock, and its output, exit code and signals are its own. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtCommand } from '../testing/command.ts'
import { lightFetch } from '../testing/light-fetch.ts'
import { runCli, startCli, testFolder } from '../testing/mock-process.ts'

/** A command line that runs a script beside the mock. */
const beside = (script: string, ...flags: string[]) => [
  'mock',
  ...flags,
  '--',
  process.execPath,
  '--input-type=module',
  '-e',
  script,
]

const ask = `${lightFetch}
const ask = (path, init = {}) => fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/' + path,
  { ...init, headers: { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY } });`

test('the command gets every variable, and the mock runs on a free port only as long as it', async () => {
  const script = `${ask} console.log(JSON.stringify([process.env, (await ask('whoami')).status]))`
  const { status, stdout, stderr } = runCli(beside(script))
  const [env, answered] = JSON.parse(stdout)
  expect([status, stderr, answered]).toEqual([0, '', 200])
  expect(env).toMatchObject({
    WORK_AGENT_BASE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    WORK_AGENT_API_KEY: 'wak_test_demo',
    WORK_AGENT_OTHER_API_KEY: 'wak_test_other',
    WORK_AGENT_SESSION_COOKIE: 'work_agent_session=was_test_demo',
    WORK_AGENT_OTHER_SESSION_COOKIE: 'work_agent_session=was_test_other',
    WORK_AGENT_STATES_URL: `${env.WORK_AGENT_BASE_URL}/__admin/states`,
  })
  expect(env.WORK_AGENT_BASE_URL).not.toMatch(/:4402$/)
  await expect(fetch(env.WORK_AGENT_BASE_URL)).rejects.toThrow()
})

test('verify finds everything that it needs', () => {
  const verify = [builtCommand, 'verify', '--only', 'ACCEPTS-whoami,ACCEPTS-listKeys', '--quiet']
  const { status, stdout } = runCli(['mock', '--', process.execPath, ...verify])
  expect(stdout).toMatch(/^PASSED: /)
  expect(status).toBe(0)
})

test('the input, the output and the exit code are those of the command', () => {
  const script = `process.stdin.pipe(process.stdout); console.error('problem'); process.exitCode = 7`
  expect(runCli(beside(script), {}, 'text')).toEqual({ status: 7, stdout: 'text', stderr: 'problem\n' })
})

test('--log writes to standard error', () => {
  const script = `${ask} await ask('whoami'); console.log('done')`
  const human = runCli(beside(script, '--log', 'human'))
  expect(human.stdout).toBe('done\n')
  expect(human.stderr).toMatch(/^Work-agent mock listening on .+ GET {4}\/api\/cli\/whoami 200 - /s)
  const json = runCli(beside(script, '--log', 'json'))
  expect(
    json.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).event),
  ).toEqual(['listening', undefined])
})

test('a single word with spaces is for a shell', () => {
  const { status, stdout } = runCli(['mock', '--', 'echo "$WORK_AGENT_API_KEY" && exit 9'])
  expect([status, stdout]).toEqual([9, 'wak_test_demo\n'])
})

test.skipIf(process.platform === 'win32')('a command that a signal ends is 128 + n', () => {
  expect(runCli(beside(`process.kill(process.pid, 'SIGTERM')`)).status).toBe(143)
  expect(runCli(beside(`process.kill(process.pid, 'SIGKILL')`)).status).toBe(137)
})

test.skipIf(process.platform === 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s is passed on, and the command decides how it ends',
  async (signal) => {
    const ready = join(testFolder(), 'ready')
    const script = `import { writeFileSync } from 'node:fs'
      process.on('${signal}', () => { console.log('${signal}'); process.exit(5) })
      setInterval(() => {}, 1000)
      writeFileSync('${ready}', '')`
    const { output, stop } = startCli(beside(script))
    while (!existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(await stop(signal)).toEqual({ code: 5, killedBy: null })
    expect(output).toEqual({ out: `${signal}\n`, err: '' })
  },
)

test('a command that is not there is one line and exit 127, one that is no program 126', () => {
  expect(runCli(['mock', '--', '/no/such/client'])).toEqual({
    status: 127,
    stdout: '',
    stderr: 'mock: cannot start /no/such/client: ENOENT\n',
  })
  const { status, stderr } = runCli(['mock', '--', './package.json'])
  expect([status, stderr]).toEqual([126, 'mock: cannot start ./package.json: EACCES\n'])
})

test('--report judges the client, and a violation fails a command that passed', () => {
  const file = join(testFolder(), 'report.json')
  const polite = runCli(beside(`${ask} await ask('whoami')`, '--report', `json=${file}`))
  expect(polite.stderr).toMatch(/^mock: PASSED: \d+ passed, 0 failed, .+\n$/)
  expect(polite.status).toBe(0)
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    outcome: 'passed',
    parts: [{ id: 'mock', requests: 1, end: 'exit 0' }],
  })
  const naming = `${ask} await ask('whoami?org_id=org_1')`
  const rude = runCli(beside(naming, '--scenario', 'slow-run', '--report', `json=${file}`))
  expect([rude.status, rude.stderr.startsWith('mock: FAILED: ')]).toEqual([1, true])
  expect(JSON.parse(readFileSync(file, 'utf8')).parts[0].id).toBe('slow-run')
  expect(runCli(beside(`${naming}; process.exit(4)`, '--report', `json=${file}`)).status).toBe(4)
  expect(runCli(beside('', '--report', `json=${file}`)).status).toBe(3)
})
