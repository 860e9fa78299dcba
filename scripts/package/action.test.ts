/** Runs the steps of `action.yml` and `check/action.yml` in a local shell. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkCommandDefinition, verifyCommandDefinition } from '#cli/command-lines.ts'
import { configurableOptionsByName, environmentVariableOf } from '#cli/flags.ts'
import { builtCliPath } from '#cli/testing/command.ts'
import { startProcessUntilReady } from '#cli/testing/run.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { createLocalAction, createOldNodeFolder } from './testing/action.ts'

const verify = createLocalAction('action.yml')
const check = createLocalAction('check/action.yml')
const old = createOldNodeFolder()
let mock: Awaited<ReturnType<typeof startProcessUntilReady>>
let ready: { url: string; api_key: string; other_api_key: string; session_cookie: string; states_url: string }

beforeAll(async () => {
  const flags = ['--port', '0', '--log', 'json', '--run-duration', '50ms']
  mock = await startProcessUntilReady(process.execPath, [builtCliPath, 'mock', ...flags])
  ready = mock.ready
})

afterAll(() => mock.stop())

const [folders, client] = [
  ['report-dir', 'package'],
  ['command', 'working-directory'],
]

/** By action: inputs that are no flag, and flags that are no input, since a folder or the shell stands for them. */
test.each([
  ['verify', verify, verifyCommandDefinition, folders, ['report']],
  [
    'check',
    check,
    checkCommandDefinition,
    [...client, ...folders],
    ['fault', 'quiet', 'report', 'strict', 'traces'],
  ],
] as const)('the flags of %s are inputs with the same names', (id, one, command, more, less) => {
  const inputs = Object.keys(one.action.inputs)
  const options = [...configurableOptionsByName(command).values()]
  expect([...inputs, ...less].sort()).toEqual([...options.map((option) => option.name()), ...more].sort())
  for (const option of options.filter((one) => inputs.includes(one.name())))
    expect(one.step(id).env?.[environmentVariableOf(command, option)]).toBe(`\${{ inputs.${option.name()} }}`)
})

test('a service that rejects the key fails the step without outputs', () => {
  const { status, outputs } = verify.run('verify', { 'base-url': ready.url, 'api-key': 'wrong' })
  expect(status).toBe(4)
  expect(outputs).toEqual({})
})

test('on a machine whose Node is old another is set up, and what is then installed runs', () => {
  expect(verify.run('node', {}, { node: old }).outputs).toEqual({ suits: 'false' })
  expect(verify.run('node').outputs).toEqual({ suits: 'true' })
  expect(verify.step('Set up Node')).toMatchObject({
    if: "steps.node.outputs.suits == 'false'",
    uses: expect.stringMatching(/^actions\/setup-node@/),
  })
  const temp = verify.emptyTemp()
  expect(verify.run('Install', {}, { temp }).status).toBe(0)
  const inputs = {
    'base-url': ready.url,
    'api-key': ready.api_key,
    'other-api-key': ready.other_api_key,
    'session-cookie': ready.session_cookie,
    'max-credits': '1',
    only: 'AUTH-MISSING-whoami,RUN-ACCEPTED',
    header: 'x-gateway: open, x-zone: a',
  }
  const { status, stdout, outputs } = verify.run('verify', inputs, { temp })
  expect(status, stdout).toBe(0)
  expect(outputs).toMatchObject({ outcome: 'passed', failed: '0', credits: '1' })
  expect(Object.keys(outputs)).toEqual(Object.keys(verify.action.outputs))
})

test('nothing is installed by its name, but a file is', () => {
  const install = (name: string) => verify.run('Install', { package: name }, { temp: verify.emptyTemp() })
  for (const name of ['work-agent-contract', 'work-agent-contract@1.2.3', 'no/such.tgz']) {
    const { status, stdout } = install(name)
    expect([status, stdout]).toEqual([
      2,
      expect.stringMatching(/^::error::The input package names a tarball, .+\n$/),
    ])
  }
  expect(install(verify.package).status).toBe(0)
})

test('the action of check looks for Node and installs as that of verify does: by default itself', () => {
  const [look, setUp, install] = check.action.runs.steps
  const [first, second, third] = verify.action.runs.steps
  expect([look, setUp]).toEqual([first, second])
  expect([install?.env, install?.run]).toEqual([third?.env, third?.run?.replace('_PATH"', '_PATH/.."')])
  expect(check.run('Install', {}, { temp: check.emptyTemp() }).status).toBe(0)
  for (const { action } of [verify, check]) expect(action.inputs.package?.default).toBe('')
})

test('a good client passes, and the outputs, the summary and the reports show it', () => {
  const { status, outputs, stdout, summary, reports } = check.run('check', {
    command: 'node examples/client/main.ts',
    scenario: 'second-variant',
  })
  expect(status, stdout).toBe(0)
  expect(outputs).toMatchObject({ outcome: 'passed', failed: '0', warned: '0' })
  expect(Object.keys(outputs)).toEqual(Object.keys(check.action.outputs))
  expect(stdout).toMatch(/^::notice title=Client report passed::/m)
  expect(summary).toMatch(/^# ✅ Client report: passed\n/)
  for (const file of ['report.json', 'junit.xml', 'report.html', 'traces/second-variant/1.har'])
    expect(existsSync(join(reports, file)), file).toBe(true)
})

/** A command that sends one request with a query. */
const asks = (query: string) =>
  `node -e 'const { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: key } = process.env
    require("node:http").get(url + "/api/cli/whoami?" + ${query}, { headers: { authorization: "Bearer " + key } })' && echo done`

test('a broken rule is an annotation, and violated advice a warning', () => {
  const leaky = { scenario: 'second-variant', 'working-directory': 'proof' }
  const { status, outputs, stdout } = check.run('check', { ...leaky, command: asks('"org_id=" + key') })
  expect([status, outputs], stdout).toEqual([1, expect.objectContaining({ outcome: 'failed', warned: '1' })])
  expect(stdout).toMatch(/^::error title=no-organization-id::/m)
  expect(stdout).toMatch(/^::warning title=key-in-header::/m)
})

test.runIf(isExhaustiveTestRun)('a client is tried with every fault, or with pairs of them', () => {
  const [command, timeout] = [asks('"a=1"'), '5s']
  const { status, stdout, summary } = check.run('check', { command, timeout, 'every-fault': 'true' })
  expect(status, stdout).toBe(1)
  expect(stdout).toMatch(
    /^::error title=retries-503::.+ whoami#1=503: gave up at the first 503 \(also in whoami#1=503:date\)$/m,
  )
  expect(summary).toContain('| whoami#1 | ok |')
  const pairs = check.run('check', { command: `${command}; ${command}`, timeout, pairs: '2' })
  expect(pairs.stdout).toContain('with faults 2 runs, ')
})

test('a scenario that does not exist fails the step without outputs', () => {
  const { status, outputs } = check.run('check', { command: 'true', scenario: 'nope' })
  expect([status, outputs]).toEqual([2, {}])
})
