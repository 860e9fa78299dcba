/**
 * Each defect breaks exactly what it names; the evidence is complete, and its curl lines send what the suite sent, with
 * the reported status.
 */
import { expect, test } from 'vitest'
import { routeOf } from '#contract/operation.ts'
import { resultsWithOutcome, type SuiteRun } from '#contract-tests/harness/outcome.ts'
import type { ModelEvent, ProviderStateEvent } from '#contract-tests/model/event.ts'
import { createReportedExchange } from '#contract-tests/report/exchange.ts'
import { namedSecretsOfRun } from '#contract-tests/report/secrets.ts'
import { createEmbeddedMock } from '#contract-tests/targets/in-process.ts'
import { isExhaustiveTestRun } from '#mocks/testing/sample.ts'
import { type Exchange, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { bodyBytesOf, decodedPathId } from '#traffic/malformed-input.ts'
import { SecretRedactor } from '#traffic/redaction.ts'
import { curlArgumentsOf } from '#traffic/testing/curl-arguments.ts'
import { defects } from './defects/index.ts'
import { unexpectedOutcomes, variantsToTry } from './matrix.ts'
import { tryMutations } from './trial.ts'

type State = Pick<ProviderStateEvent, 'state' | 'params'>

/**
 * A function that sends requests again, one after the other, and returns the status of each. `send` reaches the mock as
 * it is after the run; `history` is that of the run.
 */
function repeaterOf(send: (request: Request) => Promise<Response>, history: readonly ModelEvent[]) {
  /** States that are set up now. */
  let arranged: readonly State[] = []

  async function organizationOf({ url, headers }: Request): Promise<string | undefined> {
    const authorization = headers.get('authorization') ?? ''
    const whoami = new Request(new URL('/api/cli/whoami', url), { headers: { authorization } })
    const answer = (await (await send(whoami)).json().catch(() => ({}))) as { org?: { id: string } }
    return answer.org?.id
  }

  /** Sets a state up, or tears it down, at the mock of a request. */
  async function change({ url }: Request, { state, params }: State, action = 'setup'): Promise<void> {
    const body = JSON.stringify({ state, params, action })
    const headers = { 'content-type': 'application/json' }
    await send(new Request(new URL('/__admin/states', url), { method: 'POST', headers, body }))
  }

  // A clone could lose its body once the request that it was made of is collected.
  return async (exchange: Exchange, requested: () => Request): Promise<number> => {
    const { status, operation } = exchange
    const request = requested()
    const org_id = await organizationOf(request)
    const wanted = arrangedFor(exchange, history)
    // All requests of a run reached the limit together.
    if (status === 429 && !wanted.some(isLimit))
      wanted.push({ state: 'rate_limit', params: { org_id, limit: 1, window_s: 60 } })
    const isSame = JSON.stringify(wanted) === JSON.stringify(arranged)
    if (!isSame) for (const one of arranged) await change(request, one, 'teardown')
    const isBusy = isSame && wanted.some(({ state }) => state === 'agent_busy')
    if (routeOf(operation).cost > 0 && !isBusy)
      await change(request, { state: 'agent_idle', params: { org_id } })
    const isBroke = wanted.some(
      ({ state, params }) => state === 'credits' && params.credits === 0 && params.org_id === org_id,
    )
    const credits = isBroke || status === 402 ? 0 : 20
    await change(request, { state: 'credits', params: { org_id, credits } })
    if (!isSame) for (const one of wanted) if (one.state !== 'credits') await change(request, one)
    arranged = wanted
    let answer = await send(requested())
    // The first requests are within a limit.
    for (let left = Number(wanted.find(isLimit)?.params.limit ?? 0); left > 0; left--)
      if (answer.status !== status) answer = await send(requested())
    return answer.status
  }
}

const isLimit = ({ state }: State) => state === 'rate_limit'

/** States that were in force for all organizations when a request was sent. */
function arrangedFor({ number, status }: Exchange, history: readonly ModelEvent[]): State[] {
  const request = history.find((one) => one.kind === 'request' && one.id === number)
  if (!request) return []
  const last = new Map<string, ProviderStateEvent>()
  for (const one of history)
    if (one.kind === 'arranged' && one.received.seq < request.sent.seq)
      last.set(`${one.state} of ${one.tenant}`, one)
  const isOver = ({ state, action, received, params: { duration_ms = Infinity } }: ProviderStateEvent) =>
    action === 'teardown' ||
    // The state failed another generation.
    (state === 'next_creative_fails' && status < 400) ||
    state === 'agent_idle' ||
    received.ms + Number(duration_ms) <= request.sent.ms
  return [...last.values()].filter((one) => !isOver(one)).map(({ state, params }) => ({ state, params }))
}

const now = Date.UTC(2026, 2, 2, 9)

/** Arguments with which curl sends the request of an exchange. */
function wanted({ method, url, requestHeaders, requestBody }: Exchange): string[] {
  const { 'x-request-id': _, 'content-length': length, ...others } = requestHeaders
  const headers = Object.entries(others)
  return [
    '-i',
    ...(method === 'GET' ? [] : ['-X', method]),
    url,
    ...headers.flatMap(([name, value]) => {
      const pair = Buffer.from(value.replace('Basic ', ''), 'base64').toString()
      return /^Basic .*=$/.test(value) ? ['-u', pair] : ['-H', `${name}: ${value}`]
    }),
    // Without a body a length is sent too, since some gateways demand one, unless the request had none.
    ...(requestBody !== undefined
      ? ['--data-raw', requestBody]
      : method === 'POST' && length !== ''
        ? ['-H', 'content-length: 0']
        : []),
  ]
}

/** Defects that are always tried, since no other test of the gate has their like. */
const always = [
  'accepts-createKey-mostly',
  'accepts-run-mostly',
  'accepts-after-limit',
  'unavailable-for-no-reason',
]

/** A sample of the matrix; `npm run proof` tries all of it. */
const tried = defects
  .filter(({ id }, i) => isExhaustiveTestRun || i % 120 === 0 || always.includes(id))
  .map((defect, i) => {
    const variants = variantsToTry(defect)
    return [defect.id, defect, variants[i % variants.length] ?? 'first'] as const
  })

/** The request that the arguments of curl describe. */
function requestOf([, ...words]: string[]): Request {
  const init: { method?: string; body?: ReturnType<typeof bodyBytesOf>; headers: Headers } = {
    headers: new Headers(),
  }
  let url = ''
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) url = word
    else if (word === '-X') init.method = words[++at] ?? ''
    else if (word === '--data-raw') init.body = bodyBytesOf(words[++at] ?? '')
    else if (word === '-u') init.headers.set('authorization', `Basic ${btoa(words[++at] ?? '')}`)
    else {
      const [name = '', ...value] = (words[++at] ?? '').split(': ')
      init.headers.set(name, value.join(': '))
    }
  }
  return new Request(url, init)
}

