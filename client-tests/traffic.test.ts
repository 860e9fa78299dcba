/** A report covers one organization in the order of arrival, its runs and the first cause. */
import { describe, expect, test } from 'vitest'
import { operationIds } from '#contract/operation.ts'
import { checkedClientOf, testOrigin } from '#mocks/testing/client.ts'
import { createFrozenMock } from '#mocks/testing/mock.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { inAnswerOrder, unauthenticatedHistory } from './history.ts'
import { mergeRunReports, withoutConsequentialViolations } from './judge.ts'
import type { ClientRule, RuleSituation } from './rule.ts'
import { createRuleTestClient, ruleOutcomeOnMock, ruleResultOnMock } from './testing/rule-result.ts'

describe('organizations', () => {
  test('the report on one shows nothing of another', async () => {
    const mock = createFrozenMock({ credits: 0 })
    for (const name of ['ada', 'bob']) {
      const { call, newTask } = checkedClientOf(mock, name)
      const id = await newTask()
      for (let i = 0; i < (name === 'ada' ? 2 : 1); i++) await call('runTask', { id })
    }
    expect(ruleOutcomeOnMock(mock, 'stops-at-402', {}, 'ada')).toBe('failed')
    expect(ruleOutcomeOnMock(mock, 'stops-at-402', {}, 'bob')).toBe('passed')
    const { parts, outcome } = mock.report()
    expect([outcome, parts.map(({ requests }) => requests)]).toEqual(['failed', [3, 2]])
  })

  test('rejected requests of a deleted key belong to its organization', async () => {
    const { mock, call } = createRuleTestClient()
    const { keys } = (await call('listKeys')).body
    await call('deleteKey', { id: String(keys[0]?.id) })
    for (let i = 0; i < 2; i++) await call('whoami')
    expect(ruleOutcomeOnMock(mock, 'stops-at-401')).toBe('warned')
  })

  test('a 401 of a route that takes a session says nothing of a key', async () => {
    const { mock } = createRuleTestClient()
    const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
    const ask = (path: string) => mock.fetch(new Request(`${testOrigin}/api/cli${path}`, { headers }))
    expect((await ask('/keys')).status).toBe(401)
    for (const path of ['/whoami', '/tasks']) expect((await ask(path)).status).toBe(200)
    expect(ruleOutcomeOnMock(mock, 'stops-at-401')).toBe('passed')
    await ask('/keys')
    const { findings } = mock.report().rules.find(({ id }) => id === 'stops-at-401') ?? {}
    expect(findings?.[0]?.what).toBe('kept using a key where a session is needed')
  })

  test('rejected requests of an unknown key are judged on their own', async () => {
    const { mock, call } = createRuleTestClient()
    await call('whoami')
    const headers = { authorization: 'Bearer wrong' }
    for (let i = 0; i < 2; i++) await mock.fetch(new Request(`${testOrigin}/api/cli/whoami`, { headers }))
    const { parts, rules } = mock.report()
    expect(parts.map(({ org_id, requests }) => [org_id === null, requests])).toEqual([
      [false, 1],
      [true, 2],
    ])
    expect(rules.find(({ id }) => id === 'stops-at-401')?.findings[0]?.part).toBe('nobody')
  })
})

test('what a client knew ends where ids come again, after an earlier state was restored', () => {
  const ids = ['a', 'b', 'c', 'b', 'c']
  const journal = ids.map((id, i) => {
    const follows = i < 2 ? null : (ids[i - 1] ?? null)
    const operation = operationIds[i]
    return {
      id,
      number: i + 1,
      headers: [] as readonly string[],
      follows,
      at: 0,
      duration_ms: 0,
      org_id: null,
      operation,
    } as JournalEntry
  })
  const { entries, context } = unauthenticatedHistory(journal, 0)
  const knew = entries.map((earlier) => context.knew(entries[4] as JournalEntry, earlier))
  expect(knew).toEqual([false, true, true, true, false])
})

/** One of several requests for runs that nothing else is known of. */
const runAt = (at: number, number: number, follows: string | null, status = 200) =>
  ({
    ...{
      id: `a${number}`,
      number,
      headers: [] as readonly string[] as readonly string[],
      at,
      status,
      follows,
    },
    ...{ wire: null, duration_ms: 0, org_id: null, operation: 'runTask' },
  }) as JournalEntry

/** True if the client knew the answer to the first of these requests when it sent the last one. */
function knew(entries: readonly JournalEntry[], held?: number): boolean | undefined {
  const [first, last] = [entries[0], entries.at(-1)]
  return first && last && unauthenticatedHistory(entries, 0, { held }).context.knew(last, first)
}

