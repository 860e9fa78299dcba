/** An entry of the catalogue, and the three ways to test it: judged traffic of its own, seen traffic of all, an experiment. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { DisturbedByOthers, NotExercised, Violation } from '../client/check-errors.ts'
import type { MisplacedResponse } from '../client/recorder.ts'
import type { RequirementId, RequirementPattern } from '../model/requirement-id.ts'
import type { RuleAnchor } from '../model/rule-anchor.ts'
import type { TestContext } from './context.ts'
import { withUndocumentedStatusLast } from './expect.ts'
import type { Need, RequirementLevel, SuiteSettings } from './terms.ts'

/**
 * Properties of the traffic of a whole run that the model of the service does not see: bytes, secrets, and the order on
 * a connection.
 */
export interface WholeRunTraffic {
  readonly exchanges: readonly Exchange[]
  /** Secrets of keys created in the run, each with the number of the exchange that returned it. */
  readonly secrets: readonly { readonly secret: string; readonly shownBy: number }[]
  /** Responses that answered something else than the request. */
  readonly outOfStep: readonly MisplacedResponse[]
}

/** Descriptions of how each kind of verdict comes about, for REQUIREMENTS.md and `--explain`. */
export const verdictDescriptions = {
  model: 'from all that came before, also in a recording',
  exchange: 'from each request and its answer alone, also in a recording',
  experiment: 'from a comparison that only the suite can make, by waiting and repeating',
} as const

type VerdictBy = keyof typeof verdictDescriptions

/**
 * Reasons why a verdict takes an experiment: what only the suite can do, and no recording shows. REQUIREMENTS.md and
 * `--explain` name them.
 */
export const experimentReasons = {
  absence: 'it looks for what must not have happened, once all the time is over in which it may',
  balance: 'it compares balances between which nothing else is paid for',
  comparison: 'it compares the answers to requests that differ in one thing',
  condition: 'it arranges a condition, and knows from when and until when that holds',
  connection: 'it needs a connection or a host of its own',
  many: 'it makes more than a list may show',
  moment: 'it sends several requests at the same moment',
  waiting: 'it waits for what must happen, as long as that may take',
} as const

type ExperimentReason = keyof typeof experimentReasons

/**
 * A pattern of requirements whose violations follow from the violation of another one, so that one cause is reported
 * once.
 */
export interface ConsequencePattern {
  readonly pattern: RequirementPattern
  /**
   * The violations that follow: those by a wrong balance, or by a response with the same status as that of the cause;
   * undefined: all.
   */
  readonly only?: 'balances' | 'same status'
}

interface Common {
  /** Stable, unique, never reused. */
  readonly id: RequirementId
  readonly level: RequirementLevel
  /** The section of the specification that requires it, such as `§3.2`. */
  readonly section: string
  /** The operation it is about; null: several. */
  readonly operation: OperationId | null
  /** A sentence that is true of every conforming service. */
  readonly statement: string
  /**
   * Set if the requirement is about all responses: their `form`, or server errors (`failures`), which are reported as
   * consequences of another violation that shows the same errors; undefined if it is about single operations.
   */
  readonly about?: 'form' | 'failures'
  /** The requirement whose requests show what this one is about; undefined: any traffic of its operation does. */
  readonly shownBy?: RequirementId | undefined
  /** Anchors of the rules of docs/specification.md that it tests. */
  readonly rules: readonly RuleAnchor[]
  /** Violations of other requirements that a violation of this one explains. */
  readonly consequences: readonly ConsequencePattern[]
  readonly verdict: VerdictBy
  /** The reason why the verdict takes an experiment; undefined if it takes none. */
  readonly experiment?: ExperimentReason
}

