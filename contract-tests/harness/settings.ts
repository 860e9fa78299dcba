/** The settings of a run of the suite. */
import type { Variant } from '#contract/route.ts'
import type { Level } from './terms.ts'

/** One of several parts, counted from 1. */
export interface Shard {
  readonly part: number
  readonly of: number
}

export interface Settings {
  readonly apiKey: string
  /** Key of a second organization. */
  readonly otherApiKey?: string | undefined
  /** `name=value` of a logged-in browser session of the first organization. */
  readonly sessionCookie?: string | undefined
  /** The same of the second organization. */
  readonly otherSessionCookie?: string | undefined
  /** The URL of the provider states. */
  readonly statesUrl?: string | undefined
  /** Sent with every request to the service; names in lower case, values secret. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The same for the states endpoint. */
  readonly statesHeaders?: Readonly<Record<string, string>> | undefined
  readonly variant: Variant | 'auto'
  readonly extended: 'auto' | 'on' | 'off'
  /** Work Credits that may be spent. */
  readonly maxCredits: number
  /** Create, change and spend nothing. */
  readonly readOnly: boolean
  /** Requests that may be sent to provoke a 429 if no provider state sets a limit. */
  readonly probeRateLimit: number
  /** ms for a run to end, and for what follows it. */
  readonly runTimeout: number
  /** ms in which a list, a balance, the deletion of a key, or what a provider state changes, may still show. */
  readonly consistency: number
  /** ms to wait for a service that is away, as while it restarts. */
  readonly outage: number
  /** ms for one answer. */
  readonly timeout: number
  /** Longest wait for one answer that the service asks for by Retry-After, in all, ms. */
  readonly retryLimit: number
  readonly concurrency: number
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The part of the catalogue to test; undefined: all of it. */
  readonly shard?: Shard | undefined
  /** The levels to test. */
  readonly levels: readonly Level[]
  readonly userAgent: string
  /** Marks everything that the run creates; generated if absent. */
  readonly runId?: string
}

/** The credentials and the states URL that an operator supplies. */
export type Access = Pick<
  Settings,
  'apiKey' | 'otherApiKey' | 'sessionCookie' | 'otherSessionCookie' | 'statesUrl'
>

/** Settings with the defaults of `verify`: no credit is spent, every requirement is selected. */
export function settingsWith(given: Pick<Settings, 'apiKey'> & Partial<Settings>): Settings {
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
    only: [],
    skip: [],
    levels: ['MUST', 'SHOULD'],
    userAgent: 'work-agent-contract',
    ...given,
  }
}