test('a client that uses two connections at once may have sent a request before it knew an answer', () => {
  const [first, elsewhere, behind] = [runAt(0, 1, null), runAt(0, 2, null), runAt(0, 3, 'a1')]
  expect(knew([first, elsewhere, behind])).toBe(false)
  expect(knew([first, behind])).toBe(true)
})

test('a pipelined request was sent before the answer to the one before it, however long it waited', () => {
  const refusal = runAt(0, 1, null, 401)
  const pipelined = { ...runAt(400, 3, null, 401), waited_ms: 390 }
  expect(knew([refusal, pipelined])).toBe(false)
  expect(knew([refusal, pipelined], 20)).toBe(false)
  expect(knew([refusal, pipelined, runAt(800, 4, null, 401)], 20)).toBe(true)
})

test('a request on a connection that was opened before an answer may have been sent before it', () => {
  const first = runAt(0, 1, null, 402)
  const slow = { ...runAt(400, 2, null, 402), opened_ms: 390 }
  expect(knew([first, slow])).toBe(false)
  expect(knew([first, slow], 20)).toBe(false)
  expect(knew([first, { ...slow, opened_ms: 1 }])).toBe(true)
})

test('where refusals are held back, a client knew each at its end, unless it sent something meanwhile', () => {
  const [refusal, meanwhile, next] = [runAt(0, 1, null, 503), runAt(10, 2, null), runAt(22, 3, null)]
  expect(knew([refusal, next], 20)).toBe(true)
  expect(knew([refusal, next])).toBe(false)
  expect(knew([refusal, meanwhile, next], 20)).toBe(false)
})

test('a client that keeps its connections, and sends a request on another one, may have sent it before', () => {
  const [first, refusal] = [runAt(0, 1, null), runAt(10, 2, 'a1', 503)]
  expect(knew([first, refusal, runAt(32, 3, null)], 20)).toBe(false)
  expect(knew([first, refusal, runAt(32, 3, 'a2')], 20)).toBe(true)
})

test('a client that keeps two connections knew a refusal where its next request came on the one that was free', () => {
  const first = runAt(0, 1, null)
  const [refusal, again, behind] = [runAt(10, 2, null, 402), runAt(35, 3, 'a1'), runAt(40, 4, 'a3')]
  expect(knew([refusal, again], 20)).toBe(false)
  const tells = (...entries: JournalEntry[]) =>
    unauthenticatedHistory([first, ...entries], 0, { held: 20 }).context.knew
  expect(tells(refusal, again)(again, refusal)).toBe(true)
  expect(tells(refusal, again, behind)(behind, refusal)).toBe(true)
  const [meanwhile, busyUntilThen] = [runAt(25, 3, 'a1'), runAt(0, 1, null, 503)]
  expect(tells(refusal, meanwhile)(meanwhile, refusal)).toBe(false)
  const crossed = unauthenticatedHistory([busyUntilThen, refusal, again], 0, { held: 20 }).context.knew
  expect(crossed(again, refusal)).toBe(false)
})

test('a short key that occurs in a URL by chance is not a key there', async () => {
  const { mock, call } = createRuleTestClient({ keysOnly: 'ask,k2' })
  await call('listTasks')
  expect(ruleOutcomeOnMock(mock, 'key-in-header', {}, 'ask')).toBe('passed')
})

test.each([
  ['in the header', '', 'Bearer ', /^sent the key to .*, which is not the API$/],
  ['in the address', '?token=', undefined, /^sent the key in the URL$/],
])('a key that is sent for a creative %s is seen, and named', async (_, parameter, scheme, what) => {
  const { mock, call } = createRuleTestClient()
  const url = String((await call('generateCreative', { body: { prompt: 'A cat' } })).body.url)
  await mock.fetch(url)
  expect(mock.journal.entries()).toHaveLength(1)
  const { apiKey } = mock.credentials()
  const headers = scheme === undefined ? [] : [['authorization', scheme + apiKey] as [string, string]]
  expect((await mock.fetch(parameter === '' ? url : url + parameter + apiKey, { headers })).status).toBe(200)
  const seen = { operation: null, status: 200, org_id: mock.organization().id }
  expect(mock.journal.entries()).toMatchObject([{ operation: 'generateCreative' }, seen])
  expect(JSON.stringify(mock.journal.entries())).not.toContain(apiKey)
  const { outcome, findings } = ruleResultOnMock(mock, 'key-in-header')
  expect([outcome, findings.map((one) => one.what)]).toEqual(['warned', [expect.stringMatching(what)]])
})

