/** Runs the steps of `action.yml` in a local shell. */
import { rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { verifyCommand } from '#cli/command-lines.ts'
import { settableOptions, variableOf } from '#cli/flags.ts'
import { builtCommand } from '#cli/testing/command.ts'
import { startProgram } from '#cli/testing/run.ts'
import { LocalAction, oldNode } from './testing/action.ts'

const local = new LocalAction('action.yml')
const old = oldNode()
let mock: Awaited<ReturnType<typeof startProgram>>
let ready: { url: string; api_key: string; other_api_key: string; session_cookie: string; states_url: string }

beforeAll(async () => {
  const flags = ['--port', '0', '--log', 'json', '--run-duration', '50ms']
  mock = await startProgram(process.execPath, [builtCommand, 'mock', ...flags])
  ready = mock.ready
})

afterAll(async () => {
  await mock.stop()
  local.remove()
  rmSync(old, { recursive: true })
})

/** Flags that are no input, and why. */
const noInputs: Readonly<Record<string, string>> = {
  report: 'report-dir names the folder of all reports',
}

test('every flag is an input with the same name, or has a reason not to be', () => {
  const options = [...settableOptions(verifyCommand).values()]
  const { 'report-dir': folder, package: name, ...inputs } = local.action.inputs
  expect([...Object.keys(inputs), ...Object.keys(noInputs)].sort()).toEqual(
    options.map((option) => option.name()).sort(),
  )
  for (const option of options.filter((one) => one.name() in inputs))
    expect(local.step('verify').env?.[variableOf(verifyCommand, option)]).toBe(
      `\${{ inputs.${option.name()} }}`,
    )
})

test('a service that rejects the key fails the step without outputs', () => {
  const { status, outputs } = local.run('verify', { 'base-url': ready.url, 'api-key': 'wrong' })
  expect(status).toBe(4)
  expect(outputs).toEqual({})
})

test.each([
  ['old', old, 'false'],
  ['supported', dirname(process.execPath), 'true'],
])('all steps run on a machine whose Node is %s', (_, folder, suits) => {
  const results = local.runAll(folder, {
    'base-url': ready.url,
    'api-key': ready.api_key,
    'other-api-key': ready.other_api_key,
    'session-cookie': ready.session_cookie,
    'max-credits': '1',
    only: 'AUTH-MISSING-whoami,RUN-ACCEPTED',
    header: 'x-gateway: open, x-zone: a',
  })
  expect([...results.keys()].map(({ name }) => name)).toEqual([
    'Look for Node',
    'Install the suite',
    'Verify',
  ])
  const [look, , verify] = [...results.values()]
  expect(look?.outputs).toEqual({ suits })
  expect(verify?.status, verify?.stdout).toBe(0)
  expect(verify?.outputs).toMatchObject({ outcome: 'passed', failed: '0', credits: '1' })
  expect(Object.keys(verify?.outputs ?? {})).toEqual(Object.keys(local.action.outputs))
})

test.each([
  'action.yml',
  'check/action.yml',
])('%s installs itself or a file, and nothing by its name', (file) => {
  const one = new LocalAction(file)
  onTestFinished(() => one.remove())
  const supported = dirname(process.execPath)
  const install = (name: string) => {
    const inputs = { command: 'true', scenario: 'second-variant', 'base-url': ready.url, package: name }
    const results = [...one.runAll(supported, inputs)]
    return results.find(([step]) => step.name.startsWith('Install'))?.[1]
  }
  for (const name of ['work-agent-contract', 'work-agent-contract@1.2.3', 'no/such.tgz']) {
    const { status, stdout } = install(name) ?? {}
    expect([status, stdout]).toEqual([
      2,
      expect.stringMatching(/^::error::The input package names a tarball, .+\n$/),
    ])
  }
  for (const name of ['', one.package]) expect(install(name)?.status).toBe(0)
  expect(one.action.inputs.package?.default).toBe('')
})
