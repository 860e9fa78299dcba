/** Walks the route table: every answer of the mock, success and each declared failure, in both variants. */
import { describe, expect, test } from 'vitest'
import { type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { type Asked, type Client, clientOf } from './testing/client.ts'
import { failuresMatching } from './testing/conformity.ts'
import { frozenMock } from './testing/mock.ts'

/** Bodies that succeed. */
const goodBodies: Partial<Record<OperationId, object>> = {
  createKey: { name: 'CI' },
  createTask: { text: 'Say hello' },
  createDocument: { title: 'Notes' },
  generateCreative: { prompt: 'A red balloon' },
  createLandingPage: {},
}

/** Ids that exist, for the routes that take one. */
const ids: Partial<Record<OperationId, (client: Client) => Promise<string | number>>> = {
  getTask: ({ newTask }) => newTask(),
  runTask: ({ newTask }) => newTask(),
  getDocument: async ({ ask }) =>
    (await ask('createDocument', { body: goodBodies.createDocument })).body.item.id,
  readNotification: async ({ ask }) => (await ask('listNotifications')).body.items[0]?.id ?? 'none',
  deleteKey: async ({ ask }) => (await ask('listKeys')).body.keys[0]?.id ?? 'none',
}

async function goodRequest(operation: OperationId, client: Client): Promise<Asked> {
  const id = await ids[operation]?.(client)
  const body = goodBodies[operation]
  return { ...(id !== undefined && { id }), ...(body && { body }) }
}

/** How a client, or an operator, comes to a failure. What is not here can only be forced. */
const provocations: Partial<
  Record<FailureName, (client: Client, asked: Asked, operation: OperationId) => Promise<Asked>>
> = {
  unauthorized: async (_, asked) => ({ ...asked, as: 'nobody' }),
  rate_limited: async ({ state }, asked) => {
    await state('rate_limit', { limit: 0, window_s: 7 })
    return asked
  },
  unavailable: async ({ state }, asked) => {
    await state('unavailable')
    return asked
  },
  not_found: async (_, asked) => ({ ...asked, id: 'nobody-has-this' }),
  unreadable: async (_, asked) => ({ ...asked, body: [] }),
  invalid: async (_, asked, operation) =>
    routeOf(operation).body ? { ...asked, body: wrong(operation) } : { ...asked, query: { all: 'perhaps' } },
  conflict: async ({ ask }, asked) => {
    await ask('runTask', asked)
    return asked
  },
  no_credits: async ({ state }, asked) => {
    await state('credits', { credits: 0 })
    return asked
  },
  busy: async ({ state }, asked) => {
    await state('agent_busy', { duration_ms: 1_000 })
    return asked
  },
}

/** The good body with every field of a type that it cannot have. */
function wrong(operation: OperationId): object {
  const { shape } = routeOf(operation).body ?? { shape: {} }
  return Object.fromEntries(Object.keys(shape).map((field) => [field, { not: 'this' }]))
}

/** Failures that no request comes to on that route: they are reached by force alone. */
function onlyForced(operation: OperationId, name: FailureName): boolean {
  const { auth, set } = routeOf(operation)
  if (name === 'internal_error') return true
  if (name === 'unavailable') return auth === 'cookie'
  if (name === 'not_found') return set === 'extended'
  return name === 'invalid' && operation === 'getInsights'
}

const everyVariant = describe.each<Variant>(variants)

everyVariant('in the %s variant', (variant) => {
  test.each(operationIds)('%s succeeds with the shape of the contract', async (operation) => {
    const client = clientOf(frozenMock({ variant }))
    const reply = await client.ask(operation, await goodRequest(operation, client))
    expect(reply.status).toBe(200)
  })

  test.each(operationIds)('%s comes to each of its failures, and each is declared', async (operation) => {
    for (const name of failuresOf(operation).filter((one) => !onlyForced(operation, one))) {
      const client = clientOf(frozenMock({ variant }))
      const asked = await goodRequest(operation, client)
      const provoked = (await provocations[name]?.(client, asked, operation)) ?? asked
      const { status, body, headers } = await client.ask(operation, provoked)
      expect([name, failuresMatching({ operation, variant, status, body })]).toEqual([
        name,
        expect.arrayContaining([name]),
      ])
      expect(headers.has('retry-after')).toBe(name === 'rate_limited')
    }
  })

  test.each(operationIds)('%s answers each of its codes when forced to', async (operation) => {
    for (const code of new Set(failuresOf(operation).map((name) => failures[name].code))) {
      const client = clientOf(frozenMock({ variant, force: `${code}@${operation}` }))
      const asked = operation === 'runTask' ? await goodRequest(operation, client) : {}
      const { body } = await client.ask(operation, asked)
      expect(Reflect.get(body, 'error')).toBe(code)
    }
  })

  test('the extended routes are not found where they are not offered', async () => {
    const { ask } = clientOf(frozenMock({ variant, extended: false }))
    for (const operation of operationIds.filter((id) => routeOf(id).set === 'extended')) {
      expect((await ask(operation)).status).toBe(404)
    }
  })
})