test('a body that is nested too deeply to be read is judged', async () => {
  const { mock } = createRuleTestClient({ keysOnly: 'ask' })
  const body = `{"text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const headers = { authorization: 'Bearer ask', 'content-type': 'application/json' }
  await mock.fetch(new Request('http://mock/api/cli/tasks', { method: 'POST', headers, body }))
  expect(ruleOutcomeOnMock(mock, 'key-in-header', {}, 'ask')).toBe('passed')
})

const sent = (number: number, wire: string | null = null, org_id = 'org_1') => ({
  id: `req_${org_id}_${number}`,
  org_id,
  wire,
})
const idsOf = (requests: readonly { id: string }[]) => requests.map(({ id }) => id)

test('a request that was given up stands before those that were sent after that', () => {
  const [first, late, third, fourth] = [sent(1), sent(2, 'abandoned'), sent(3), sent(4)]
  const other = sent(9, null, 'org_2')
  const journal = [first, other, third, late, fourth]
  expect(idsOf(inAnswerOrder(journal))).toEqual(idsOf([first, other, late, third, fourth]))
  expect(inAnswerOrder([first, third])).toEqual([first, third])
})

test('a client that gave up a request is judged by all that it sent', async () => {
  const { mock, call, newTask } = createRuleTestClient({ credits: 0, fault: 'listTasks=delay 20ms' })
  const id = await newTask()
  const left = new AbortController()
  const headers = { authorization: 'Bearer wak_test_demo' }
  const late = mock.fetch(`${testOrigin}/api/cli/tasks`, { headers, signal: left.signal }).catch(() => 'left')
  left.abort()
  for (let i = 0; i < 2; i++) await call('runTask', { id })
  await expect.poll(() => mock.journal.entries().at(-1)?.wire).toBe('abandoned')
  expect([await late, ruleOutcomeOnMock(mock, 'stops-at-402')]).toEqual(['left', 'failed'])
  expect(mock.report().parts[0]?.requests).toBe(4)
})

test('what a later run does as an earlier one is counted, and not told again', async () => {
  const { mock, call, newTask } = createRuleTestClient({ credits: 0 })
  const run = async () => {
    const since = mock.journal.entries().at(-1)?.number
    const id = await newTask()
    await call('runTask', { id })
    await call('runTask', { id })
    return mock.report({ since, label: 'a run', end: { ok: true } })
  }
  const merged = mergeRunReports([await run(), await run(), await run()], mock.report(), '3 runs')
  const rule = merged.rules.find(({ id }) => id === 'stops-at-402')
  expect([rule?.outcome, rule?.findings.length, rule?.more_findings]).toEqual(['failed', 1, 2])
})

type Traits = Partial<Pick<ClientRule, 'level' | 'isHarmless' | 'isRoot' | 'followsFromOthers'>>

/** A rule that was violated or kept in requests with these numbers. */
const judged = (
  id: string,
  violated: readonly number[],
  traits: Traits = {},
  kept: readonly number[] = [],
) => {
  const situation = (number: number, violation?: string): RuleSituation => ({
    evidence: [{ number } as JournalEntry],
    violation,
  })
  const rule = { id, level: 'MUST', ...traits } as ClientRule
  return {
    rule,
    situations: [...violated.map((n) => situation(n, 'did wrong')), ...kept.map((n) => situation(n))],
  }
}

/** The requests whose violations remain, rule by rule. */
const left = (...rules: ReturnType<typeof judged>[]) =>
  Object.fromEntries(
    withoutConsequentialViolations(rules).map(({ rule, situations }) => [
      rule.id,
      situations.filter(({ violation }) => violation).map(({ evidence }) => evidence[0]?.number),
    ]),
  )

const must = { followsFromOthers: true }
const advice = { followsFromOthers: true, level: 'SHOULD' } as const
const should = { level: 'SHOULD' } as const

test('violations of independent rules all remain', () => {
  expect(left(judged('a', [1, 3]), judged('b', [2]))).toEqual({ a: [1, 3], b: [2] })
})

test('what follows from others is dropped beside a violation of its level or above', () => {
  expect(left(judged('a', [1]), judged('end', [2], must))).toEqual({ a: [1], end: [] })
  expect(left(judged('a', [1]), judged('end', [2], advice))).toEqual({ a: [1], end: [] })
  expect(left(judged('a', [1], should), judged('end', [2], advice))).toEqual({ a: [1], end: [] })
})

test('rules that follow from others do not explain each other', () => {
  expect(left(judged('a', [1], must), judged('b', [1], must))).toEqual({ a: [1], b: [1] })
})

test('after a root only its own violations count, and those from before it', () => {
  const root = judged('root', [3, 5], { isRoot: true })
  expect(left(root, judged('a', [1, 2, 3, 4]))).toEqual({ root: [3, 5], a: [1, 2] })
})

test('kept situations remain', () => {
  const [, end] = withoutConsequentialViolations([judged('a', [1]), judged('end', [2], must, [3])])
  expect(end?.situations.map(({ violation }) => violation)).toEqual([undefined])
})
