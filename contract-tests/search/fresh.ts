/**
 * Organizations that nobody has used, in which a history shows a violation from nothing or not at all. A longer key than
 * the operator's opens such an organization at a mock; a service refuses it.
 */
import { TestContext } from '../harness/context.ts'
import { RunState } from '../harness/run-state.ts'
import { type Env, envOf } from './env.ts'
import type { Step, Tenant } from './step.ts'

/** How many times as long as runs took lately they are left alone. */
const later = 1.5

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
    await creditSource.openLike(used, tenants)
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
      await env.creditSource.openLike(used, [...arranged])
      return { ...env, opened: arranged.size }
    },
  }
}
