/** The evidence of violations is complete, and its curl lines send what the suite sent, with the reported status. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { routeOf } from '#contract/operation.ts'
import { resultsOf } from '#contract-tests/harness/outcome.ts'
import { reportedExchange } from '#contract-tests/report/exchange.ts'
import { secretsOf } from '#contract-tests/report/secrets.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { sample } from '#mocks/testing/sample.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { Redaction } from '#traffic/redaction.ts'
import { defects } from './defects/index.ts'
import { missingEvidence } from './evidence.ts'
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

const tried = sample(defects, 50).map(({ id, mutate }) => [id, mutate] as const)

/** Whether the state of the service after a run still is the one in which a request was sent. */
function isRepeatable({ operation, caller, status }: Exchange): boolean {
  const isArranged = [402, 429, 503].includes(status)
  return !isArranged && caller !== 'created key' && routeOf(operation).cost === 0 && operation !== 'deleteKey'
}

/** The request that the arguments of curl describe. */
function requestOf([, ...words]: string[]): Request {
  const init: { method?: string; body?: string; headers: Headers } = { headers: new Headers() }
  let url = ''
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) url = word
    else if (word === '-X') init.method = words[++at] ?? ''
    else if (word === '--data-raw') init.body = words[++at] ?? ''
    else {
      const [name = '', ...value] = (words[++at] ?? '').split(': ')
      init.headers.set(name, value.join(': '))
    }
  }
  return new Request(url, init)
}

test.each(tried)('the lines that %s leads to', async (_, mutate) => {
  const { access } = embeddedMock({ now })
  const { run, send } = await tryMutations([mutate()], 'first', { extended: 'on' })
  const redaction = new Redaction(secretsOf(access, run.secrets), { decode: true })
  const env = {
    WORK_AGENT_API_KEY: access.apiKey,
    WORK_AGENT_OTHER_API_KEY: access.otherApiKey,
    WORK_AGENT_SESSION_COOKIE: access.sessionCookie,
    WORK_AGENT_OTHER_SESSION_COOKIE: access.otherSessionCookie,
  }
  const violations = resultsOf(run, 'failed', 'warned')
  expect(missingEvidence(run)).toEqual([])
  // They differ on a new connection, which is what they show.
  const outOfStep = violations.flatMap(({ requirement, evidence }) =>
    requirement.id === 'ANSWER-IN-STEP' ? evidence : [],
  )
  for (const exchange of new Set(violations.flatMap(({ evidence }) => evidence))) {
    const { curl } = reportedExchange(exchange, (text) => redaction.known(text))
    if (curl.includes('$CREATED_KEY')) continue
    const line = argumentsOf(curl, env)
    expect(line).toEqual(wanted(exchange))
    const isSame = isRepeatable(exchange) && !outOfStep.includes(exchange)
    if (isSame) expect([curl, (await send(requestOf(line))).status]).toEqual([curl, exchange.status])
  }
})