/** The secret of a created key that a request carries, whole or altered, if earlier evidence shows its creation. */
function createdKeyIn(
  { number, url, requestHeaders, requestBody = '' }: Exchange,
  evidence: readonly Exchange[],
) {
  const sent = [url, ...Object.values(requestHeaders), requestBody].join('\n').toLowerCase()
  const made = evidence.filter((one) => one.operation === 'createKey' && one.number < number)
  const secrets = made.flatMap(({ json }) => idAsText(valueAtPath(json, 'secret')) ?? [])
  const isIn = (part: string) => sent.includes(part.toLowerCase())
  return secrets.find((one) => [one.slice(0, -4), one.slice(one.length / 2)].some(isIn))
}

/**
 * True if a request gets the same response while the same states are arranged: not if it uses a created key, which has
 * been deleted since, nor if its response depends on the requests shown beside it: a run is refused while another goes
 * on.
 */
function isRepeatable(exchange: Exchange, evidence: readonly Exchange[]): boolean {
  const { operation, status, requestHeaders } = exchange
  const sent = requestHeaders.authorization?.replace('Bearer ', '') ?? ' '
  const isShown = ({ text }: Exchange) => text.includes(sent)
  const isOfCreated =
    createdKeyIn(exchange, evidence) !== undefined ||
    evidence.filter((one) => one.operation === 'listKeys').some(isShown)
  const isOfItsKind = (one: Exchange) =>
    one.operation === operation && (one.url === exchange.url || operation === 'runTask')
  const isSteady = evidence.every((one) => !isOfItsKind(one) || one.status === status)
  return isSteady && (!isOfCreated || status === 401) && (operation !== 'deleteKey' || status >= 400)
}

