/** The curl lines of violations send what the suite sent, byte for byte, once a shell has filled in the secrets. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { reportedExchange } from '#contract-tests/report/exchange.ts'
import { secretsOf } from '#contract-tests/report/secrets.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { Redaction } from '#traffic/redaction.ts'
import { defects } from './defects/index.ts'
import { tryMutations } from './trial.ts'

const now = Date.UTC(2026, 2, 2, 9)

/** What a shell passes to curl for a line. */
function argumentsOf(line: string, env: Record<string, string | undefined>): string[] {
  const script = `curl() { for one in "$@"; do printf '%s\\0' "$one"; done; }\n${line}`
  return execFileSync('sh', ['-c', script], { env: { ...process.env, ...env }, encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
}

/** What curl has to be given to send the request of an exchange. */
function wanted({ method, url, requestHeaders, requestBody }: Exchange): string[] {
  const headers = Object.entries(requestHeaders).filter(([name]) => name !== 'x-request-id')
  return [
    '-i',
    ...(method === 'GET' ? [] : ['-X', method]),
    url,
    ...headers.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
    ...(requestBody === undefined ? [] : ['--data-raw', requestBody]),
  ]
}

test.each(
  defects.filter((_, i) => i % 25 === 0).map(({ id, mutate }) => [id, mutate] as const),
)('the lines that %s leads to', async (_, mutate) => {
  const { access } = embeddedMock({ now })
  const { run } = await tryMutations([mutate()], 'first', { extended: 'on' })
  const redaction = new Redaction(secretsOf(access, run.secrets), { decode: true })
  const env = {
    WORK_AGENT_API_KEY: access.apiKey,
    WORK_AGENT_OTHER_API_KEY: access.otherApiKey,
    WORK_AGENT_SESSION_COOKIE: access.sessionCookie,
    WORK_AGENT_OTHER_SESSION_COOKIE: access.otherSessionCookie,
  }
  const shown = resultsOf(run, 'failed', 'warned').flatMap(({ evidence }) => evidence)
  for (const exchange of shown) {
    const { curl } = reportedExchange(exchange, (text) => redaction.known(text))
    if (!curl.includes('$CREATED_KEY')) expect(argumentsOf(curl, env)).toEqual(wanted(exchange))
  }
})
