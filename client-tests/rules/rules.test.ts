/** Runs, polls, ids, 402 and 503: a client is judged only by what it could know, and met. */
import { describe, expect, test } from 'vitest'
import { testOrigin } from '#mocks/testing/client.ts'
import type { RuleContext, RunFacts } from '../rule.ts'
import {
  createMockWithStartedTask,
  createRuleTestClient,
  journalEntriesOf,
  type RuleTestMockOptions,
  ruleOutcomeOnMock,
  ruleResultOnMock,
} from '../testing/rule-result.ts'
import { pausesBetweenRetriesRule } from './refusals.ts'

describe('after 402', () => {
  test('paid requests that were sent before the answer arrived are no violation', async () => {
    const { mock, call, newTask } = createRuleTestClient({ credits: 1 })
    const ids = [await newTask(), await newTask(), await newTask()]
    const answers = await Promise.all(ids.map((id) => call('runTask', { id })))
    expect(answers.map(({ status }) => status)).toEqual([200, 402, 402])
    expect(ruleOutcomeOnMock(mock, 'stops-at-402')).toBe('passed')
  })

  test('the next paid request is a violation, and the report names both requests', async () => {
    const { mock, call, newTask, id } = await createMockWithStartedTask({ credits: 0 })
    mock.clock.advance(500)
    await call('runTask', { id: await newTask() })
    const { outcome, findings } = ruleResultOnMock(mock, 'stops-at-402')
    expect(outcome).toBe('failed')
    expect(findings[0]?.what).toBe('requested paid work again 0.5 s after a 402 without new credits')
    expect(findings[0]?.evidence.map(({ method, path, answer }) => [method, path, answer])).toEqual([
      ['POST', `/api/cli/tasks/${id}/run`, '402 no_credits'],
      ['POST', expect.stringMatching(/^\/api\/cli\/tasks\/task_\w+\/run$/), '402 no_credits'],
    ])
  })

  test('the same run, sent twice at once, shows nothing', async () => {
    const { mock, call, newTask } = createRuleTestClient({ credits: 0 })
    const id = await newTask()
    await Promise.all([call('runTask', { id }), call('runTask', { id })])
    expect(ruleOutcomeOnMock(mock, 'stops-at-402')).toBe('not_exercised')
  })

  test.each<[string, RuleTestMockOptions, (client: ReturnType<typeof createRuleTestClient>) => unknown]>([
    [
      'credits were added',
      { credits: 1, runProgress: 'immediate' },
      ({ mock }) => mock.organization('demo').addCredits(1),
    ],
    ['a credit was refunded', { credits: 1, runOutcome: 'failed' }, ({ mock }) => mock.clock.advance(2_000)],
    [
      'credits were shown',
      { fault: 'runTask=ok,no_credits', runProgress: 'immediate' },
      ({ call }) => call('whoami'),
    ],
  ])('paid work is allowed after %s', async (_, options, help) => {
    const client = createRuleTestClient(options)
    const { mock, call, newTask } = client
    const [first, next] = [await newTask(), await newTask()]
    await call('runTask', { id: first })
    expect((await call('runTask', { id: next })).status).toBe(402)
    await help(client)
    expect((await call('runTask', { id: next })).status).toBe(200)
    expect(ruleOutcomeOnMock(mock, 'stops-at-402')).toBe('passed')
  })
})

