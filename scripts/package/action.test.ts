/** Runs the steps of `action.yml` in a local shell. */
import { type ChildProcess, spawn } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settableOptions, variableOf } from '#cli/flags.ts'
import { verifyCommand } from '#cli/verify/flags.ts'
import { LocalAction } from './testing/action.ts'

const local = new LocalAction('action.yml')
let mock: ChildProcess
let ready: { url: string; api_key: string; other_api_key: string; session_cookie: string; states_url: string }

beforeAll(async () => {
  const flags = ['--port', '0', '--log', 'json', '--run-duration', '50ms']
  mock = spawn(process.execPath, ['cli/main.ts', 'mock', ...flags])
  ready = await new Promise((listening) => {
    mock.stdout?.once('data', (line) => listening(JSON.parse(String(line).split('\n')[0] ?? '')))
  })
})

afterAll(() => {
  mock.kill()
  local.remove()
})

test('every input that is a flag is passed as its variable', () => {
  for (const option of settableOptions(verifyCommand).values()) {
    if (!(option.name() in local.action.inputs)) continue
    expect(local.step('verify').env?.[variableOf(verifyCommand, option)]).toBe(
      `\${{ inputs.${option.name()} }}`,
    )
  }
})

test('a conforming service passes, and the outputs show it', () => {
  const { status, outputs } = local.run('verify', {
    'base-url': ready.url,
    'api-key': ready.api_key,
    'other-api-key': ready.other_api_key,
    'session-cookie': ready.session_cookie,
    'max-credits': '1',
    only: 'AUTH-*,RUN-ACCEPTED',
  })
  expect(status).toBe(0)
  expect(outputs).toMatchObject({ outcome: 'passed', failed: '0', credits: '1' })
  expect(Object.keys(outputs)).toEqual(Object.keys(local.action.outputs))
})

test('a service that rejects the key fails the step without outputs', () => {
  const { status, outputs } = local.run('verify', { 'base-url': ready.url, 'api-key': 'wrong' })
  expect(status).toBe(4)
  expect(outputs).toEqual({})
})
