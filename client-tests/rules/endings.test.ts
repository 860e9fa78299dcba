/** When a client that was killed is accused, and when one that ended shows that its waits have a limit. */
import { expect, test } from 'vitest'
import { testOrigin } from '#mocks/testing/client.ts'
import type { RunFacts } from '../rule.ts'
import {
  createMockWithStartedTask,
  createRuleTestClient,
  type RuleTestMockOptions,
  ruleOutcomeOnMock,
  ruleResultOnMock,
} from '../testing/rule-result.ts'

type Work = (client: ReturnType<typeof createRuleTestClient>) => unknown

/** The outcome of `ends-in-time` for a client that does this, and is killed a minute after its start. */
async function whenKilled(work: Work, options: RuleTestMockOptions = {}, facts: Partial<RunFacts> = {}) {
  const client = createRuleTestClient(options)
  const { mock } = client
  const start = mock.clock.now()
  await work(client)
  const left = start + 60_000 - mock.clock.now()
  if (left > 0) mock.clock.advance(left)
  const endedAt = mock.clock.now()
  // Reports are made later.
  mock.clock.advance(600_000)
  return ruleOutcomeOnMock(mock, 'ends-in-time', {
    run: { canFinish: true, killedAfter: 60_000, endedAt, ...facts },
  })
}

const asksTwice: Work = ({ call }) => call('whoami').then(() => call('whoami'))

/** Polls a run for 50 seconds. */
const polls: Work = async ({ call, mock, newTask }) => {
  const id = await newTask()
  await call('runTask', { id })
  for (let times = 0; times < 10; times++) {
    mock.clock.advance(5_000)
    await call('getTask', { id })
  }
}

/** Asks for the list with one page after another. */
const pages: Work = async ({ mock }) => {
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  for (let page = 0; page < 61; page++) {
    mock.clock.advance(900)
    await mock.fetch(new Request(`${testOrigin}/api/cli/tasks?page=${page}`, { headers }))
  }
}

test.each<[string, Work, RuleTestMockOptions?]>([
  ['obeys a Retry-After of a minute', asksTwice, { rateLimit: '1/60s' }],
  ['polls a run that has not finished', polls, { runDuration: '5m' }],
  [
    'does its work slowly, on a slow machine',
    async ({ call, mock, newTask }) => {
      await call('whoami')
      mock.clock.advance(29_000)
      await call('listTasks')
      mock.clock.advance(29_000)
      await newTask()
    },
  ],
  [
    'repeats a request after a time-out of its own',
    async ({ call, mock }) => {
      await call('whoami').catch(() => 0)
      mock.clock.advance(40_000)
      await call('whoami').catch(() => 0)
    },
    { fault: 'hang' },
  ],
])('a client that is killed while it %s is not accused', async (_, work, options) => {
  expect(await whenKilled(work, options)).toBe('not_exercised')
})

test.each<[string, Work, RuleTestMockOptions?, Partial<RunFacts>?]>([
  ['sends one request and waits', ({ call }) => call('whoami')],
  [
    'stops polling a run that has not finished',
    async ({ call, newTask }) => {
      const id = await newTask()
      await call('runTask', { id })
      await call('getTask', { id })
    },
    { runDuration: '5m' },
  ],
  ['polls a run that was rejected', polls, { fault: 'runTask=invalid_request' }],
  ['waits long after a Retry-After was over', asksTwice, { rateLimit: '1/5s' }],
  [
    'pages through a list that is the same for every query, and obeys a Retry-After at the end',
    pages,
    { rateLimit: '60/120s' },
  ],
  [
    'asks for its credits again and again',
    async ({ call, mock }) => {
      for (let times = 0; times < 10; times++) {
        await call('whoami')
        mock.clock.advance(6_000)
      }
    },
    { credits: 0 },
  ],
  [
    'runs a task that fails again and again',
    async ({ call, mock, newTask }) => {
      const id = await newTask()
      for (let runs = 0; runs < 10; runs++) {
        await call('runTask', { id })
        mock.clock.advance(5_000)
        await call('getTask', { id })
      }
      await call('runTask', { id })
    },
    { fault: 'runTask=fail', runDuration: '4s' },
  ],
  ['prints without an end', ({ newTask }) => newTask(), {}, { isFlooding: true, killedAfter: 1 }],
])('a client that %s is accused when it is killed', async (_, work, options, facts) => {
  expect(await whenKilled(work, options, facts)).toBe('failed')
})

