/** The curl line sends the same request, and shows no credential. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { reportedExchange } from '#contract-tests/report/exchange.ts'
import { nasty, sampleExchange } from '#contract-tests/report/testing/sample.ts'

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

test.each([
  ['other', { authorization: 'Bearer b-key' }, 'authorization: Bearer $WORK_AGENT_OTHER_API_KEY'],
  ['created key', { authorization: 'bearer b-key' }, 'authorization: bearer $CREATED_KEY'],
  ['session', { cookie: 'sid=a-session' }, 'cookie: $WORK_AGENT_SESSION_COOKIE'],
  ['stranger', { authorization: 'Bearer xb-key' }, 'authorization: Bearer not-a-key'],
] as const)('the credential of %s is named', (caller, requestHeaders, shown) => {
  const { curl, request } = reportedExchange({ ...sampleExchange, caller, requestHeaders }, asItIs)
  expect(curl).toContain(`-H "${shown}"`)
  expect(JSON.stringify(request.headers)).not.toMatch(/b-key|a-session/)
})

test('a cookie that a service sets is not shown', () => {
  expect(JSON.stringify(reportedExchange(sampleExchange, asItIs))).not.toContain('the-session-itself')
})
