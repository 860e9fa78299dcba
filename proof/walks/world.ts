/** A mutated mock without a socket, as a walk uses it: callers, requests, and the clock of whoever records. */
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { parseBody } from '#contract-tests/client/answer.ts'
import { embeddedMock } from '#contract-tests/targets/in-process.ts'
import { createMutated, type Mutation } from '../mutations/mutation.ts'

/** A request of a walk. */
export interface Ask {
  readonly tenant: 'main' | 'other'
  readonly operation: OperationId
  /** A created key instead of that of the tenant. */
  readonly created?: { readonly by: number; readonly secret: string } | undefined
  readonly resource?: string | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  readonly body?: unknown
}

export type Action = 'setup' | 'teardown'

export interface World {
  /** Sends a request and reads its answer. */
  send(ask: Ask): Promise<{ readonly status: number; readonly json: unknown }>
  /** Sets up or tears down a provider state for the first organization. */
  arrange(state: string, params: Readonly<Record<string, unknown>>, action: Action): Promise<boolean>
  wait(ms: number): void
  /** ms of mock time. */
  now(): number
  /** Errors in the mock. */
  readonly bugs: readonly unknown[]
}

/** The start of mock time, ms since the epoch. */
const now = Date.UTC(2026, 2, 2, 9)

/** Creates a world with mutations. */
export async function createWorld(
  mutations: readonly Mutation[],
  variant: Variant,
  seed: string,
): Promise<World> {
  const { mock, target, access } = embeddedMock({ variant, now, seed, credits: 12 }, (options) =>
    createMutated(mutations, options),
  )
  mock.clock.freeze(now)
  const credentials = {
    main: { key: `Bearer ${access.apiKey}`, cookie: access.sessionCookie ?? '' },
    other: { key: `Bearer ${access.otherApiKey}`, cookie: access.otherSessionCookie ?? '' },
  }
  const send: World['send'] = async ({ tenant, operation, created, resource = '', query, body }) => {
    const { method, path, auth } = routeOf(operation)
    const { key, cookie } = credentials[tenant]
    const headers: Record<string, string> =
      auth === 'cookie' ? { cookie } : { authorization: created ? `Bearer ${created.secret}` : key }
    const url = `${target.baseUrl}${path.replace(':id', encodeURIComponent(resource))}?${new URLSearchParams(query)}`
    const text = body === undefined ? {} : { body: JSON.stringify(body) }
    if (body !== undefined) headers['content-type'] = 'application/json'
    const response = await target.transport(url, { method, headers, ...text })
    return { status: response.status, json: parseBody(await response.text()) }
  }
  const whoami = await send({ tenant: 'main', operation: 'whoami' })
  const org_id = Reflect.get(Object(Reflect.get(Object(whoami.json), 'org')), 'id')
  return {
    send,
    async arrange(state, params, action) {
      const body = JSON.stringify({ state, params: { org_id, ...params }, action })
      const headers = { 'content-type': 'application/json' }
      const response = await target.transport(access.statesUrl ?? '', { method: 'POST', headers, body })
      return response.ok
    },
    wait: (ms) => void mock.clock.advance(ms),
    now: () => mock.clock.now(),
    bugs: mock.bugs,
  }
}
