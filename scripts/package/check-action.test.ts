/** Runs the steps of `check/action.yml` in a local shell. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { checkCommand } from '#cli/command-lines.ts'
import { settableOptions, variableOf } from '#cli/flags.ts'
import { isWhole } from '#mocks/testing/sample.ts'
import { LocalAction } from './testing/action.ts'

const local = new LocalAction('check/action.yml')
const verifyAction = new LocalAction('action.yml')
afterAll(() => {
  for (const one of [local, verifyAction]) one.remove()
})

test('every input that is a flag is passed as its variable', () => {
  const passed = [...settableOptions(checkCommand).values()].flatMap((option) => {
    if (!(option.name() in local.action.inputs)) return []
    expect(local.step('check').env?.[variableOf(checkCommand, option)]).toBe(
      `\${{ inputs.${option.name()} }}`,
    )
    return [option.name()]
  })
  expect(passed.sort()).toEqual([
    'every-fault',
    'fail-on',
    'jobs',
    'pairs',
    'runs',
    'scenario',
    'seed',
    'strict-client',
    'timeout',
  ])
})

test('it looks for Node and sets it up as the action of verify does', () => {
  const { steps } = verifyAction.action.runs
  expect(local.action.runs.steps.slice(0, 2)).toEqual(steps.slice(0, 2))
})

test('a good client passes, and the outputs, the summary and the reports show it', () => {
  const { status, outputs, stdout, summary, reports } = local.run('check', {
    command: 'node examples/client/main.ts',
    scenario: 'second-variant',
  })
  expect(status, stdout).toBe(0)
  expect(outputs).toMatchObject({ outcome: 'passed', failed: '0', warned: '0' })
  expect(Object.keys(outputs)).toEqual(Object.keys(local.action.outputs))
  expect(stdout).toMatch(/^::notice title=Client report passed::/m)
  expect(summary).toMatch(/^# ✅ Client report: passed\n/)
  for (const file of ['report.json', 'junit.xml', 'report.html', 'traces/second-variant/1.har'])
    expect(existsSync(join(reports, file)), file).toBe(true)
})

/** A command that sends one request with a query. */
const asks = (query: string) =>
  `node -e 'const { WORK_AGENT_BASE_URL: url, WORK_AGENT_API_KEY: key } = process.env
    fetch(url + "/api/cli/whoami?" + ${query}, { headers: { authorization: "Bearer " + key } })' && echo done`

test('a broken rule is an annotation, and violated advice fails if that is asked for', () => {
  const leaky = { scenario: 'second-variant', 'working-directory': 'proof', command: asks('key') }
  const warned = local.run('check', leaky)
  expect([warned.status, warned.outputs.warned], warned.stdout).toEqual([0, '1'])
  expect(warned.stdout).toMatch(/^::warning title=key-in-header::/m)
  expect(warned.stdout).toMatch(/^::notice title=Client report passed with 1 warning::/m)
  expect(warned.summary).toMatch(/^# ⚠️ Client report: passed with 1 warning\n/)
  expect(local.run('check', { ...leaky, 'fail-on': 'warning' }).status).toBe(1)

  const failed = local.run('check', { ...leaky, command: asks('"org_id=mine"') })
  expect([failed.status, failed.outputs.outcome]).toEqual([1, 'failed'])
  expect(failed.stdout).toMatch(/^::error title=no-organization-id::/m)
})

test.runIf(isWhole)('a client is tried with every fault, or with pairs of them', () => {
  const [command, timeout] = [asks('"a=1"'), '5s']
  const { status, stdout, summary } = local.run('check', { command, timeout, 'every-fault': 'true' })
  expect(status, stdout).toBe(1)
  expect(stdout).toMatch(/^::error title=retries-503::.+ whoami#1=503: gave up at the first 503$/m)
  expect(summary).toContain('| whoami#1 | ok |')
  const pairs = local.run('check', { command: `${command}; ${command}`, timeout, pairs: '2' })
  expect(pairs.stdout).toContain('with faults 2 runs, ')
})

test('a scenario that does not exist fails the step without outputs', () => {
  const { status, outputs } = local.run('check', { command: 'true', scenario: 'nope' })
  expect([status, outputs]).toEqual([2, {}])
})
