import { expect, test } from 'vitest'
import { combine, createMutated, idIn, operationOf } from './mutation.ts'
import { delayed, onSettle } from './organizations.ts'
import { field, insteadOf, rewriteField, rewriteSuccess } from './reply.ts'
import { after, answer, give, handle, refuse } from './rules.ts'

const ask = async (mock: ReturnType<typeof createMutated>, path: string) => {
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  return mock.fetch(new Request(`http://mock.test/api/cli${path}`, { headers }))
}

test('a mock without mutations behaves as usual', async () => {
  expect((await ask(createMutated([]), '/whoami')).status).toBe(200)
})

test('a replaced handler affects only its operation', async () => {
  const mock = createMutated([
    handle('getBilling', () => ({ plan: 'odd', credits: 1, tiers: [], packs: [] })),
  ])
  expect(await (await ask(mock, '/billing')).json()).toMatchObject({ plan: 'odd' })
  expect(await (await ask(mock, '/whoami')).json()).not.toMatchObject({ plan: 'odd' })
})

test('an effect follows the handler and leaves its outcome as it is', async () => {
  const seen: number[] = []
  const mock = createMutated([after('whoami', ({ org }) => void seen.push(org.ledger.balance))])
  expect((await ask(mock, '/whoami')).status).toBe(200)
  expect(seen).toEqual([25])
})

test('a field of every item is rewritten, or removed by undefined', async () => {
  const mock = createMutated([
    rewriteField('items.*.status', () => 'odd', 'listTasks'),
    rewriteField('items.*.text', () => undefined, 'listTasks'),
  ])
  const { items } = await (await ask(mock, '/tasks')).json()
  expect(items[0]).toMatchObject({ status: 'odd' })
  expect(items[0]).not.toHaveProperty('text')
})

test('a rewrite of successes leaves errors as they are', async () => {
  const mock = createMutated([
    rewriteSuccess((reply) => {
      reply.status = 418
    }),
  ])
  expect((await ask(mock, '/whoami')).status).toBe(418)
  expect((await ask(mock, '/tasks/none')).status).toBe(404)
})

test('fields of a success are changed, those of an error are not', async () => {
  const mock = createMutated([answer('getTask', () => ({ finished: true })), field('whoami', 'plan', 'odd')])
  expect(await (await ask(mock, '/tasks/none')).json()).not.toHaveProperty('finished')
  expect(await (await ask(mock, '/whoami')).json()).toMatchObject({ plan: 'odd' })
})

test('requests that are meant are refused, and a status is answered as another', async () => {
  const mock = createMutated([
    refuse('getBilling', 'unavailable', ({ org }) => org.ledger.balance === 25),
    insteadOf([404], [418, 'teapot'], 'getTask'),
  ])
  expect((await ask(mock, '/billing')).status).toBe(503)
  const response = await ask(mock, '/tasks/none')
  expect([response.status, await response.json()]).toMatchObject([418, { error: 'teapot' }])
})

test('credits are given after a success, or after one kind of failure', async () => {
  const mock = createMutated([give(-1, 'whoami'), give(5, 'getTask', 'not_found')])
  await ask(mock, '/whoami')
  await ask(mock, '/tasks/none')
  expect(await (await ask(mock, '/whoami')).json()).toMatchObject({ credits: 29 })
})

test('an effect comes when an organization is settled after its time, once', async () => {
  const mock = createMutated([
    delayed((arrange) => {
      let isFirst = true
      return onSettle((org, now) => {
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
  const mock = createMutated([{ onOrganization: (org) => void known.push(org.id) }])
  await ask(mock, '/whoami')
  await ask(mock, '/tasks')
  expect(known).toHaveLength(1)
})

test('options of a mutation override those of the mock', () => {
  expect(createMutated([{ options: { credits: 3 } }], { credits: 9 }).settings.credits).toBe(3)
})

test('combined mutations have the effects of each', async () => {
  const mock = createMutated([
    combine(
      rewriteField('plan', (plan) => `${plan}!`, 'whoami'),
      rewriteField('plan', (plan) => `${plan}?`, 'whoami'),
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
  expect(idIn('getTask', 'http://a/api/cli/tasks/a%2Fb')).toBe('a/b')
})
