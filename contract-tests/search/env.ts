/**
 * What executors work with: the search has one environment, in which it and its replays act, and others in organizations
 * that nobody has used, in which a history shows a violation from nothing or not at all.
 */
import { field, idOf, items } from '#traffic/exchange.ts'
import { TestContext } from '../harness/context.ts'
import { RunState } from '../harness/run-state.ts'
import type { Settings } from '../harness/terms.ts'
import { createCreditSource } from './credit-source.ts'
import { credentialsOf } from './fill-in.ts'
import { newRunTimes } from './going-runs.ts'
import type { Step, Tenant } from './step.ts'
import { createWire } from './wire.ts'

/** ms that are waited longer than lists may be late. */
export const margin = 20

export type Env = ReturnType<typeof envOf> & {
  /** Requests that opened it, where nobody has used it before: nothing there needs to end, or to be deleted. */
  readonly opened?: number
}

/** What executors of a search work with. */
export function envOf(t: TestContext) {
  const { consistency, runTimeout } = t.settings
  return {
    t,
    wire: createWire(t),
    creditSource: createCreditSource(t),
    /** Keys that were created and may still exist. */
    keys: [] as { readonly tenant: Tenant; readonly id: string }[],
    /** Ids of everything that was created. */
    made: new Set<string>(),
    runTimes: newRunTimes(),
    /** The pauses that a replay keeps, ms: where they matter little, and after which lists and balances show everything. */
    gaps: {
      short: consistency + margin,
      settled: consistency + runTimeout + margin,
      longest: 5_000 + consistency + runTimeout,
    },
    /** When everything must be over, as `performance.now()` counts ms; `left`: ms until then, 0: it is over. */
    end: {
      at: Number.POSITIVE_INFINITY,
      get left(): number {
        return Math.max(0, this.at - performance.now())
      },
    },
  }
}

export type AssumedLateness = ReturnType<typeof assumeNone>

/** The assumption that a service is not late at all, until too many suspicions were in vain. ms. */
export function assumeNone({ consistency, runTimeout }: Pick<Settings, 'consistency' | 'runTimeout'>) {
  /** Suspicions in a row that no replay has shown, those of them that were over a moment later, and ms spent on them. */
  let [vain, over, lost] = [0, 0, 0]
  const assumed = {
    /** Of a list or a balance, after a change. */
    consistency: 0,
    /** Of a refund, after the end of a run. */
    runTimeout: 0,
    /** Whether less is assumed than the settings allow. */
    get isAssumed(): boolean {
      return assumed.consistency < consistency || assumed.runTimeout < runTimeout
    },
    /**
     * Notes whether a replay has shown a suspicion; after some in vain, the assumption is given up. `isOver`: it was over
     * a moment later; `isLate`: replays have shown it, but not with waits; `spent`: ms that it took to find out.
     */
    note(isShown: boolean, { isOver = false, isLate = false, spent = 0 }): void {
      ;[vain, over, lost] = isShown ? [0, 0, 0] : [vain + 1, over + Number(isOver), lost + spent]
      const isVain = vain >= most.vain || over >= most.over || lost >= most.spent
      if (isLate || isVain) Object.assign(assumed, { consistency, runTimeout })
    },
  }
  return assumed
}

const most = { vain: 8, over: 2, spent: 20_000 } as const

/** Deletes what is known to exist, but for the first `kept`, and what has the mark of the run; what remains is named in the report. */
export async function deleteKeys(env: Env, tenants: readonly Tenant[], kept = 0): Promise<void> {
  const { t, keys } = env
  for (const { tenant, id } of keys.splice(kept)) await remove(env, tenant, id)
  if (!t.recorder.requested.has('createKey')) return
  for (const tenant of tenants) {
    const list = await ask(env, tenant, 'listKeys')
    for (const key of list ? items(list, 'keys') : []) {
      const id = idOf(field(key, 'id'))
      if (id !== undefined && String(field(key, 'name')).includes(`(${t.runId}-`))
        await remove(env, tenant, id)
    }
  }
}

async function remove(env: Env, tenant: Tenant, id: string): Promise<void> {
  const exchange = await ask(env, tenant, 'deleteKey', id)
  const isGone = exchange && (exchange.status < 300 || exchange.status === 404)
  const left = env.t.keys.findIndex((one) => one.id === id)
  if (isGone && left >= 0) env.t.keys.splice(left, 1)
  if (!isGone && left < 0) env.t.keys.push({ id, secret: '', others: [], shownBy: 0 })
}

function ask({ t, wire }: Env, tenant: Tenant, operation: 'listKeys' | 'deleteKey', resource?: string) {
  const caller = credentialsOf(t, tenant, 'session')
  return wire.send({ operation, tenant, resource, ...caller }).catch(() => undefined)
}

/** How many times as long as runs took lately they are left alone. */
const later = 1.5

/**
 * Organizations that nobody has used. A longer key than the operator's opens such an organization at a mock; a service
 * refuses it.
 */
export type FreshOrganizations = ReturnType<typeof freshOrganizations>

export function freshOrganizations({ t, creditSource: used, end, runTimes, wire }: Env) {
  let opened = 0
  let offered: Promise<boolean> | undefined

  function open(): Env {
    const mark = `-${t.runId}-${++opened}`
    const longer = (credential: string | undefined) => credential && `${credential}${mark}`
    const settings = {
      ...t.settings,
      apiKey: `${t.settings.apiKey}${mark}`,
      otherApiKey: longer(t.settings.otherApiKey),
      sessionCookie: longer(t.settings.sessionCookie),
      otherSessionCookie: longer(t.settings.otherSessionCookie),
    }
    const own = new TestContext({ settings, target: t.target, run: new RunState(settings) })
    // Runs are over when they are looked at first: each look is a request.
    const patient = { ...runTimes, run: later * runTimes.run, failed: Number.NEGATIVE_INFINITY }
    const env = { ...envOf(own), end, runTimes: patient }
    env.wire.deadline = wire.deadline
    return env
  }

  async function tryOut(): Promise<boolean> {
    const tenants: readonly Tenant[] = t.settings.otherApiKey ? ['main', 'other'] : ['main']
    const { creditSource } = open()
    await creditSource.open(tenants, used)
    const known = new Set([undefined, ...tenants.map(used.idOf)])
    return tenants.every((tenant) => !known.has(creditSource.idOf(tenant)))
  }

  return {
    /** Requests that were sent there. */
    requests: 0,
    /** Whether such organizations are to be had. */
    isOffered(): Promise<boolean> {
      offered ??= tryOut()
      return offered
    },
    /** Where steps are tried: in an organization that nobody has used, and another one where they need two. */
    async envFor(steps: readonly Step[]): Promise<Env> {
      const env = open()
      const arranged = new Set(steps.flatMap((step) => (step.kind === 'state' ? step.tenant : [])))
      await env.creditSource.open([...arranged], used)
      return { ...env, opened: arranged.size }
    },
  }
}
