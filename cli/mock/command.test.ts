/** `mock -- <command…>`: the command finds the mock, and its output, exit code and signals are its own. */
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { builtCommand } from '../testing/command.ts'
import { testFolder } from '../testing/folder.ts'
import { lightFetch } from '../testing/light-fetch.ts'
import { runCli, startCli } from '../testing/process.ts'

/** A command line that runs a script beside the mock. */
const beside = (script: string, flags = '') => [
  ...['mock', ...flags.split(' ').filter(Boolean), '--'],
  ...[process.execPath, '--input-type=module', '-e', script],
]

/** A command line that runs lines of a shell beside the mock. */
const shell = (lines: string, flags = '') => [
  ...['mock', ...flags.split(' ').filter(Boolean), '--'],
  ...['sh', '-c', lines],
]

const ask = `${lightFetch}
const ask = (path, init = {}) => fetch(process.env.WORK_AGENT_BASE_URL + '/api/cli/' + path,
  { ...init, headers: { authorization: 'Bearer ' + process.env.WORK_AGENT_API_KEY } });`

test('the command gets every variable, and the mock runs on a free port only as long as it', async () => {
  const script = `${ask} console.log(JSON.stringify([process.env, (await ask('whoami')).status]))`
  const { code, out, err } = await runCli(beside(script))
  const [env, answered] = JSON.parse(out)
  expect([code, err, answered]).toEqual([0, '', 200])
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

test('verify finds everything that it needs', async () => {
  const verify = `${builtCommand} verify --only ACCEPTS-whoami,ACCEPTS-listKeys --quiet`
  const { code, out } = await runCli(`mock -- ${process.execPath} ${verify}`)
  expect([code, out]).toEqual([0, expect.stringMatching(/^PASSED: /)])
})

test('the input, the output and the exit code are those of the command', async () => {
  const ended = await runCli(shell('cat; echo problem >&2; exit 7'), {}, ({ stdin }) => stdin?.end('text'))
  expect(ended).toEqual({ code: 7, out: 'text', err: 'problem\n' })
})

test('--log writes to standard error', async () => {
  const script = `${ask} await ask('whoami'); console.log('done')`
  const human = await runCli(beside(script, '--log human'))
  expect(human.out).toBe('done\n')
  expect(human.err).toMatch(/^Work-agent mock listening on .+ GET {4}\/api\/cli\/whoami 200 - /s)
  const { err } = await runCli(beside(script, '--log json'))
  const lines = err.trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).event)).toEqual(['listening', undefined])
})

test('a single word with spaces is for a shell', async () => {
  const { code, out } = await runCli(['mock', '--', 'echo "$WORK_AGENT_API_KEY" && exit 9'])
  expect([code, out]).toEqual([9, 'wak_test_demo\n'])
})

test.skipIf(process.platform === 'win32')('a command that a signal ends is 128 + n', async () => {
  const ended = ['TERM', 'KILL'].map((signal) => runCli(shell(`kill -${signal} $$`)))
  expect((await Promise.all(ended)).map(({ code }) => code)).toEqual([143, 137])
})

test.skipIf(process.platform === 'win32').each(['INT', 'TERM', 'HUP'] as const)(
  'SIG%s is passed on, and the command decides how it ends',
  async (signal) => {
    const { output, child, stop } = startCli(
      shell(`trap 'echo ${signal}; exit 5' ${signal}; echo ready; while :; do sleep 0.05; done`),
    )
    await once(child.stdout, 'data')
    expect(await stop(`SIG${signal}`)).toEqual({ code: 5, killedBy: null })
    expect(output).toEqual({ out: `ready\n${signal}\n`, err: '' })
  },
)

test.each([
  ['not there', '/no/such/client', 127, 'ENOENT'],
  ['no program', './package.json', 126, 'EACCES'],
])('a command that is %s is one line: %s is exit %i', async (_, file, code, reason) => {
  const err = `mock: cannot start ${file}: ${reason}\n`
  expect(await runCli(`mock -- ${file}`)).toEqual({ code, out: '', err })
})

test('--report judges the client, and a violation fails a command that passed', async () => {
  const { file, json } = testFolder()
  const report = `--report json=${file('report.json')}`
  const polite = await runCli(beside(`${ask} await ask('whoami')`, report))
  expect(polite.err).toMatch(/^mock: PASSED: \d+ passed, 0 failed, .+\n$/)
  expect(polite.code).toBe(0)
  expect(json('report.json')).toMatchObject({
    outcome: 'passed',
    parts: [{ id: 'mock', requests: 1, end: 'exit 0' }],
  })
  const naming = `${ask} await ask('whoami?org_id=org_1')`
  const rude = await runCli(beside(naming, `--scenario slow-run ${report}`))
  expect([rude.code, rude.err.startsWith('mock: FAILED: ')]).toEqual([1, true])
  expect(json('report.json').parts[0].id).toBe('slow-run')
  expect((await runCli(shell('exit 4', report))).code).toBe(4)
  expect((await runCli(shell('true', report))).code).toBe(3)
})
