import { expect, test } from 'vitest'
import { idIn, operationOf } from './matching.ts'
import { combine, createMutated } from './mutation.ts'
import { rewriteField, rewriteSuccess } from './reply.ts'
import { after, handle } from './rules.ts'

const ask = async (mock: ReturnType<typeof createMutated>, path: string) => {
  const headers = { authorization: `Bearer ${mock.credentials().apiKey}` }
  return mock.fetch(new Request(`http://mock.test/api/cli${path}`, { headers }))
}

test('a mock without alterations answers as any other', async () => {
  expect((await ask(createMutated([]), '/whoami')).status).toBe(200)
})

test('an altered handler decides about its operation alone', async () => {
  const mock = createMutated([
    handle('getBilling', () => ({ plan: 'odd', credits: 1, tiers: [], packs: [] })),
  ])
  expect(await (await ask(mock, '/billing')).json()).toMatchObject({ plan: 'odd' })
  expect(await (await ask(mock, '/whoami')).json()).not.toMatchObject({ plan: 'odd' })
})

test('an effect comes after the decision that it does not change', async () => {
  const seen: number[] = []
  const mock = createMutated([after('whoami', ({ org }) => void seen.push(org.ledger.balance))])
  expect((await ask(mock, '/whoami')).status).toBe(200)
  expect(seen).toEqual([25])
})

test('a field of every item is rewritten, and taken away by undefined', async () => {
  const mock = createMutated([
    rewriteField('items.*.status', () => 'odd', 'listTasks'),
    rewriteField('items.*.text', () => undefined, 'listTasks'),
  ])
  const { items } = await (await ask(mock, '/tasks')).json()
  expect(items[0]).toMatchObject({ status: 'odd' })
  expect(items[0]).not.toHaveProperty('text')
})

test('errors pass a rewriting of successes', async () => {
  const mock = createMutated([
    rewriteSuccess((reply) => {
      reply.status = 418
    }),
  ])
  expect((await ask(mock, '/whoami')).status).toBe(418)
  expect((await ask(mock, '/tasks/none')).status).toBe(404)
})

test('each organization is met once, before it is asked for anything', async () => {
  const met: string[] = []
  const mock = createMutated([{ meet: (org) => void met.push(org.id) }])
  await ask(mock, '/whoami')
  await ask(mock, '/tasks')
  expect(met).toHaveLength(1)
})

test('options of an alteration come before those of the mock', () => {
  expect(createMutated([{ options: { credits: 3 } }], { credits: 9 }).settings.credits).toBe(3)
})

test('alterations that are combined do what each of them does', async () => {
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

test('an operation is known by method and path, under any prefix', () => {
  expect(operationOf('GET', 'http://a/v7/api/cli/tasks/a%2Fb?x=1')).toBe('getTask')
  expect(operationOf('POST', 'http://a/api/cli/tasks')).toBe('createTask')
  expect(operationOf('PUT', 'http://a/api/cli/tasks')).toBeNull()
  expect(idIn('getTask', 'http://a/api/cli/tasks/a%2Fb')).toBe('a/b')
})
