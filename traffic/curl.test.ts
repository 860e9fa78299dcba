/** The curl line sends the same request, and shows no credential. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { reportedExchange } from '#contract-tests/report/exchange.ts'
import { secretsOf } from '#contract-tests/report/secrets.ts'
import { nasty, sampleExchange } from '#contract-tests/report/testing/sample.ts'
import { createdSecret } from './curl.ts'
import { bytesOf } from './odd-input.ts'
import { Redaction } from './redaction.ts'

/** What a shell passes to curl for a line, with these variables set. */
function argumentsOf(line: string, env: Record<string, string>): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${line}`
  return execFileSync('sh', ['-c', script], { env: { ...process.env, ...env }, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

const asItIs = (text: string) => text

test('a shell sends the request as it was, with the credential from its variable', () => {
  const { curl } = reportedExchange(sampleExchange, asItIs)
  expect(curl).not.toContain('the-key-itself')
  const args = argumentsOf(curl, { WORK_AGENT_API_KEY: 'the-key-itself' })
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
  expect(JSON.parse(args.at(-1) ?? '')).toMatchObject({ text: nasty })
})

test('bytes that are not UTF-8 are printed', () => {
  const requestBody = '{"text":"50% of \\\\ it\'s \udcff end"}'
  const { curl } = reportedExchange({ ...sampleExchange, requestBody }, asItIs)
  expect(curl.isWellFormed()).toBe(true)
  const script = `curl() { for last; do :; done; printf %s "$last"; }\n${curl}`
  const sent = execFileSync('sh', ['-c', script])
  expect(sent).toEqual(Buffer.from(bytesOf(requestBody)))
  expect(sent.indexOf(0xff)).toBeGreaterThan(0)
})

test.each([
  ['other', { authorization: 'Bearer b-key' }, 'authorization: Bearer $WORK_AGENT_OTHER_API_KEY'],
  ['created key', { authorization: 'bearer b-key' }, 'authorization: bearer $CREATED_KEY'],
  ['session', { cookie: 'sid=a-session' }, 'cookie: $WORK_AGENT_SESSION_COOKIE'],
  ['other', { cookie: 'sid=a-session' }, 'cookie: $WORK_AGENT_OTHER_SESSION_COOKIE'],
] as const)('the credential of %s is named', (caller, requestHeaders, shown) => {
  const redaction = new Redaction([createdSecret('b-key')])
  const exchange = { ...sampleExchange, caller, requestHeaders }
  const { curl, request } = reportedExchange(exchange, (text) => redaction.known(text))
  expect(curl).toContain(`-H "${shown}"`)
  expect(JSON.stringify(request.headers)).not.toMatch(/b-key|a-session/)
})

test('a credential that is refused is sent as it was, a secret in it by its variable', () => {
  const redaction = new Redaction(secretsOf({ apiKey: 'wak_live_b-key' }))
  const lineOf = (authorization: string) =>
    reportedExchange({ ...sampleExchange, caller: 'stranger', requestHeaders: { authorization } }, (text) =>
      redaction.known(text),
    ).curl
  const sent = ['xak_live_b-key', 'Token wak_live_b-key', 'Basic wak_live_b-key', 'Bearer org_1']
  for (const authorization of sent) {
    expect(lineOf(authorization)).not.toContain('b-key')
    const args = argumentsOf(lineOf(authorization), { WORK_AGENT_API_KEY: 'wak_live_b-key' })
    expect(args).toContain(`authorization: ${authorization}`)
  }
})

test.each([
  ':',
  'wak_live_b-key:',
  'key:wak_live_b-key',
])('Basic authentication with %s is for curl to encode', (pair) => {
  const redaction = new Redaction(secretsOf({ apiKey: 'wak_live_b-key' }), { decode: true })
  const requestHeaders = { authorization: `Basic ${btoa(pair)}` }
  const { curl } = reportedExchange({ ...sampleExchange, caller: 'stranger', requestHeaders }, (text) =>
    redaction.known(text),
  )
  expect(curl).not.toContain('b-key')
  const args = argumentsOf(curl, { WORK_AGENT_API_KEY: 'wak_live_b-key' })
  expect(args.slice(args.indexOf('-u'))[1]).toBe(pair)
})

test('a cookie that a service sets is not shown', () => {
  expect(JSON.stringify(reportedExchange(sampleExchange, asItIs))).not.toContain('the-session-itself')
})