/** A requirement whose check sends requests of its own. */
export interface Check extends Common {
  readonly needs: readonly Need[]
  /** The number of runs to take the needed notifications from if no provider state creates them; 0: it needs none. */
  readonly runsInsteadOfState: number
  /** Most Work Credits that the check may spend, if no shared evidence has spent them already. */
  readonly cost: number
  /**
   * Credits that shared evidence costs in addition; `sharesOnce`: those of evidence that a repetition does not take
   * again.
   */
  readonly sharedCredits: number
  readonly sharesOnce: number
  /** True if the check changes something in the organization. */
  readonly writes: boolean
  /** True if no other check may run at the same time, since this one compares balances or sets up provider states. */
  readonly exclusive: boolean
  /** True if it compares values that others may change meanwhile: a violation counts only if it is seen again. */
  readonly retryOnViolation: boolean
  /**
   * True if it compares the order of two effects: if the model cannot judge that while other checks run, the check is
   * repeated alone.
   */
  readonly comparesOrder: boolean
  /** True if its requests race each other, so that the service may violate it only sometimes. */
  readonly isRace: boolean
  /** The reason why a run with these settings cannot exercise it, other than by its needs; undefined if it can. */
  readonly obstacle?: (settings: SuiteSettings) => string | undefined
  /** Judges the traffic once it was sent, also that of a recording. */
  readonly observe?: Observer
  /** Runs the check: it passes by returning, optionally with a note for the report, and fails by throwing. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a check that has no note simply returns
  run(t: TestContext): Promise<string | undefined | void>
}

/** Sends what shows a requirement; returns the exchanges that are judged at once, if any. */
type Plan = (t: TestContext) => Promise<unknown>

/** Judges what the model does not see: passes by returning, fails by throwing. */
type Observer = (traffic: WholeRunTraffic) => void

/** A requirement tested by the traffic of the whole run, which the model judges. */
interface TrafficRule extends Common {
  /** Name of the traffic that shows the requirement, as in "no … was seen". */
  readonly seen: string
  /** The input of an operator that would bring such traffic; a number: Work Credits. */
  readonly supply?: string | number | undefined
  readonly observe?: Observer
}

/**
 * An entry of the catalogue: a check with requests of its own, or a rule that is judged by the requests of all checks.
 */
export type Requirement = Check | TrafficRule

/** True for requirements whose check sends requests of its own. */
export function isCheck(requirement: Requirement): requirement is Check {
  return 'run' in requirement
}

/** True if a check only sends requests and the model alone judges their answers. */
export const leavesVerdictToModel = (requirement: Requirement): boolean =>
  isCheck(requirement) && requirement.verdict !== 'experiment' && !requirement.observe

/**
 * Options of a check: whether it writes, costs credits or runs alone, and which inputs it needs. By default it is free
 * and only reads.
 */
export type CheckTraits = Partial<Pick<Common, 'about'> & Omit<Check, keyof Common | 'run' | 'observe'>>

/**
 * Traits without other properties: TypeScript does not reject those of an object in a variable, such as an old name of
 * a trait.
 */
type Exact<T extends CheckTraits> = T & { readonly [K in Exclude<keyof T, keyof CheckTraits>]: never }

const free = { needs: [], runsInsteadOfState: 0, cost: 0, sharedCredits: 0, sharesOnce: 0 } as const
const plain = { ...free, retryOnViolation: false, comparesOrder: false, isRace: false } as const

function completed(traits: CheckTraits) {
  const isPaid = (traits.cost ?? 0) > 0
  const writes = isPaid || traits.writes === true
  const exclusive = isPaid || traits.retryOnViolation === true || traits.exclusive === true
  return { ...plain, ...traits, writes, exclusive }
}

/** Declares a requirement of a level. `must` and `should` are this function with a level filled in. */
export const declareRequirement =
  (level: RequirementLevel) =>
  <T extends CheckTraits>(
    id: RequirementId,
    section: string,
    operation: OperationId | null,
    given?: Exact<T>,
  ) => ({
    /** Names the rules of the specification that it tests, by their anchors. */
    tests: (...rules: readonly RuleAnchor[]) =>
      declaration({ id, level, section, operation, rules, consequences: [] }, given ?? {}),
  })

type Declared = Pick<Common, 'id' | 'level' | 'section' | 'operation' | 'rules' | 'consequences'>

function declaration(declared: Declared, traits: CheckTraits) {
  const { id } = declared
  const explaining =
    (only?: ConsequencePattern['only']) =>
    (...patterns: readonly RequirementPattern[]) => {
      const more = patterns.map((pattern) => ({ pattern, ...(only && { only }) }))
      return declaration({ ...declared, consequences: [...declared.consequences, ...more] }, traits)
    }
  return {
    /** Names the requirements whose violations follow from its own. */
    explains: explaining(),
    /** Names the requirements of which violations by a wrong balance follow. */
    explainsBalances: explaining('balances'),
    /** Names the requirements of which violations by a response with the same status follow. */
    explainsSameStatus: explaining('same status'),
    states: (statement: string) => {
      const { about } = traits
      const common = { ...declared, statement, ...(about && { about }) }
      const checkOf = (run: Check['run'], verdict: 'model' | 'exchange'): Check => {
        return { ...common, run, verdict, ...completed(traits) }
      }
      const observedOf = (plan: Plan, observe: Observer): Check => {
        const run = async (t: TestContext) => {
          await plan(t)
          observe({ exchanges: t.recorder.exchanges, secrets: [], outOfStep: [] })
        }
        return { ...checkOf(run, 'exchange'), observe }
      }
      const judgedOf = (plan: Plan, verdict: 'model' | 'exchange'): Check =>
        checkOf(async (t) => {
          const { length: before } = t.recorder.exchanges
          const since = () => (t.run.attempt > 0 ? t.recorder.exchanges.slice(before) : [])
          const isRepeatedBesideOthers = t.settings.shared && t.run.attempt > 0
          const expectMet = (...shown: readonly Exchange[]) => {
            const first = isRepeatedBesideOthers ? (since()[0]?.number ?? Number.POSITIVE_INFINITY) : 0
            return expectNoObjection(t, id, shown, first)
          }
          try {
            const shown = await plan(t)
            await expectMet(...(Array.isArray(shown) ? shown : []), ...since())
            if (traits.comparesOrder && t.run.attempt === 0 && !t.run.isExercised(id))
              throw new NotExercised('beside other checks nothing has shown it')
          } catch (error) {
            // An assumption may fail because of what the model objects to.
            const isOpen = error instanceof NotExercised && !(error instanceof DisturbedByOthers)
            if (isOpen) await expectMet(...since())
            throw error
          }
        }, verdict)
      return {
        /** Tested by a comparison in the check itself. `reason`: why that takes an experiment. */
        experiment: (reason: ExperimentReason, run: Check['run']): Check => {
          return { ...common, run, verdict: 'experiment', experiment: reason, ...completed(traits) }
        },
        /**
         * Tested by the model once the plan has sent what shows the requirement: in the end, with all other traffic; or
         * at once, by the exchanges that the plan returns or, if the check is repeated alone, by all that it sends.
         * `exchange`: each answer is judged by its request alone; an observer reads what the model does not see.
         */
        judged: (plan: Plan, by: 'model' | 'exchange' | Observer = 'model'): Check =>
          typeof by === 'function' ? observedOf(plan, by) : judgedOf(plan, by),
        /** Tested by all traffic of the run: by the model, which names a sign of it, or by an observer. Of the traits only `about` applies. */
        seen: (
          sign: string | Observer,
          { shownBy, supply }: Pick<TrafficRule, 'shownBy' | 'supply'> = {},
        ): TrafficRule =>
          typeof sign === 'function'
            ? { ...common, verdict: 'exchange', seen: 'answer', observe: sign }
            : { ...common, verdict: 'model', seen: sign, supply, ...(shownBy && { shownBy }) },
      }
    },
  }
}

/**
 * Requires that the model does not object to any of some exchanges. `first`: the number of the first exchange of a
 * repetition beside other clients: objections that rest on older ones count only if nobody else can be their cause; 0:
 * all count. @throws Violation otherwise.
 */
async function expectNoObjection(
  t: TestContext,
  id: RequirementId,
  shown: readonly Exchange[],
  first: number,
): Promise<void> {
  const objections = (await t.run.objections()).filter(
    ({ requirement, attributableToOthers, evidence }) =>
      requirement === id && (!attributableToOthers || evidence.every((number) => number >= first)),
  )
  const [objection] = withUndocumentedStatusLast(shown).flatMap(({ number }) =>
    objections.filter(({ evidence }) => evidence.at(-1) === number),
  )
  if (!objection) return
  const { expected, actual, evidence: because, delta } = objection
  const evidence = t.recorder.exchanges.filter(({ number }) => because.includes(number))
  throw Object.assign(new Violation(expected, actual, ...evidence), { delta })
}

/**
 * Declares a requirement of the level MUST: `must(id, section, operation, traits).tests(anchor).states(sentence)
 * .judged(async (t) => …)`.
 */
export const must = declareRequirement('MUST')
/** Declares a requirement of the level SHOULD, like `must`. */
export const should = declareRequirement('SHOULD')