test.each([
  ['empty', 'it waited for a run whose request got no readable answer and had no effect'],
  ['invalid_request', 'it waited for a run whose request was answered 409 invalid_request'],
] as const)('of a client that polls a run that never was, after %s, the cause is told', async (fault, why) => {
  const { mock, call, newTask } = createRuleTestClient({ fault: `runTask=${fault}` })
  const id = await newTask()
  await call('runTask', { id }).catch(() => 0)
  for (let looks = 0; looks < 20; looks++) {
    mock.clock.advance(3_000)
    await call('getTask', { id })
  }
  const run = { canFinish: true, killedAfter: 60_000, endedAt: mock.clock.now() }
  const [finding] = ruleResultOnMock(mock, 'ends-in-time', { run }).findings
  expect(finding?.what).toBe(`had not ended after 60 s and was killed: ${why}`)
  expect(finding?.evidence.map(({ method }) => method)).toEqual(['POST', 'GET', 'GET'])
})

test.each<[string, 'passed' | 'not_exercised', Work, RuleTestMockOptions?]>([
  ['meets nothing but successes', 'not_exercised', ({ call }) => call('whoami')],
  ['meets an error that stays', 'passed', ({ call }) => call('whoami'), { fault: 'unauthorized' }],
  ['repeats with success what failed', 'not_exercised', asksTwice, { fault: 'unavailable;times=1' }],
  ['is not answered', 'passed', ({ call }) => call('whoami').catch(() => 0), { fault: 'hang;times=1' }],
])('of a client that ends and that %s the rule is %s', async (_, outcome, work, options) => {
  const client = createRuleTestClient(options)
  await work(client)
  const facts = { end: { ok: true }, run: { canFinish: true } }
  expect(ruleOutcomeOnMock(client.mock, 'ends-in-time', facts)).toBe(outcome)
})

test('of a client that was interrupted nothing is known', async () => {
  const { mock, call } = createRuleTestClient({ fault: 'unauthorized' })
  await call('whoami')
  expect(ruleOutcomeOnMock(mock, 'ends-in-time', { run: { canFinish: true } })).toBe('not_exercised')
})

test('a client that meets an error and ends without one, with its run unfinished, is accused', async () => {
  const { mock, call, id } = await createMockWithStartedTask({ fault: 'getTask=rate_limited' })
  await call('getTask', { id })
  expect(ruleOutcomeOnMock(mock, 'finishes-work', { end: { ok: true }, run: { canFinish: true } })).toBe(
    'failed',
  )
})

test('a client that ends at a request that was rejected for its content is shown it, with the reason', async () => {
  const { mock, call } = createRuleTestClient()
  await call('createTask', { body: { title: 'a' } })
  const { rules } = mock.report({ end: { ok: false }, run: { canFinish: true } })
  expect(rules.find(({ id }) => id === 'finishes-work')?.findings[0]?.what).toMatch(
    /, after POST \/api\/cli\/tasks was answered 400 invalid_request: ".*text/,
  )
})

test.each<[string, 'not_exercised' | 'failed', 'warned' | 'not_exercised', Work?]>([
  ['ends there', 'not_exercised', 'warned'],
  ['goes on, and ends for another reason', 'failed', 'not_exercised', ({ call }) => call('whoami')],
])('a client that meets a 429 and %s: finishes-work is %s, goes-on-after-429 %s', async (_, ends, goesOn, work) => {
  const client = await createMockWithStartedTask({ fault: 'getTask=rate_limited' })
  await client.call('getTask', { id: client.id })
  client.mock.clock.advance(1_000)
  await work?.(client)
  const facts = { end: { ok: false }, run: { canFinish: true } }
  expect(ruleOutcomeOnMock(client.mock, 'finishes-work', facts)).toBe(ends)
  expect(ruleOutcomeOnMock(client.mock, 'goes-on-after-429', facts)).toBe(goesOn)
})

const needsPage: Work = ({ call }) => call('createLandingPage', { body: { business_name: 'Bakery' } })

const runs: Work = async ({ call, newTask }) => call('runTask', { id: await newTask() })