/** Every id and secret in a response. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [idAsText(value) ?? []].flat()
  return Object.values(value).flatMap(textsIn)
}

/** Gaps in the evidence of the violations of a run. */
function missingEvidence(run: SuiteRun): string[] {
  return resultsWithOutcome(run, 'failed', 'warned').flatMap(
    ({ requirement, evidence, delta, expected = '' }) => {
      const lacks: string[] = []
      const creates = (text: string) =>
        evidence.some(
          ({ method, operation, json }) =>
            method === 'POST' && operation.startsWith('create') && textsIn(json).includes(text),
        )
      if (evidence.length === 0) lacks.push('any exchange')
      const made = new Set(run.created.map(({ id }) => id))
      for (const id of evidence.flatMap((one) => decodedPathId(one) ?? []).filter((one) => made.has(one)))
        if (!creates(id)) lacks.push(`the request that created ${id}`)
      for (const { requestHeaders } of evidence.filter(({ caller }) => caller === 'created key'))
        if (!creates(requestHeaders.authorization?.slice('Bearer '.length) ?? ''))
          lacks.push('the request that created the key')
      if (/^KEY-(?:DELETED|STAYS-DEAD|DELETE-ONE)/.test(requirement.id))
        if (!evidence.some(({ method }) => method === 'DELETE')) lacks.push('the deletion')
      if (delta !== undefined && /credit/.test(expected)) {
        const balances = evidence.filter(({ json }) => valueAtPath(json, 'credits') !== undefined)
        if (balances.length < 2) lacks.push(`both balances (${balances.length})`)
      }
      return lacks.map((what) => `${requirement.id} lacks ${what}`)
    },
  )
}

/** Defects that show once, after something that a repeated line does not bring about. */
const once = [
  'accepts-after-limit',
  'accepts-createKey-mostly',
  'accepts-createTask-mostly',
  'accepts-listTasks-mostly',
  'accepts-run-mostly',
  'cache-shared-getDocument',
  'cache-shared-getTask',
  'late-read-task',
  'limit-counts-twice-list',
  'limit-counts-twice-post',
  'limit-counts-twice-read',
  'limit-off-by-one',
  'limit-sometimes-fraction',
  'locked-at-times',
  'locked-at-times-html',
  'locked-beside',
  'locked-whoami',
  'run-executed-twice',
  'run-twice-costs',
  'unavailable-for-no-reason',
]

test.each(tried)('%s breaks exactly what it names, and so its lines show', async (name, defect, variant) => {
  const { access } = createEmbeddedMock({ now })
  const trial = await tryMutations([defect.mutate()], variant, { extended: 'on' })
  expect(unexpectedOutcomes(trial, defect.breaks)).toEqual([])
  const { run, send } = trial
  const redaction = new SecretRedactor(namedSecretsOfRun(access, run.secrets), { decode: true })
  const env = {
    WORK_AGENT_API_KEY: access.apiKey,
    WORK_AGENT_OTHER_API_KEY: access.otherApiKey,
    WORK_AGENT_SESSION_COOKIE: access.sessionCookie,
    WORK_AGENT_SESSION: access.sessionCookie?.replace(/^.*?=/, ''),
    WORK_AGENT_OTHER_SESSION_COOKIE: access.otherSessionCookie,
  }
  const violations = resultsWithOutcome(run, 'failed', 'warned')
  const statusOf = repeaterOf(send, run.history)
  expect(missingEvidence(run)).toEqual([])
  // They differ on a new connection, which is what they show.
  const outOfStep = violations.flatMap(({ requirement, evidence }) =>
    requirement.id === 'ANSWER-IN-STEP' ? evidence : [],
  )
  const shown = violations.flatMap(({ evidence }) => evidence)
  for (const exchange of new Set(shown)) {
    const { curl } = createReportedExchange(exchange, (text) => redaction.known(text))
    const CREATED_KEY = createdKeyIn(exchange, shown)
    const line = curlArgumentsOf(curl, { ...env, CREATED_KEY })
    expect(line).toEqual(wanted(exchange))
    const isSame = !once.includes(name) && isRepeatable(exchange, shown) && !outOfStep.includes(exchange)
    if (isSame)
      expect([curl, await statusOf(exchange, () => requestOf(line))]).toEqual([curl, exchange.status])
  }
})
