/** Checks every response in the route table, success and each declared failure, in both variants. */
import { describe, expect, test } from 'vitest'
import { type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import { type Client, clientOf, type RequestInput } from './testing/client.ts'
import { failuresMatching } from './testing/conformity.ts'
import { frozenMock } from './testing/mock.ts'

/** Valid bodies. */
const goodBodies: Partial<Record<OperationId, object>> = {
  createKey: { name: 'CI' },
  createTask: { text: 'Say hello' },
  createDocument: { title: 'Notes' },
  generateCreative: { prompt: 'A red balloon' },
  createLandingPage: {},
}

/** Returns an existing id for each route that takes one. */
const ids: Partial<Record<OperationId, (client: Client) => Promise<string | number>>> = {
  getTask: ({ newTask }) => newTask(),
  runTask: ({ newTask }) => newTask(),
  getDocument: async ({ call }) =>
    (await call('createDocument', { body: goodBodies.createDocument })).body.item.id,
  readNotification: async ({ call }) => (await call('listNotifications')).body.items[0]?.id ?? 'none',
  deleteKey: async ({ call }) => (await call('listKeys')).body.keys[0]?.id ?? 'none',
}

async function goodRequest(operation: OperationId, client: Client): Promise<RequestInput> {
  const id = await ids[operation]?.(client)
  const body = goodBodies[operation]
  return { ...(id !== undefined && { id }), ...(body && { body }) }
}

/** How a client or an operator provokes each failure. The others can only be forced. */
const provocations: Partial<
  Record<FailureName, (client: Client, input: RequestInput, operation: OperationId) => Promise<RequestInput>>
> = {
  unauthorized: async (_, input) => ({ ...input, as: 'nobody' }),
  rate_limited: async ({ state }, input) => {
    await state('rate_limit', { limit: 0, window_s: 7 })
    return input
  },
  unavailable: async ({ state }, input) => {
    await state('unavailable')
    return input
  },
  not_found: async (_, input) => ({ ...input, id: 'nobody-has-this' }),
  unreadable: async (_, input) => ({ ...input, body: [] }),
  invalid: async (_, input, operation) =>
    routeOf(operation).body ? { ...input, body: wrong(operation) } : { ...input, query: { all: 'perhaps' } },
  conflict: async ({ call }, input) => {
    await call('runTask', input)
    return input
  },
  no_credits: async ({ state }, input) => {
    await state('credits', { credits: 0 })
    return input
  },
  busy: async ({ state }, input) => {
    await state('agent_busy', { duration_ms: 1_000 })
    return input
  },
}

/** Returns a body whose fields all have the wrong type. */
function wrong(operation: OperationId): object {
  const { shape } = routeOf(operation).body ?? { shape: {} }
  return Object.fromEntries(Object.keys(shape).map((field) => [field, { not: 'this' }]))
}

/** Returns whether no request provokes a failure on a route, so that it can only be forced. */
function onlyForced(operation: OperationId, name: FailureName): boolean {
  const { auth, set } = routeOf(operation)
  if (name === 'internal_error') return true
  if (name === 'unavailable') return auth === 'cookie'
  if (name === 'not_found') return set === 'extended'
  return name === 'invalid' && operation === 'getInsights'
}

const everyVariant = describe.each<Variant>(variants)

everyVariant('in the %s variant', (variant) => {
  test.each(operationIds)('%s succeeds with the declared shape', async (operation) => {
    const client = clientOf(frozenMock({ variant }))
    const reply = await client.call(operation, await goodRequest(operation, client))
    expect(reply.status).toBe(200)
  })

  test.each(operationIds)('%s returns each of its declared failures', async (operation) => {
    for (const name of failuresOf(operation).filter((one) => !onlyForced(operation, one))) {
      const client = clientOf(frozenMock({ variant }))
      const input = await goodRequest(operation, client)
      const changed = (await provocations[name]?.(client, input, operation)) ?? input
      const { status, body, headers } = await client.call(operation, changed)
      expect([name, failuresMatching({ operation, variant, status, body })]).toEqual([
        name,
        expect.arrayContaining([name]),
      ])
      expect(headers.has('retry-after')).toBe(name === 'rate_limited')
    }
  })

  test.each(operationIds)('%s returns each of its codes when forced', async (operation) => {
    for (const code of new Set(failuresOf(operation).map((name) => failures[name].code))) {
      const client = clientOf(frozenMock({ variant, force: `${code}@${operation}` }))
      const input = operation === 'runTask' ? await goodRequest(operation, client) : {}
      const { body } = await client.call(operation, input)
      expect(Reflect.get(body, 'error')).toBe(code)
    }
  })
})
