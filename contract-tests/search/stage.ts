/** What executors work with: the search has one stage, on which it and its replays act. */
import type { TestContext } from '../harness/context.ts'
import type { Settings } from '../harness/terms.ts'
import { CreditSource, newPace, type Pace } from './credit-source.ts'
import type { Tenant } from './step.ts'
import { Wire } from './wire.ts'

/** ms that are waited longer than lists may be late. */
export const margin = 20

/** What an executor works with. */
export interface Stage {
  readonly t: TestContext
  readonly wire: Wire
  readonly creditSource: CreditSource
  /** Keys that were created and may still exist. */
  readonly keys: { readonly tenant: Tenant; readonly id: string }[]
  /** Ids of everything that was created. */
  readonly made: Set<string>
  readonly pace: Pace
  /** The pauses that a replay keeps. */
  readonly gaps: Gaps
  readonly end: End
}

/** When everything must be over, on the clock of the machine. */
class End {
  /** ms, as `performance.now()` counts them. */
  at = Number.POSITIVE_INFINITY

  /** ms until then; 0: it is over. */
  get left(): number {
    return Math.max(0, this.at - performance.now())
  }
}

/** The pauses that a replay keeps, ms. */
export interface Gaps {
  readonly shortest: number
  /** Where pauses matter little. */
  readonly short: number
  /** After which lists and balances show everything. */
  readonly settled: number
  readonly longest: number
}

/** The stage of a search. */
export const stageOf = (t: TestContext): Stage => ({
  t,
  wire: new Wire(t),
  creditSource: new CreditSource(t),
  keys: [],
  made: new Set(),
  pace: newPace(),
  gaps: gapsOf(t.settings),
  end: new End(),
})

/** The pauses that settings call for. */
function gapsOf({ consistency, runTimeout }: Settings): Gaps {
  return {
    shortest: Math.max(50, consistency * 0.8),
    short: consistency + margin,
    settled: consistency + runTimeout + margin,
    longest: 5_000 + consistency + runTimeout,
  }
}

/** The pauses that a replay keeps while the service is taken to show everything at once, ms. */
export const promptGaps: Gaps = { shortest: 400, short: 0, settled: 0, longest: 3_200 }
/** The shortest pauses that slow replays keep, ms: a run may be over by then. */
export const briefest = 100

/** The same with short pauses only. */
export const withShort = (gaps: Gaps): Gaps => ({ ...gaps, longest: gaps.short })