describe('after 503', () => {
  const struck = async () => {
    const client = createRuleTestClient({ fault: 'whoami=unavailable,unavailable,ok' })
    await client.call('whoami')
    return client
  }

  test('a client that ended without a retry has given up', async () => {
    const { mock } = await struck()
    expect(ruleOutcomeOnMock(mock, 'retries-503', { end: { ok: true } })).toBe('failed')
  })

  test('one immediate retry is no violation, and shows no pause either', async () => {
    const { mock, call } = await struck()
    await call('whoami')
    expect(ruleOutcomeOnMock(mock, 'retries-503')).toBe('passed')
    expect(ruleOutcomeOnMock(mock, 'pauses-after-503')).toBe('not_exercised')
    await call('whoami')
    expect(ruleOutcomeOnMock(mock, 'pauses-after-503')).toBe('warned')
  })

  test('creations of several things are no retries of each other', async () => {
    const { mock, call } = createRuleTestClient({ fault: 'createTask=unavailable;times=3' })
    for (let i = 0; i < 3; i++) await call('createTask', { body: { text: 'One' } })
    const entries = journalEntriesOf(mock)
    const context = { knew: () => true } as Partial<RuleContext> as RuleContext
    const situations = (bodyOf: (i: number) => string) =>
      pausesBetweenRetriesRule.judge(
        entries.map((one, i) => ({ ...one, body: bodyOf(i) })),
        context,
      )
    expect(situations(() => 'One')).toHaveLength(1)
    expect(situations(String)).toEqual([])
  })
})

describe('a run', () => {
  test.each([
    ['went on when the client last looked', 'getTask', 0, 'failed'],
    ['has ended, as the client has seen', 'getTask', 60_000, 'not_exercised'],
    ['may have ended, as a list may have told', 'listTasks', 0, 'not_exercised'],
    ['was not looked at', undefined, 0, 'not_exercised'],
  ] as const)('that %s, and is requested and charged again', async (_, operation, wait, outcome) => {
    const { mock, id, call } = await createMockWithStartedTask({ runDuration: '30s' })
    mock.clock.advance(wait)
    if (operation === 'getTask') await call(operation, { id })
    else if (operation) await call(operation)
    mock.clock.advance(60_000)
    await call('runTask', { id })
    expect(ruleOutcomeOnMock(mock, 'pays-once')).toBe(outcome)
  })

  test('a client that has not ended has not abandoned a run', async () => {
    const { mock, id, poll } = await createMockWithStartedTask({ runDuration: '1h' })
    await poll(id)
    expect(ruleOutcomeOnMock(mock, 'follows-runs')).toBe('not_exercised')
    expect(ruleOutcomeOnMock(mock, 'follows-runs', { end: { ok: true } })).toBe('warned')
  })

  test('a client that waits for it by reading something else is told what', async () => {
    const { mock, call } = await createMockWithStartedTask({ runDuration: '1h' })
    for (let i = 0; i < 12; i++) await call('listNotifications')
    const [finding] = ruleResultOnMock(mock, 'follows-runs', { end: { ok: true } }).findings
    expect(finding?.what).toBe('waited by reading listNotifications 12 times, and never polled the task')
  })

  test.each([
    [undefined, 'failed'],
    [true, 'not_exercised'],
  ] as const)('a client that leaves runs at any status (%s) decides nothing by an unknown one', async (leavesRuns, outcome) => {
    const { mock, id, poll } = await createMockWithStartedTask({
      runDuration: '1h',
      strictClient: 'status-digits',
    })
    await poll(id)
    const run = { canFinish: true, leavesRuns }
    expect(ruleOutcomeOnMock(mock, 'reads-finished', { end: { ok: true }, run })).toBe(outcome)
  })

  test('polling on is correct after an invalid_request while a run is in progress', async () => {
    const { mock, id, poll, call, newTask } = await createMockWithStartedTask({ runDuration: '1h' })
    await call('runTask', { id: await newTask() })
    expect((await call('runTask', { id })).body).toMatchObject({ error: 'invalid_request' })
    for (let i = 0; i < 5; i++) await poll(id)
    expect(ruleOutcomeOnMock(mock, 'branches-on-error')).toBe('not_exercised')
  })

  test('a task whose answers are too long for the journal is not judged', async () => {
    const { mock, newTask, call, poll } = createRuleTestClient()
    const id = await newTask('"'.repeat(90_000))
    await call('runTask', { id })
    await poll(id)
    const { rules } = mock.report({ end: { ok: true } })
    const judged = rules.filter(({ outcome }) => outcome !== 'not_exercised').map((rule) => rule.id)
    expect(judged).toEqual(['key-in-header', 'no-organization-id', 'uses-known-routes'])
  })
})

