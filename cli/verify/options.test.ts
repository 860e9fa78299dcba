/** The options of `verify` from flags, variables and a file. */
import { expect, test } from 'vitest'
import { verifyCommandDefinition } from '../command-lines.ts'
import { readCommandLine } from '../flags.ts'
import { createTestFolder } from '../testing/folder.ts'
import { argumentsOfCall, type CliCall } from '../testing/in-process.ts'
import { readVerifyOptions } from './options.ts'

const suite = { name: 'suite', version: '1' }
const read = (flags: CliCall, env: Record<string, string> = {}) =>
  readVerifyOptions(readCommandLine(verifyCommandDefinition, argumentsOfCall(flags), env), suite)

const remote = 'http://service.test --api-key key'

test('every value may stand in a file, and the base URL in the environment or where it is typed', () => {
  const content = {
    baseUrl: 'http://file.test',
    apiKey: 'file',
    maxCredits: 3,
    timeout: '3s',
    readOnly: true,
  }
  const env = { WORK_AGENT_CONFIG: createTestFolder().write('config.json', content) }
  const { baseUrl, settings } = read('', env)
  expect(baseUrl).toBe('http://file.test')
  expect(settings).toMatchObject({ apiKey: 'file', maxCredits: 3, timeout: 3_000, readOnly: true })
  const both = { ...env, WORK_AGENT_BASE_URL: 'http://env.test' }
  expect(read('', both).baseUrl).toBe('http://env.test')
  expect(read('http://typed.test/', both).baseUrl).toBe('http://typed.test')
})

test('by default no credits are spent on a remote service; on the embedded mock they are', () => {
  expect(read(remote).settings).toMatchObject({ maxCredits: 0, extended: 'auto', variant: 'auto' })
  expect(read('').settings).toMatchObject({ maxCredits: 20, extended: 'on' })
})

test.each([
  ['http://service.test/', 'http://service.test'],
  ['http://service.test/v1//', 'http://service.test/v1'],
  ['HTTPS://Service.test:8443/a/b', 'https://service.test:8443/a/b'],
  ['http://[::1]:4402', 'http://[::1]:4402'],
])('%s is %s', (typed, expected) => {
  expect(read(`${typed} --api-key key`).baseUrl).toBe(expected)
})

test.each([
  ['MUST', ['MUST']],
  ['should', ['MUST', 'SHOULD']],
  ['MAY', ['MUST', 'SHOULD']],
])('--level %s judges %j', (level, levels) => {
  expect(read(`${remote} --level ${level}`).settings.levels).toEqual(levels)
})

test('--only and --skip take ids and globs, repeated and separated by commas', () => {
  const { settings } = read(`${remote} --only AUTH-*,KEY-* --only run-ends --skip *-whoami`)
  expect(settings).toMatchObject({ only: ['AUTH-*', 'KEY-*', 'run-ends'], skip: ['*-whoami'] })
})

test('--header and --states-header are repeatable, and a value may hold commas and colons', () => {
  const headers = ['--header', 'X-Route: a,b:c', '--header', 'x-two:2']
  const states = ['--states-header', 'Authorization: Bearer s']
  expect(read([...argumentsOfCall(remote), ...headers, ...states]).settings).toMatchObject({
    headers: { 'x-route': 'a,b:c', 'x-two': '2' },
    statesHeaders: { authorization: 'Bearer s' },
  })
})
