/** What a run of the suite is told. */
import type { Variant } from '#contract/route.ts'
import type { Level } from './terms.ts'

export interface Settings {
  readonly apiKey: string
  /** Key of a second organization. */
  readonly otherApiKey?: string | undefined
  /** `name=value` of a logged-in browser session of the first organization. */
  readonly sessionCookie?: string | undefined
  /** The same of the second organization. */
  readonly otherSessionCookie?: string | undefined
  /** Where the provider offers states. */
  readonly statesUrl?: string | undefined
  readonly variant: Variant | 'auto'
  readonly extended: 'auto' | 'on' | 'off'
  /** Work Credits that may be spent. */
  readonly maxCredits: number
  /** Nothing is created, changed or spent. */
  readonly readOnly: boolean
  /** Requests that may be sent to meet a 429 where no state can arrange one. */
  readonly probeRateLimit: number
  /** ms for a run to end, and for what follows it. */
  readonly runTimeout: number
  /** ms for one answer. */
  readonly timeout: number
  readonly concurrency: number
  readonly only: readonly string[]
  readonly skip: readonly string[]
  /** The levels that are judged. */
  readonly levels: readonly Level[]
  readonly userAgent: string
  /** Marks what the run creates; made up where absent. */
  readonly runId?: string
}

/** What an operator gives the suite to get in with. */
export type Access = Pick<
  Settings,
  'apiKey' | 'otherApiKey' | 'sessionCookie' | 'otherSessionCookie' | 'statesUrl'
>

/** Settings with the defaults of `verify`: nothing is spent, everything is tried. */
export function settingsWith(given: Pick<Settings, 'apiKey'> & Partial<Settings>): Settings {
  return {
    variant: 'auto',
    extended: 'auto',
    maxCredits: 0,
    readOnly: false,
    probeRateLimit: 0,
    runTimeout: 60_000,
    timeout: 10_000,
    concurrency: 4,
    only: [],
    skip: [],
    levels: ['MUST', 'SHOULD', 'MAY'],
    userAgent: 'work-agent-contract',
    ...given,
  }
}