test.each([
  ['credits-halves', /^stopped at a balance of [\d.]+\.5 credits$/],
  ['ids-numbers', /^stopped at an id that is a number$/],
])('what a client stops at under %s is told from the answer', async (strictClient, what) => {
  const { mock, call } = createRuleTestClient({ strictClient })
  await call('whoami')
  const { findings } = ruleResultOnMock(mock, 'tolerates-extras', { end: { ok: false } })
  expect(findings[0]?.what).toMatch(what)
})

describe('a status that a client cannot know', () => {
  const ended = async (options: RuleTestMockOptions, looks: number, ok: boolean) => {
    const { mock, id, poll } = await createMockWithStartedTask(options)
    mock.clock.advance(10_000)
    for (let i = 0; i < looks; i++) await poll(id)
    return (run?: RunFacts, since = 0) =>
      ['reads-finished', 'stops-polling', 'tolerates-extras'].map((rule) =>
        ruleOutcomeOnMock(mock, rule, { end: { ok }, run, since }),
      )
  }
  const unknown = { strictClient: 'status-digits' }
  const canFinish = true

  test('ends a client that knows a list of them, also where the task is finished', async () => {
    const report = await ended(unknown, 1, false)
    expect(report()).toEqual(['failed', 'passed', 'not_exercised'])
    expect(report({ canFinish, stopsAt: 'getTask' })).toEqual(['not_exercised', 'passed', 'not_exercised'])
  })

  test('is not blamed for an error after a failed run', async () => {
    const report = await ended({ ...unknown, fault: 'runTask=fail' }, 1, false)
    expect(report()[0]).toBe('not_exercised')
  })

  test('is not the reason of polls after the end where the client ends well', async () => {
    const report = await ended(unknown, 5, true)
    expect(report()).toEqual(['not_exercised', 'failed', 'not_exercised'])
    expect(report({ canFinish, pollsOn: false })[0]).toBe('failed')
  })

  test('is blamed, and not an unknown field, where the client accepted such fields before', async () => {
    const report = await ended({ strictClient: 'status-made-up,extra-fields' }, 1, false)
    expect(report()).toEqual(['failed', 'passed', 'passed'])
    const afterTheRun = 2
    expect(report(undefined, afterTheRun)).toEqual(['not_exercised', 'not_exercised', 'warned'])
  })
})

const run = { canFinish: true, hasPaidWork: true }
const end = { ok: false }

/** A client that ends after it created a task. */
async function stopped(scenario: 'odd-ids' | 'slow-run') {
  const { mock, newTask } = createRuleTestClient({ scenario })
  await newTask()
  return mock
}

test('an end at an id that no path holds as it is violates the rule, and explains the end', async () => {
  const mock = await stopped('odd-ids')
  expect(ruleResultOnMock(mock, 'encodes-ids', { end, run }).findings[0]?.what).toMatch(
    /^ended with an error at the id "task\/é .+", which a path cannot hold as it is$/,
  )
  expect(ruleOutcomeOnMock(mock, 'finishes-work', { end, run })).toBe('not_exercised')
})

test('an end at any other id does not, nor one of a client that runs no tasks elsewhere', async () => {
  expect(ruleOutcomeOnMock(await stopped('slow-run'), 'encodes-ids', { end, run })).toBe('not_exercised')
  const idle = { ...run, hasPaidWork: false }
  expect(ruleOutcomeOnMock(await stopped('odd-ids'), 'encodes-ids', { end, run: idle })).toBe('not_exercised')
})

test.each([
  ['ids-long', 'not_exercised'],
  ['ids-odd', 'passed'],
])('to encode ids counts where a path cannot hold them as they are: with %s it is %s', async (strictClient, outcome) => {
  const { mock } = await createMockWithStartedTask({ strictClient })
  expect(ruleOutcomeOnMock(mock, 'encodes-ids')).toBe(outcome)
})

