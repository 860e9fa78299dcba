/** The options of `verify` from flags, variables and a file, and the errors for invalid ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import { verifyCommand } from '../command-lines.ts'
import { readCommandLine, UsageError } from '../flags.ts'
import { readVerifyOptions } from './options.ts'

const folder = mkdtempSync(join(tmpdir(), 'options-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fileOf(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const suite = { name: 'suite', version: '1' }
const read = (argv: string[], env: Record<string, string> = {}) =>
  readVerifyOptions(readCommandLine(verifyCommand, argv, env), suite)

const url = 'http://service.test'
const remote = [url, '--api-key', 'key']

test('every value may stand in a file, and the base URL in the environment or where it is typed', () => {
  const content = {
    baseUrl: 'http://file.test',
    apiKey: 'file',
    maxCredits: 3,
    timeout: '3s',
    readOnly: true,
  }
  const env = { WORK_AGENT_CONFIG: fileOf('config.json', content) }
  const { baseUrl, settings } = read([], env)
  expect(baseUrl).toBe('http://file.test')
  expect(settings).toMatchObject({ apiKey: 'file', maxCredits: 3, timeout: 3_000, readOnly: true })
  const both = { ...env, WORK_AGENT_BASE_URL: 'http://env.test' }
  expect(read([], both).baseUrl).toBe('http://env.test')
  expect(read(['http://typed.test/'], both).baseUrl).toBe('http://typed.test')
})

test('by default no credits are spent on a remote service; on the embedded mock they are', () => {
  expect(read(remote).settings).toMatchObject({ maxCredits: 0, extended: 'auto', variant: 'auto' })
  expect(read([]).settings).toMatchObject({ maxCredits: 20, extended: 'on' })
})

test.each([
  ['http://service.test/', 'http://service.test'],
  ['http://service.test/v1//', 'http://service.test/v1'],
  ['HTTPS://Service.test:8443/a/b', 'https://service.test:8443/a/b'],
  ['http://[::1]:4402', 'http://[::1]:4402'],
])('%s is %s', (typed, expected) => {
  expect(read([typed, '--api-key', 'key']).baseUrl).toBe(expected)
})

test.each([
  ['MUST', ['MUST']],
  ['should', ['MUST', 'SHOULD']],
  ['MAY', ['MUST', 'SHOULD']],
])('--level %s judges %j', (level, levels) => {
  expect(read([...remote, '--level', level]).settings.levels).toEqual(levels)
})

test('--only and --skip take ids and globs, repeated and separated by commas', () => {
  const { settings } = read([...remote, '--only', 'AUTH-*,KEY-*', '--only', 'run-ends', '--skip', '*-whoami'])
  expect(settings).toMatchObject({ only: ['AUTH-*', 'KEY-*', 'run-ends'], skip: ['*-whoami'] })
})

test('--header and --states-header are repeatable, and a value may hold commas and colons', () => {
  const argv = [
    '--header',
    'X-Route: a,b:c',
    '--header',
    'x-two:2',
    '--states-header',
    'Authorization: Bearer s',
  ]
  expect(read([...remote, ...argv]).settings).toMatchObject({
    headers: { 'x-route': 'a,b:c', 'x-two': '2' },
    statesHeaders: { authorization: 'Bearer s' },
  })
})

const id = catalogue[0]?.id ?? ''
const entries = (...list: object[]) =>
  fileOf(`entries-${list.length}-${JSON.stringify(list).length}.json`, list)

test.each<[string, string[], RegExp, Record<string, string>?]>([
  ['no key', [url], /^a base URL needs --api-key K \(or WORK_AGENT_API_KEY\)$/],
  [
    'a base URL without a scheme',
    ['localhost:4402', '--api-key', 'k'],
    /^the base URL takes http:\/\/ or https/,
  ],
  ['a base URL with a query', [`${url}?a=1`, '--api-key', 'k'], /no query and no fragment$/],
  [
    'a base URL with a password',
    ['http://me:hush@service.test', '--api-key', 'k'],
    /^the base URL takes no user name/,
  ],
  [
    'a states URL with a password',
    [...remote, '--states-url', 'http://me:hush@x.test'],
    /^--states-url takes no user name/,
  ],
  ['two base URLs', [url, url, '--api-key', 'k'], /^one base URL at a time, not 2$/],
  ['a key that a header cannot carry', [url, '--api-key', 'hu\u{1f600}sh'], /^--api-key contains characters/],
  ['a cookie without a name', [...remote, '--session-cookie', 'hush'], /^--session-cookie takes name=value$/],
  ['an unknown flag with a value', ['--api-kye=hush'], /^unknown option '--api-kye=…'$/],
  [
    'a pattern that matches nothing',
    [...remote, '--only', 'NOPE-*'],
    /^--only NOPE-\* matches no requirement/,
  ],
  ['an unknown level', [...remote, '--level', 'WILL'], /^--level takes MUST, SHOULD, MAY$/],
  ['an unknown report format', [...remote, '--report', 'pdf=a'], /^--report takes json=FILE, junit=FILE/],
  ['a report without a file', [...remote, '--report', 'json='], /^--report takes/],
  [
    'a report that cannot be written',
    [...remote, '--report', `json=${tmpdir()}`],
    /^cannot write .+: it is a directory$/,
  ],
  [
    'a report below a file',
    [...remote, '--report', 'json=package.json/a'],
    /^cannot write package\.json\/a: (?:ENOTDIR|EEXIST)$/,
  ],
  ['a duration without a unit', [...remote, '--run-timeout', '60'], /^--run-timeout takes a duration/],
  ['no concurrency', [...remote, '--concurrency', '0'], /^--concurrency takes a whole number, 1 or more$/],
  [
    'an unknown variable',
    [],
    /^unknown variable WORK_AGENT_API_KYE; did you mean WORK_AGENT_API_KEY\?$/,
    { WORK_AGENT_API_KYE: 'hush' },
  ],
  [
    'a missing file of expected failures',
    [...remote, '--expected-failures', '/no/such'],
    /^cannot read \/no\/such: ENOENT$/,
  ],
  [
    'expected failures that are not JSON',
    [...remote, '--expected-failures', fileOf('bad.json', 'hush')],
    /it is not JSON$/,
  ],
  [
    'an expected failure without a reason',
    [...remote, '--expected-failures', entries({ id })],
    /entries.*: entry 1 of failures: reason: /,
  ],
  [
    'a gap without a reason',
    [...remote, '--expected-failures', fileOf('gap.json', { unexercised: [{ id }] })],
    /gap\.json: entry 1 of unexercised: reason: /,
  ],
  [
    'a gap of an unknown requirement',
    [...remote, '--expected-failures', fileOf('gap2.json', { unexercised: [{ id: 'NOPE', reason: 'a' }] })],
    /no requirement NOPE/,
  ],
  ['a header without a name', [...remote, '--header', 'hush'], /^--header takes 'name: value'$/],
  [
    'a header that the suite sets',
    [...remote, '--header', 'Authorization: hush'],
    /^--header does not take Authorization/,
  ],
  ['a file without certificates', [...remote, '--ca', 'package.json'], /no certificate in PEM form$/],
  [
    'an expected failure of an unknown requirement',
    [...remote, '--expected-failures', entries({ id: 'NOPE', reason: 'a' })],
    /no requirement NOPE/,
  ],
  [
    'two entries for one requirement',
    [...remote, '--expected-failures', entries({ id, reason: 'a' }, { id, reason: 'b' })],
    /more than one entry for/,
  ],
])('%s is an error in one line', (_, argv, message, env = {}) => {
  const error = (() => {
    try {
      return read(argv, env)
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(UsageError)
  const { message: text } = error as UsageError
  expect(text).toMatch(message)
  expect(text).not.toMatch(/\n|hush/)
})
