/** Organizations without any history, for replays from scratch. */
import { hasSuccessStatus } from '#traffic/exchange.ts'
import type { NamedSecret } from '#traffic/redaction.ts'
import { TestContext } from '../../harness/context.ts'
import { SuiteRunState } from '../../harness/run-state.ts'
import { createSearchEnvironment, type SearchEnvironment, sendKeyRequestWithSession } from '../execute/env.ts'
import type { RunDurationEstimate } from '../execute/pending-runs.ts'
import { requestsOfStep, type Step, type StepTenant } from '../step.ts'

/** Factor by which the first poll of a run comes later in an isolated tenant than elsewhere. */
const slowRunFactor = 1.5

/**
 * Organizations that nobody has used, to replay steps in. Their credentials follow a pattern that the operator
 * declares.
 */
export class IsolatedTenants {
  /** Their credentials, kept out of reports. */
  readonly secrets: NamedSecret[] = []
  /** Number of requests sent to isolated tenants. */
  requests = 0
  /** Environment of the search itself. */
  readonly #origin: SearchEnvironment
  /**
   * The reason why declared credentials lead to no new organizations; undefined if they do, or if none are declared.
   */
  problem: string | undefined
  #opened = 0
  /** True if the session of an organization is accepted only after its key was used. */
  #sessionsOpenLate = false
  #availability: Promise<boolean> | undefined

  constructor(origin: SearchEnvironment) {
    this.#origin = origin
  }

  /** True if isolated tenants can be opened; tested once. */
  isAvailable(): Promise<boolean> {
    this.#availability ??= this.#probeAvailability()
    return this.#availability
  }

  /** Opens an isolated tenant, and a second one for steps that need two. */
  async envFor(steps: readonly Step[]): Promise<SearchEnvironment> {
    const env = this.#openTenant()
    const arranged = steps.flatMap((step) => (step.kind === 'state' ? step.tenant : []))
    const bySession = steps
      .flatMap(requestsOfStep)
      .flatMap(({ tenant, credential }) => (credential === 'session' ? tenant : []))
    const opened = new Set(this.#sessionsOpenLate ? [...arranged, ...bySession] : arranged)
    await env.creditSource.openAccounts([...opened], this.#origin.creditSource)
    return { ...env, openingRequests: opened.size }
  }

  /** Checks that fresh credentials lead to new organizations. Nothing is sent if the patterns are missing. */
  async #probeAvailability(): Promise<boolean> {
    const { t, creditSource: original } = this.#origin
    const { freshKeys, freshSessions } = t.settings
    if (!freshKeys || (t.settings.sessionCookie && !freshSessions)) return false
    const tenants: readonly StepTenant[] = t.settings.otherApiKey ? ['main', 'other'] : ['main']
    const env = this.#openTenant()
    const { creditSource } = env
    const opensSession = async () => {
      const answer = await sendKeyRequestWithSession(env, 'main', 'listKeys')
      return answer === undefined || hasSuccessStatus(answer)
    }
    this.#sessionsOpenLate = freshSessions !== undefined && !(await opensSession())
    await creditSource.openAccounts(tenants, original)
    const known = new Set([undefined, ...tenants.map((one) => original.idOf(one))])
    if (!tenants.every((tenant) => !known.has(creditSource.idOf(tenant))))
      this.problem = '--fresh-keys leads to no new organization'
    else if (this.#sessionsOpenLate && !(await opensSession()))
      this.problem = '--fresh-sessions opens nothing, although the key of the same tag was used'
    return this.problem === undefined
  }

  #openTenant(): SearchEnvironment {
    const { t, deadline, runTimes, transport } = this.#origin
    const { freshKeys, freshSessions, apiKey, otherApiKey, sessionCookie, otherSessionCookie } = t.settings
    const tag = `${t.runId}-${++this.#opened}`
    const other = `${tag}-other`
    const key = (own: string | undefined, ...rest: [tag: string, name: string]) =>
      this.#deriveCredential(freshKeys, own, ...rest)
    const session = (own: string | undefined, ...rest: [tag: string, name: string]) =>
      this.#deriveCredential(freshSessions, own, ...rest)
    const settings = {
      ...t.settings,
      apiKey: key(apiKey, tag, '$WORK_AGENT_API_KEY') ?? '',
      otherApiKey: key(otherApiKey, other, '$WORK_AGENT_OTHER_API_KEY'),
      sessionCookie: session(sessionCookie, tag, '$WORK_AGENT_SESSION'),
      otherSessionCookie: session(otherSessionCookie, other, '$WORK_AGENT_OTHER_SESSION'),
    }
    const own = new TestContext({ settings, target: t.target, run: new SuiteRunState(settings) })
    // Polls start late here, because every poll is a request.
    const slowerRunTimes: RunDurationEstimate = {
      ...runTimes,
      typicalMs: slowRunFactor * runTimes.typicalMs,
      failureArrangedAt: Number.NEGATIVE_INFINITY,
    }
    const env: SearchEnvironment = { ...createSearchEnvironment(own), deadline, runTimes: slowerRunTimes }
    env.transport.deadline = transport.deadline
    return env
  }

  /** A credential for an isolated tenant; undefined if the operator has none of its kind. */
  #deriveCredential(pattern: string | undefined, own: string | undefined, tag: string, name: string) {
    const value = own && pattern?.replaceAll('*', tag)
    if (value) this.secrets.push({ value: value.slice(value.indexOf('=') + 1), name })
    return value
  }
}
