/** One entry of the catalogue, and the two ways to judge it. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { Exchange } from '#traffic/exchange.ts'
import type { TestContext } from './context.ts'
import type { Level, Need } from './terms.ts'

/** Everything that was exchanged in a run, for requirements that are judged by looking at it. */
export interface Traffic {
  readonly exchanges: readonly Exchange[]
  /** Secrets of keys made in the run, each with the number of the exchange that showed it. */
  readonly secrets: readonly { readonly secret: string; readonly shownBy: number }[]
  /** The variant that is pinned; undefined: detected for each route. */
  readonly variant: Variant | undefined
}

interface Common {
  /** Stable, unique, never reused. */
  readonly id: string
  readonly level: Level
  /** The part of the specification that says so, such as `§3.2`. */
  readonly section: string
  /** The operation that it is about; null: several. */
  readonly operation: OperationId | null
  /** A sentence that is true of every conforming service. */
  readonly statement: string
}

/** Judged by asking the service. */
export interface Probe extends Common {
  readonly needs: readonly Need[]
  /** Work Credits that the check may spend, at most, where nothing shared has spent them already. */
  readonly cost: number
  /** Whether the check changes something in the organization. */
  readonly writes: boolean
  /** `alone`: nothing else may run beside it, since it compares balances or arranges states. */
  readonly alone: boolean
  /** Compares what somebody else may move meanwhile: a violation counts when it is seen twice. */
  readonly quiet: boolean
  /** Passes by returning; else throws a finding. What it returns is a note for the report. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a check that has no note simply returns
  check(t: TestContext): Promise<string | undefined | void>
}

/** Judged by looking at the traffic of the whole run. */
export interface Observation extends Common {
  /** Passes by returning; else throws a finding. */
  observe(traffic: Traffic): void
}

export type Requirement = Probe | Observation

export function isProbe(requirement: Requirement): requirement is Probe {
  return 'check' in requirement
}

/** Declares a requirement that is judged by asking. */
export function probe(
  id: string,
  level: Level,
  section: string,
  operation: OperationId | null,
  statement: string,
  check: Probe['check'],
  traits: Partial<Pick<Probe, 'needs' | 'cost' | 'writes' | 'alone' | 'quiet'>> = {},
): Probe {
  return {
    id,
    level,
    section,
    operation,
    statement,
    check,
    needs: [],
    cost: 0,
    writes: false,
    alone: false,
    quiet: false,
    ...traits,
  }
}

/** Declares a requirement that is judged by looking at the traffic. */
export function observation(
  id: string,
  level: Level,
  section: string,
  operation: OperationId | null,
  statement: string,
  observe: Observation['observe'],
): Observation {
  return { id, level, section, operation, statement, observe }
}
