/** An entry of the catalogue, and the two ways to test it. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { Violation } from '../client/check-errors.ts'
import type { OutOfStep } from '../client/recorder.ts'
import type { ModelViolation } from '../model/violation.ts'
import type { TestContext } from './context.ts'
import { expectEachRefused, type Refusal } from './expect.ts'
import type { Level, Need, Settings } from './terms.ts'

/** What of the traffic of a whole run the model does not see: bytes, secrets, and the order on a connection. */
export interface Traffic {
  readonly exchanges: readonly Exchange[]
  /** Secrets of keys created in the run, each with the number of the exchange that returned it. */
  readonly secrets: readonly { readonly secret: string; readonly shownBy: number }[]
  /** Responses that answered something else than the request. */
  readonly outOfStep: readonly OutOfStep[]
}

interface Common {
  /** Stable, unique, never reused. */
  readonly id: string
  readonly level: Level
  /** The section of the specification that requires it, such as `§3.2`. */
  readonly section: string
  /** The operation it is about; null: several. */
  readonly operation: OperationId | null
  /** A sentence that is true of every conforming service. */
  readonly statement: string
  /** The requirement whose requests show what this one is about; undefined: any traffic of its operation does. */
  readonly shownBy?: string | undefined
}

/** Tested by sending requests. */
export interface Check extends Common {
  readonly needs: readonly Need[]
  /** So many runs may bring the notifications that it needs, where no state arranges them; 0: it needs none. */
  readonly orRuns: number
  /** Most Work Credits that the check may spend, if no shared evidence has spent them already. */
  readonly cost: number
  /** Credits of shared evidence that it compares its own with, beyond its cost; `sharesOnce`: however often it is repeated. */
  readonly shares: number
  readonly sharesOnce: number
  /** Whether the check changes something in the organization. */
  readonly writes: boolean
  /** No other check may run at the same time, since it compares balances or sets up provider states. */
  readonly exclusive: boolean
  /** Compares values that others may change meanwhile: a violation counts only if it is seen again. */
  readonly retryOnViolation: boolean
  /** Its requests race each other: the service may violate it at times only. */
  readonly isRace: boolean
  /** Why a run with these settings cannot exercise it, other than by its needs; undefined: it can. */
  readonly obstacle?: (settings: Settings) => string | undefined
  /** The check only sends what the model judges: in the end, with all other traffic, and at once what it returns. */
  readonly isJudged: boolean
  /** What it reads of the traffic, once that was sent: a recording shows it as well. */
  readonly observe?: TrafficRule['observe']
  /** Passes by returning, optionally with a note for the report; fails by throwing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a check that has no note simply returns
  run(t: TestContext): Promise<string | undefined | void>
}

/** Tested by the traffic of the whole run, which the model judges. */
interface TrafficRule extends Common {
  /** What shows it, as in "no … was seen". */
  readonly seen: string
  /** What to supply for that; a number: Work Credits. */
  readonly supply?: string | number | undefined
  /** What the model does not see: passes by returning, fails by throwing. */
  observe?(traffic: Traffic): void
}

export type Requirement = Check | TrafficRule

export function isCheck(requirement: Requirement): requirement is Check {
  return 'run' in requirement
}

/**
 * What a check needs and does; the default is a free check that only reads. One that spends credits writes; that and
 * one that is retried run exclusively.
 */
export type Traits = Partial<Omit<Check, keyof Common | 'run' | 'isJudged' | 'observe'>>

const free = { needs: [], orRuns: 0, cost: 0, shares: 0, sharesOnce: 0 } as const
const plain = { ...free, retryOnViolation: false, isRace: false, isJudged: false } as const

function completed(traits: Traits) {
  const isPaid = (traits.cost ?? 0) > 0
  const writes = isPaid || traits.writes === true
  const exclusive = isPaid || traits.retryOnViolation === true || traits.exclusive === true
  return { ...plain, ...traits, writes, exclusive }
}

/** Declares requirements of a level: `must(id, section, operation, traits).states(sentence).check(async (t) => …)`. */
export const declare =
  (level: Level) =>
  (id: string, section: string, operation: OperationId | null, traits: Traits = {}) => ({
    states: (statement: string) => {
      const common = { id, level, section, operation, statement }
      const checkOf = (run: Check['run']): Check => ({ ...common, run, ...completed(traits) })
      return {
        /** Tested by sending requests. */
        check: checkOf,
        /**
         * Tested by the model, once the plan has sent what shows it: in the end, with all other traffic, or at once by
         * the exchanges that the plan returns, and by all that a check sends which is repeated alone.
         */
        judged: (plan: (t: TestContext) => Promise<unknown>): Check => {
          const run = async (t: TestContext) => {
            const { length: before } = t.recorder.exchanges
            const shown = await plan(t)
            const since = t.run.attempt > 0 ? t.recorder.exchanges.slice(before) : []
            await expectNoObjection(t, id, Array.isArray(shown) ? shown : since)
          }
          return { ...checkOf(run), isJudged: true }
        },
        /** Tested by the answers to a plan: each is one of the allowed refusals. */
        refused: (allowed: Refusal, plan: (t: TestContext) => Promise<readonly Exchange[]>): Check => {
          return checkOf(async (t) => expectEachRefused(await plan(t), allowed))
        },
        /** Tested by reading the traffic of the run, once the plan has sent what shows it. */
        observed: (
          plan: (t: TestContext) => Promise<unknown>,
          observe: Required<TrafficRule>['observe'],
        ): Check => {
          const run = async (t: TestContext) => {
            await plan(t)
            observe({ exchanges: t.recorder.exchanges, secrets: [], outOfStep: [] })
          }
          return { ...checkOf(run), observe }
        },
        /** Tested by the model, by all traffic of the run; traits do not apply. */
        seen: (
          seen: string,
          { shownBy, supply }: Pick<TrafficRule, 'shownBy' | 'supply'> = {},
        ): TrafficRule => {
          return { ...common, seen, supply, ...(shownBy && { shownBy }) }
        },
        /** Tested by reading the traffic of the run. */
        observe: (observe: Required<TrafficRule>['observe']): TrafficRule => {
          return { ...common, seen: 'answer', observe }
        },
      }
    },
  })

/** @throws Violation if the model objects to one of some exchanges. */
async function expectNoObjection(t: TestContext, id: string, shown: readonly Exchange[]): Promise<void> {
  const numbers = new Set(shown.map(({ number }) => number))
  const isMeant = ({ requirement, because }: ModelViolation) =>
    requirement === id && numbers.has(because.at(-1) ?? 0)
  const objection = (await t.run.objections()).find(isMeant)
  if (!objection) return
  const { expected, actual, because, delta } = objection
  const evidence = t.recorder.exchanges.filter(({ number }) => because.includes(number))
  throw Object.assign(new Violation(expected, actual, ...evidence), { delta })
}

export const must = declare('MUST')
export const should = declare('SHOULD')
