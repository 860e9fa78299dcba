/** The environment in which a search sends its requests. */
import { idAsText, itemsOf, valueAtPath } from '#traffic/exchange.ts'
import type { TestContext } from '../../harness/context.ts'
import type { StepTenant } from '../step.ts'
import { callerWithCredentials } from './bind-request.ts'
import { CreditSource } from './credit-source.ts'
import { createRunDurationEstimate } from './pending-runs.ts'
import { RecordingTransport } from './transport.ts'

/** The margin added to every wait for eventual consistency, ms. */
export const consistencyMarginMs = 20

/** The environment of a search: its transport, its settings, and what was learned through them. */
export type SearchEnvironment = ReturnType<typeof createSearchEnvironment> & {
  /**
   * The number of requests that opened an isolated tenant; undefined for the search's own organizations. At the end of
   * an isolated tenant, no run is awaited and no key is deleted.
   */
  readonly openingRequests?: number
}

/** Creates the environment of a search: its transport, budget and settings. */
export function createSearchEnvironment(t: TestContext) {
  const { consistency, runTimeout } = t.settings
  return {
    t,
    transport: new RecordingTransport(t),
    creditSource: new CreditSource(t),
    /** Keys that were created and may still exist. */
    keys: [] as { readonly tenant: StepTenant; readonly id: string }[],
    /** Ids of everything that was created. */
    createdIds: new Set<string>(),
    runTimes: createRunDurationEstimate(),
    /**
     * Waits of a replay: after changes, after paid work that may be refunded, and the longest pause of the original
     * that is kept.
     */
    replayWaits: {
      afterChangeMs: consistency + consistencyMarginMs,
      afterFailureMs: consistency + runTimeout + consistencyMarginMs,
      maxPauseMs: 5_000 + consistency + runTimeout,
    },
    /** The end of the search on the clock of `performance.now()`. */
    deadline: {
      atMs: Number.POSITIVE_INFINITY,
      get msLeft(): number {
        return Math.max(0, this.atMs - performance.now())
      },
    },
  }
}

/**
 * Deletes the keys that a run has created, except the first `keepFirst`. Keys that cannot be deleted are listed in the
 * report.
 */
export async function deleteCreatedKeys(
  env: SearchEnvironment,
  tenants: readonly StepTenant[],
  keepFirst = 0,
): Promise<void> {
  const { t, keys } = env
  for (const { tenant, id } of keys.splice(keepFirst)) await deleteKey(env, tenant, id)
  if (!t.recorder.requested.has('createKey')) return
  for (const tenant of tenants) {
    const list = await sendKeyRequestWithSession(env, tenant, 'listKeys')
    for (const key of list ? itemsOf(list, 'keys') : []) {
      const id = idAsText(valueAtPath(key, 'id'))
      if (id !== undefined && String(valueAtPath(key, 'name')).includes(`(${t.runId}-`))
        await deleteKey(env, tenant, id)
    }
  }
}

async function deleteKey(env: SearchEnvironment, tenant: StepTenant, id: string): Promise<void> {
  const exchange = await sendKeyRequestWithSession(env, tenant, 'deleteKey', id)
  const isGone = exchange && (exchange.status < 300 || exchange.status === 404)
  const left = env.t.keys.findIndex((one) => one.id === id)
  if (isGone && left >= 0) env.t.keys.splice(left, 1)
  if (!isGone && left < 0) env.t.keys.push({ id, secret: '', others: [], shownBy: 0 })
}

/** Sends a request about keys with a session; undefined: no answer came. */
export function sendKeyRequestWithSession(
  { t, transport }: SearchEnvironment,
  tenant: StepTenant,
  operation: 'listKeys' | 'deleteKey',
  resource?: string,
) {
  const caller = callerWithCredentials(t, tenant, 'session')
  return transport.send({ operation, tenant, resource, ...caller }).catch(() => undefined)
}