const oddPath = async (pathOf: (id: string) => string) => {
  const { mock, newTask } = createRuleTestClient({ scenario: 'odd-ids' })
  const id = await newTask()
  const headers = { authorization: 'Bearer wak_test_demo' }
  await mock.fetch(new Request(`${testOrigin}/api/cli/tasks/${pathOf(id)}`, { headers }))
  return ruleResultOnMock(mock, 'encodes-ids')
}

test('a path that is made of an odd id in a way that nobody listed names no task, and violates the rule', async () => {
  const latin1 = await oddPath((id) => encodeURIComponent(id).replace('%C3%A9', '%E9'))
  expect(latin1.findings[0]?.what).toMatch(
    /^asked for \/api\/cli\/tasks\/task%2F%E9.+ where the path of the id "task\/é .+" is \/api\/cli\/tasks\/task%2F%C3%A9/,
  )
  expect((await oddPath((id) => id.replaceAll(/\W/g, '_'))).outcome).toBe('failed')
})

test('a plain word that has nothing of an odd id is another id', async () => {
  expect((await oddPath(() => 'nope')).outcome).toBe('not_exercised')
})

test.each([
  ['an offer for {org}', 'passed'],
  ['{org}', 'failed'],
])('an organization is named by its id as a whole value: %j is %s', async (text, outcome) => {
  const { mock, call } = createRuleTestClient()
  const { org } = (await call('whoami')).body
  await call('createTask', { body: { text: text.replace('{org}', String(org?.id)) } })
  expect(ruleOutcomeOnMock(mock, 'no-organization-id')).toBe(outcome)
})

test('an organization is not named by the address of an image that an answer has shown', async () => {
  const { mock, call } = createRuleTestClient()
  const { url } = (await call('generateCreative', { body: { prompt: 'A lighthouse' } })).body
  expect((await mock.fetch(new Request(String(url)))).status).toBe(200)
  expect(ruleOutcomeOnMock(mock, 'no-organization-id')).toBe('passed')
})

test.each([
  ['an encoded path', (id: string) => ({ path: `/tasks/${id.replace('_', '%5F')}`, method: 'GET' })],
  ['a form', (id: string) => ({ path: '/tasks', method: 'POST', body: new URLSearchParams({ of: id }) })],
])('an organization is named in %s', async (_, asked) => {
  const { mock, call } = createRuleTestClient()
  const { org } = (await call('whoami')).body
  const { path, ...init } = asked(String(org?.id))
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  await mock.fetch(new Request(`${testOrigin}/api/cli${path}`, { ...init, headers }))
  expect(ruleOutcomeOnMock(mock, 'no-organization-id')).toBe('failed')
})

test.each([
  ['documents?folderId=1', 'sent "folderId" with listDocuments, which has folder_id'],
  ['tasks?cursor=a', 'sent "cursor" with listTasks, which takes no parameters'],
  ['documents?all=1&_=3', undefined],
])('what GET %s asks for is told from what the route takes', async (path, what) => {
  const { mock } = createRuleTestClient()
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  await mock.fetch(new Request(`${testOrigin}/api/cli/${path}`, { headers }))
  expect(ruleResultOnMock(mock, 'sends-known-fields').findings[0]?.what).toBe(what)
})

test.each([
  [1, 'paid twice for the same: requested the work of a run again that it had last seen go on'],
  [2, undefined],
])('a client whose work costs %i, and that runs a new task of the same text while the first goes on, is told apart', async (price, what) => {
  const { mock, call, newTask } = createRuleTestClient({ runDuration: '1h' })
  for (let times = 0; times < 2; times++) {
    const id = await newTask('The same')
    await call('runTask', { id })
    await call('getTask', { id })
  }
  const { findings } = ruleResultOnMock(mock, 'pays-once', { run: { canFinish: true, price } })
  expect(findings[0]?.what).toBe(what)
})
