import { expect, test } from 'vitest'
import { combineMutations, createMutatedMock, type Mutation, operationOf } from './mutation.ts'
import { callAfterSettling, withDelayedEffects } from './organizations.ts'
import { changeField, replaceAnswersWithError, rewriteSuccess } from './reply.ts'
import { changeAnswer, refuseRequests, replaceHandler } from './rules.ts'

const ask = async (mock: ReturnType<typeof createMutatedMock>, path: string) => {
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  return mock.fetch(new Request(`http://mock.test/api/cli${path}`, { headers }))
}

const billing = { plan: 'odd', credits: 1, tiers: [], packs: [] }
const usual = { plan: expect.not.stringMatching('odd') }
const teapot = rewriteSuccess((reply) => {
  reply.status = 418
})
const unpaid = refuseRequests('getBilling', 'unavailable', ({ org }) => org.ledger.balance === 25)

test.each<[string, Mutation, path: string, status: number, body: object]>([
  [
    'a replaced handler answers',
    replaceHandler('getBilling', () => billing),
    '/billing',
    200,
    { plan: 'odd' },
  ],
  ['it affects only its operation', replaceHandler('getBilling', () => billing), '/whoami', 200, usual],
  ['a success is rewritten', teapot, '/whoami', 418, { credits: 25 }],
  ['an error is not', teapot, '/tasks/none', 404, { error: 'not_found' }],
  ['a field is set', changeField('whoami', 'plan', 'odd'), '/whoami', 200, { plan: 'odd' }],
  [
    'fields of an error are not changed',
    changeAnswer('getTask', () => ({ finished: true })),
    '/tasks/none',
    404,
    expect.not.objectContaining({ finished: expect.anything() }),
  ],
  ['requests that are meant are refused', unpaid, '/billing', 503, { error: 'unavailable' }],
  [
    'a status is answered as another',
    replaceAnswersWithError([404], [418, 'teapot'], 'getTask'),
    '/tasks/none',
    418,
    { error: 'teapot' },
  ],
])('%s', async (_, mutation, path, status, body) => {
  const response = await ask(createMutatedMock([mutation]), path)
  expect(response.status).toBe(status)
  expect(await response.json()).toMatchObject(body)
})

test('a field of every item is rewritten, or removed by undefined', async () => {
  const mock = createMutatedMock([
    changeField('listTasks', 'items.*.status', () => 'odd'),
    changeField('listTasks', 'items.*.text', () => undefined),
  ])
  const { items } = await (await ask(mock, '/tasks')).json()
  expect(items[0]).toMatchObject({ status: 'odd' })
  expect(items[0]).not.toHaveProperty('text')
})

test('an effect comes when an organization is settled after its time, once', async () => {
  const mock = createMutatedMock([
    withDelayedEffects((arrange) => {
      let isFirst = true
      return callAfterSettling((org, now) => {
        if (isFirst) arrange(org, now + 1_000, (then) => org.ledger.topUp(1, then))
        isFirst = false
      })
    }),
  ])
  const credits = async () => (await (await ask(mock, '/whoami')).json()).credits
  expect([await credits(), await credits()]).toEqual([25, 25])
  mock.clock.advance(1_000)
  await credits()
  expect([await credits(), await credits()]).toEqual([26, 26])
})

test('each organization is announced once, before its first request', async () => {
  const known: string[] = []
  const mock = createMutatedMock([{ onOrganization: (org) => void known.push(org.id) }])
  await ask(mock, '/whoami')
  await ask(mock, '/tasks')
  expect(known).toHaveLength(1)
})

test('combined mutations have the effects of each', async () => {
  const mock = createMutatedMock([
    combineMutations(
      changeField('whoami', 'plan', (plan) => `${plan}!`),
      changeField('whoami', 'plan', (plan) => `${plan}?`),
      { options: { credits: 3 } },
    ),
  ])
  const answer = await (await ask(mock, '/whoami')).json()
  expect(answer.plan).toMatch(/!\?$/)
  expect(answer.credits).toBe(3)
})

test('an operation is found by method and path, under any prefix', () => {
  expect(operationOf('GET', 'http://a/v7/api/cli/tasks/a%2Fb?x=1')).toBe('getTask')
  expect(operationOf('POST', 'http://a/api/cli/tasks')).toBe('createTask')
  expect(operationOf('PUT', 'http://a/api/cli/tasks')).toBeNull()
})
