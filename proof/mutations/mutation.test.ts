import { expect, test } from 'vitest'
import { idIn, operationOf } from './matching.ts'
import { combine, createMutated } from './mutation.ts'
import { rewriteField, rewriteSuccess } from './reply.ts'
import { after, handle } from './rules.ts'

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
