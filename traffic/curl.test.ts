/** The curl line sends the same request, and shows no credential. */
import { expect, test } from 'vitest'
import { createReportedExchange } from '#contract-tests/report/exchange.ts'
import { namedSecretsOfRun } from '#contract-tests/report/secrets.ts'
import { hostileText, sampleExchange } from '#contract-tests/report/testing/sample.ts'
import { nameCreatedKeySecret } from './curl.ts'
import type { Exchange } from './exchange.ts'
import { SecretRedactor } from './redaction.ts'
import { curlArgumentsOf } from './testing/curl-arguments.ts'

const asItIs = (text: string) => text

/** The report of an exchange that differs from the sample. */
function reported(change: Partial<Exchange>, redaction: SecretRedactor) {
  return createReportedExchange({ ...sampleExchange, ...change }, (text) => redaction.known(text))
}

test('a shell sends the request as it was, with the credential from its variable', () => {
  const { curl } = createReportedExchange(sampleExchange, asItIs)
  expect(curl).not.toContain('the-key-itself')
  const args = curlArgumentsOf(curl, { WORK_AGENT_API_KEY: 'the-key-itself' })
  expect(args).toEqual([
    '-i',
    '-X',
    'POST',
    sampleExchange.url,
    '-H',
    'content-type: application/json',
    '-H',
    'authorization: Bearer the-key-itself',
    '-H',
    `x-odd: ${sampleExchange.requestHeaders['x-odd']}`,
    '--data-raw',
    sampleExchange.requestBody,
  ])
  expect(JSON.parse(args.at(-1) ?? '')).toMatchObject({ text: hostileText })
})

test('a long text that repeats itself is generated', () => {
  const text = `it's ${'long 長い文 '.repeat(700)}${'['.repeat(2_000)} end \udcff`
  for (const requestBody of [JSON.stringify({ text: text.slice(0, -1) }), text, '-'.repeat(500)]) {
    const { curl } = createReportedExchange({ ...sampleExchange, requestBody }, asItIs)
    expect(curl.length).toBeLessThan(2_000)
    expect(curlArgumentsOf(curl, { WORK_AGENT_API_KEY: 'key' }).at(-1)).toBe(requestBody)
  }
})

test('bytes that are not UTF-8 are printed', () => {
  const requestBody = '{"text":"50% of \\\\ it\'s \udcff end"}'
  const { curl } = createReportedExchange({ ...sampleExchange, requestBody }, asItIs)
  expect(curl.isWellFormed()).toBe(true)
  expect(curlArgumentsOf(curl).at(-1)).toBe(requestBody)
})

test.each([
  ['other', { authorization: 'Bearer b-key' }, 'authorization: Bearer $WORK_AGENT_OTHER_API_KEY'],
  ['created key', { authorization: 'bearer b-key' }, 'authorization: bearer $CREATED_KEY'],
  ['session', { cookie: 'sid=a-session' }, 'cookie: $WORK_AGENT_SESSION_COOKIE'],
  ['other', { cookie: 'sid=a-session' }, 'cookie: $WORK_AGENT_OTHER_SESSION_COOKIE'],
  ['session', { cookie: 'theme=dark; sid=a-session' }, 'cookie: theme=dark; $WORK_AGENT_SESSION_COOKIE'],
] as const)('the credential of %s is named', (caller, requestHeaders, shown) => {
  const { curl, request } = reported(
    { caller, requestHeaders },
    new SecretRedactor([nameCreatedKeySecret('b-key')]),
  )
  expect(curl).toContain(`-H "${shown}"`)
  expect(JSON.stringify(request.headers)).not.toMatch(/b-key|a-session/)
})

/** Arguments of curl for a request of a stranger, in which the key is named. */
function sentBy(
  authorization: string,
  terms: ConstructorParameters<typeof SecretRedactor>[1] = {},
): string[] {
  const redaction = new SecretRedactor(namedSecretsOfRun({ apiKey: 'wak_live_b-key' }), terms)
  const { curl } = reported({ caller: 'stranger', requestHeaders: { authorization } }, redaction)
  expect(curl).not.toContain('b-key')
  return curlArgumentsOf(curl, { WORK_AGENT_API_KEY: 'wak_live_b-key' })
}

test.each([
  'xak_live_b-key',
  'Token wak_live_b-key',
  'Basic wak_live_b-key',
  'Bearer org_1',
])('%s, which is refused, is sent as it was, a secret in it by its variable', (authorization) => {
  expect(sentBy(authorization)).toContain(`authorization: ${authorization}`)
})

test.each([
  ':',
  'wak_live_b-key:',
  'key:wak_live_b-key',
])('Basic authentication with %s is for curl to encode', (pair) => {
  const args = sentBy(`Basic ${btoa(pair)}`, { decode: true })
  expect(args.slice(args.indexOf('-u'))[1]).toBe(pair)
})

test('a cookie that a service sets is not shown', () => {
  expect(JSON.stringify(createReportedExchange(sampleExchange, asItIs))).not.toContain('the-session-itself')
})
