/** Organizations without any history, for replays from scratch. */
import type { Secret } from '#traffic/redaction.ts'
import { TestContext } from '../../harness/context.ts'
import { RunState } from '../../harness/run-state.ts'
import { createSearchEnv, type SearchEnv } from '../execute/env.ts'
import type { RunTimes } from '../execute/pending-runs.ts'
import type { Step, Tenant } from '../step.ts'

/** Factor on the typical duration of runs before the first poll in an isolated tenant. */
const slowRunFactor = 1.5

/**
 * Organizations without any history. Their credentials follow a pattern that the operator declares; none is guessed.
 */
export type IsolatedTenants = ReturnType<typeof createIsolatedTenants>

/** Creates the source of fresh organizations, in which histories are replayed without any past. */
export function createIsolatedTenants({
  t,
  creditSource: original,
  deadline,
  runTimes,
  transport,
}: SearchEnv) {
  const { freshKeys, freshSessions } = t.settings
  const secrets: Secret[] = []
  let openingRequests = 0
  let availability: Promise<boolean> | undefined

  /** A credential for an isolated tenant, kept out of reports; undefined if the operator has none of its kind. */
  function deriveCredential(
    pattern: string | undefined,
    mark: string,
    own: string | undefined,
    name: string,
  ) {
    const value = own && pattern?.replaceAll('*', mark)
    if (value) secrets.push({ value: value.slice(value.indexOf('=') + 1), name })
    return value
  }

  function openTenant(): SearchEnv {
    const mark = `${t.runId}-${++openingRequests}`
    const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = t.settings
    const other = `${mark}-other`
    const settings = {
      ...t.settings,
      apiKey: deriveCredential(freshKeys, mark, apiKey, '$WORK_AGENT_API_KEY') ?? '',
      otherApiKey: deriveCredential(freshKeys, other, otherApiKey, '$WORK_AGENT_OTHER_API_KEY'),
      sessionCookie: deriveCredential(freshSessions, mark, sessionCookie, '$WORK_AGENT_SESSION'),
      otherSessionCookie: deriveCredential(
        freshSessions,
        other,
        otherSessionCookie,
        '$WORK_AGENT_OTHER_SESSION',
      ),
    }
    const own = new TestContext({ settings, target: t.target, run: new RunState(settings) })
    // Polls start late here, because every poll is a request.
    const slowerRunTimes: RunTimes = {
      ...runTimes,
      typicalMs: slowRunFactor * runTimes.typicalMs,
      failureArrangedAt: Number.NEGATIVE_INFINITY,
    }
    const env: SearchEnv = { ...createSearchEnv(own), deadline, runTimes: slowerRunTimes }
    env.transport.deadline = transport.deadline
    return env
  }

  /** Checks that fresh credentials lead to new organizations. Nothing is sent if the patterns are missing. */
  async function probeAvailability(): Promise<boolean> {
    if (!freshKeys || (t.settings.sessionCookie && !freshSessions)) return false
    const tenants: readonly Tenant[] = t.settings.otherApiKey ? ['main', 'other'] : ['main']
    const { creditSource } = openTenant()
    await creditSource.openAccounts(tenants, original)
    const known = new Set([undefined, ...tenants.map((one) => original.idOf(one))])
    return tenants.every((tenant) => !known.has(creditSource.idOf(tenant)))
  }

  return {
    /** Their credentials. */
    secrets,
    /** Number of requests sent to isolated tenants. */
    requests: 0,
    /** True if isolated tenants can be opened; tested once. */
    isAvailable(): Promise<boolean> {
      availability ??= probeAvailability()
      return availability
    },
    /** Opens an isolated tenant, and a second one for steps that need two. */
    async envFor(steps: readonly Step[]): Promise<SearchEnv> {
      const env = openTenant()
      const arranged = new Set(steps.flatMap((step) => (step.kind === 'state' ? step.tenant : [])))
      await env.creditSource.openAccounts([...arranged], original)
      return { ...env, openingRequests: arranged.size }
    },
  }
}
