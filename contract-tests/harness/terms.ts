/** Terms that settings, requirements and reports share, and what an operator may supply. */
import type { ProviderState } from '#contract/provider-state.ts'
import type { Variant } from '#contract/route.ts'
import { NotExercised } from '../client/check-errors.ts'

/** MUST or SHOULD (RFC 2119). */
export type RequirementLevel = 'MUST' | 'SHOULD'

/** The name of a credential that an operator may supply besides the first key, such as a second key. */
export type OperatorInput = 'other_key' | 'session' | 'other_session'

/** Input that a requirement needs besides a base URL and an API key, such as a second key. */
export type Need = OperatorInput | `state:${ProviderState}`

/** Settings of a run of the suite: credentials, limits, times and selection of requirements. */
export interface SuiteSettings {
  readonly apiKey: string
  /** Key of a second organization. */
  readonly otherApiKey?: string | undefined
  /** `name=value` of a logged-in browser session of the first organization. */
  readonly sessionCookie?: string | undefined
  /** Session cookie of the second organization. */
  readonly otherSessionCookie?: string | undefined
  /** Keys of organizations that nobody has used, with `*` for a tag that differs each time; undefined: there are none. */
  readonly freshKeys?: string | undefined
  /** `name=value` of browser sessions of the same organizations, with `*` for the same tag. */
  readonly freshSessions?: string | undefined
  /** The URL of the provider states. */
  readonly statesUrl?: string | undefined
  /** Sent with every request to the service; names in lower case, values secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Headers for the states endpoint. */
  readonly statesHeaders?: Readonly<Record<string, string>> | undefined
  readonly variant: Variant | 'auto'
  readonly extended: 'auto' | 'on' | 'off'
  /** Work Credits that may be spent. */
  readonly maxCredits: number
  /** Create, change and spend nothing. */
  readonly readOnly: boolean
  /** Requests that may be sent to provoke a 429 if no provider state sets a limit. */
  readonly probeRateLimit: number
  /** ms for a run to end, and for its effects, such as a refund. */
  readonly runTimeout: number
  /** ms for which a list, a balance, the deletion of a key or the effect of a provider state may be late. */
  readonly consistency: number
  /** ms to wait for a service that refuses connections, such as while it restarts. */
  readonly outage: number
  /** ms for one answer. */
  readonly timeout: number
  /** Longest wait for one answer that the service asks for by Retry-After, in all, ms. */
  readonly retryLimit: number
  readonly concurrency: number
  /**
   * True if others use the organizations during the run: what they may have caused is never reported as a violation.
   */
  readonly shared: boolean
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The levels to test. */
  readonly levels: readonly RequirementLevel[]
  readonly userAgent: string
  /** Marks everything that the run creates; generated if absent. */
  readonly runId?: string
}

/** The credentials and the states URL that an operator supplies. */
export type OperatorAccess = Pick<
  SuiteSettings,
  | 'apiKey'
  | 'otherApiKey'
  | 'sessionCookie'
  | 'otherSessionCookie'
  | 'statesUrl'
  | 'freshKeys'
  | 'freshSessions'
>

/** Settings with the defaults of `verify`: no credit is spent, every requirement is selected. */
export function settingsWithDefaults(
  given: Pick<SuiteSettings, 'apiKey'> & Partial<SuiteSettings>,
): SuiteSettings {
  return {
    variant: 'auto',
    extended: 'auto',
    maxCredits: 0,
    readOnly: false,
    probeRateLimit: 0,
    runTimeout: 60_000,
    consistency: 2_000,
    outage: 10_000,
    timeout: 10_000,
    retryLimit: 120_000,
    concurrency: 8,
    shared: false,
    only: [],
    skip: [],
    levels: ['MUST', 'SHOULD'],
    userAgent: 'work-agent-contract',
    ...given,
  }
}

/** The options of the model for a run with these settings, such as how long lists may lag, ms. */
export const judgingOptionsOf = ({ consistency, runTimeout, variant }: SuiteSettings) =>
  ({ consistency, runTimeout, variant: variant === 'auto' ? undefined : variant }) as const

const inputs = {
  other_key: { setting: 'otherApiKey', what: 'the key of a second organization', how: '--other-api-key K' },
  session: { setting: 'sessionCookie', what: 'a browser session', how: "--session-cookie 'name=value'" },
  other_session: {
    setting: 'otherSessionCookie',
    what: 'a browser session of a second organization',
    how: "--other-session-cookie 'name=value'",
  },
} as const satisfies Record<OperatorInput, object>

/** The flag of `verify` that supplies an input. */
export const flagOfInput = (need: OperatorInput) => inputs[need].how.replace(/ .*/, '')

/** True if an operator can supply a need, such as a second key. */
export function isOperatorInput(need: string): need is OperatorInput {
  return Object.hasOwn(inputs, need)
}

/** The error to throw if the operator has not supplied an input; undefined if it was supplied. */
export function missingInputError(settings: SuiteSettings, need: OperatorInput): NotExercised | undefined {
  return settings[inputs[need].setting] ? undefined : missing(need)
}

/** The value of an input of the operator. @throws NotExercised if it was not supplied. */
export function assumeSuppliedInput(settings: SuiteSettings, need: OperatorInput): string {
  const value = settings[inputs[need].setting]
  if (!value) throw missing(need)
  return value
}

function missing(need: OperatorInput): NotExercised {
  const { what, how } = inputs[need]
  return new NotExercised(`it needs ${what}`, how)
}
