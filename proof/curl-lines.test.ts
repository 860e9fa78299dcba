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

type Send = (request: Request) => Promise<Response>

/** What has to be arranged again for a status; the rest needs an agent that is idle and credits. */
const arrangements: Readonly<Record<number, readonly [state: string, params: object]>> = {
  402: ['credits', { credits: 0 }],
  429: ['rate_limit', { limit: 1, window_s: 60 }],
  503: ['unavailable', {}],
}

/** Whether a request has the same response as long as the same is arranged; what was deleted stays so. */
function isRepeatable({ operation, caller, status, requestHeaders }: Exchange, ownKey: string): boolean {
  const isOfCreated =
    caller === 'created key' || (caller === 'stranger' && !requestHeaders.authorization?.includes(ownKey))
  if (isOfCreated && status !== 401) return false
  // Paid requests may be refused for what was under way, or with the wrong status for what was arranged.
  const isPlain = status < 300 || [401, 404].includes(status) || arrangements[status] !== undefined
  if (routeOf(operation).cost > 0 && !isPlain) return false
  return operation !== 'deleteKey' || status >= 400
}

/** The status of a request, sent again in the state in which it was sent. */
async function repeated(send: Send, exchange: Exchange, line: string[]): Promise<number> {
  const { status, operation, requestHeaders } = exchange
  const { origin } = new URL(exchange.url)
  const authorization = requestHeaders.authorization ?? ''
  const whoami = await send(new Request(`${origin}/api/cli/whoami`, { headers: { authorization } }))
  const { org } = (await whoami.json().catch(() => ({}))) as { org?: { id: string } }
  const org_id = org?.id
  const change = (state: string, params: object, action = 'setup') => {
    const body = JSON.stringify({ state, params: { org_id, ...params }, action })
    const headers = { 'content-type': 'application/json' }
    return send(new Request(`${origin}/__admin/states`, { method: 'POST', headers, body }))
  }
  if (routeOf(operation).cost > 0) {
    await change('agent_idle', {})
    await change('credits', { credits: 20 })
  }
  const [state, params] = arrangements[status] ?? []
  if (state && params) await change(state, params)
  const first = await send(requestOf(line))
  // The first request is within a limit.
  const answer = status === 429 ? await send(requestOf(line)) : first
  if (state && params) await change(state, params, 'teardown')
  return answer.status
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
    const CREATED_KEY = exchange.requestHeaders.authorization?.replace(/^Bearer /, '')
    const line = argumentsOf(curl, { ...env, CREATED_KEY })
    expect(line).toEqual(wanted(exchange))
    const isSame = isRepeatable(exchange, access.apiKey) && !outOfStep.includes(exchange)
    if (isSame) expect([curl, await repeated(send, exchange, line)]).toEqual([curl, exchange.status])
  }
})
