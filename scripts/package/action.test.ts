/** Runs the steps of `action.yml` in a local shell, as the GitHub runner would. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { settableOptions, variableOf } from '#cli/flags.ts'
import { verifyCommand } from '#cli/verify/flags.ts'

interface Step {
  id?: string
  env?: Record<string, string>
  run: string
}

interface Action {
  inputs: Record<string, { default?: string }>
  outputs: Record<string, unknown>
  runs: { steps: Step[] }
}

const action = parse(readFileSync('action.yml', 'utf8')) as Action
const folder = mkdtempSync(join(tmpdir(), 'action-'))
const cli = resolve('cli/main.ts')
let mock: ChildProcess
let ready: { url: string; api_key: string; other_api_key: string; session_cookie: string; states_url: string }

beforeAll(async () => {
  const bin = join(folder, 'work-agent-contract/node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'work-agent-contract'), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`)
  chmodSync(join(bin, 'work-agent-contract'), 0o755)
  mock = spawn(process.execPath, [cli, 'mock', '--port', '0', '--log', 'json', '--run-duration', '50ms'])
  ready = await new Promise((listening) => {
    mock.stdout?.once('data', (line) => listening(JSON.parse(String(line).split('\n')[0] ?? '')))
  })
})

afterAll(() => {
  mock.kill()
  rmSync(folder, { recursive: true })
})

/** Runs the verify step with inputs; returns its exit code and its outputs. */
function verify(inputs: Record<string, string>): { status: number | null; outputs: Record<string, string> } {
  const step = action.runs.steps.find(({ id }) => id === 'verify') as Step
  const dir = mkdtempSync(join(folder, 'run-'))
  const given = { ...inputs, 'report-dir': join(dir, 'reports') } as Record<string, string>
  const inputOf = (name: string) => given[name] ?? action.inputs[name]?.default ?? ''
  const env = Object.entries(step.env ?? {}).map(([name, text]) => [
    name,
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => inputOf(input)),
  ])
  const output = join(dir, 'output')
  writeFileSync(output, '')
  const { status } = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', step.run], {
    env: { PATH: process.env.PATH, ...Object.fromEntries(env), RUNNER_TEMP: folder, GITHUB_OUTPUT: output },
  })
  const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
  return { status, outputs: Object.fromEntries(lines.map((line) => line.split('='))) }
}

test('every input that is a flag is passed as its variable', () => {
  const step = action.runs.steps.find(({ id }) => id === 'verify') as Step
  for (const option of settableOptions(verifyCommand).values()) {
    if (!(option.name() in action.inputs)) continue
    expect(step.env?.[variableOf(verifyCommand, option)]).toBe(`\${{ inputs.${option.name()} }}`)
  }
})

test('a conforming service passes, and the outputs show it', () => {
  const { status, outputs } = verify({
    'base-url': ready.url,
    'api-key': ready.api_key,
    'other-api-key': ready.other_api_key,
    'session-cookie': ready.session_cookie,
    'max-credits': '1',
    only: 'AUTH-*,RUN-ACCEPTED',
  })
  expect(status).toBe(0)
  expect(outputs).toMatchObject({ outcome: 'passed', failed: '0', credits: '1' })
  expect(Object.keys(outputs)).toEqual(Object.keys(action.outputs))
})

test('a service that rejects the key fails the step without outputs', () => {
  const { status, outputs } = verify({ 'base-url': ready.url, 'api-key': 'wrong' })
  expect(status).toBe(4)
  expect(outputs).toEqual({})
})