test.each<[string, Work, RuleTestMockOptions?, Partial<RunFacts>?]>([
  [
    'has spent its credits',
    async ({ call, newTask }) => {
      for (let tasks = 0; tasks < 2; tasks++) await call('runTask', { id: await newTask() })
    },
    { credits: 1 },
  ],
  ['needs only a route that is absent', needsPage, { extended: false }],
  [
    'has run its task and needs a route that is absent',
    async (client) => {
      await runs(client)
      await needsPage(client)
    },
    { extended: false, runProgress: 'immediate' },
    { hasPaidWork: true },
  ],
])('a client that %s may end with an error', async (_, work, options, facts) => {
  const client = createRuleTestClient(options)
  await work(client)
  const run = { canFinish: true, hasPaidWork: false, ...facts }
  expect(ruleOutcomeOnMock(client.mock, 'finishes-work', { end: { ok: false }, run })).toBe('not_exercised')
})

test.each<[string, Work, RuleTestMockOptions?]>([
  [
    'has not run its task',
    async (client) => {
      await client.newTask()
      await needsPage(client)
    },
  ],
  [
    'has one of two runs rejected',
    async (client) => {
      for (const step of [runs, runs, needsPage]) await step(client)
    },
    { runProgress: 'immediate', fault: 'runTask=ok,invalid_request' },
  ],
  [
    'ends elsewhere',
    async (client) => {
      for (const step of [needsPage, runs]) await step(client)
    },
  ],
])('a client that %s may not, although a route is absent', async (_, work, options) => {
  const client = createRuleTestClient({ extended: false, ...options })
  await work(client)
  const run = { canFinish: true, hasPaidWork: true }
  expect(ruleOutcomeOnMock(client.mock, 'finishes-work', { end: { ok: false }, run })).toBe('failed')
})

test.each([
  ['before', 'failed'],
  ['after', 'failed'],
  ['never', 'not_exercised'],
] as const)('of a client whose run failed, and which stops at a 500 %s its end, finishes-work is %s', async (when, outcome) => {
  const { mock, call, id } = await createMockWithStartedTask({ runOutcome: 'failed', runDuration: '5s' })
  if (when !== 'before') {
    mock.clock.advance(5_000)
    await call('getTask', { id })
  }
  if (when !== 'never') mock.faults.add({ operation: 'getTask', faults: ['internal_error'] })
  await call('getTask', { id })
  // The run that it left ends meanwhile.
  mock.clock.advance(5_000)
  expect(ruleOutcomeOnMock(mock, 'finishes-work', { end: { ok: false }, run: { canFinish: true } })).toBe(
    outcome,
  )
})

test('a loop may poll a finished task until the last of all tasks is finished, and not longer', async () => {
  const { mock, call, newTask, id } = await createMockWithStartedTask({ runDuration: '1m' })
  const other = await newTask()
  await call('runTask', { id: other })
  const ids = [id, other]
  const pollBoth = async (times: number) => {
    for (let nth = 0; nth < times; nth++) {
      mock.clock.advance(10_000)
      for (const id of ids) await call('getTask', { id })
    }
  }
  await pollBoth(14)
  expect(ruleOutcomeOnMock(mock, 'stops-polling')).toBe('passed')
  await pollBoth(3)
  expect(ruleOutcomeOnMock(mock, 'stops-polling')).toBe('failed')
})

test.each([
  ['of the same text', 'The work', undefined, undefined],
  ['of another text', 'Other work', 1, undefined],
  [
    'of another text',
    'Other work',
    2,
    'ended without an error although a run was rejected with 402 no_credits',
  ],
] as const)('a client that met a 402 and, after a top-up, runs a new task %s, %s, has done its work if it usually pays %s', async (_, text, price, what) => {
  const { mock, call, newTask } = createRuleTestClient({ credits: 0 })
  await call('runTask', { id: await newTask('The work') })
  mock.organization('demo').addCredits(3)
  const id = await newTask(text)
  await call('runTask', { id })
  mock.clock.advance(60_000)
  await call('getTask', { id })
  const run = { canFinish: true, hasPaidWork: true, ...(price !== undefined && { price }) }
  expect(ruleResultOnMock(mock, 'finishes-work', { end: { ok: true }, run }).findings[0]?.what).toBe(what)
})
