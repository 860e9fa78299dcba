/** The cases that a command line asks for. */
import { type Outlook, plannedFaults } from '#client-tests/every-fault/faults.ts'
import { everyCase, type FaultCase, pairsOfFaults, placesOf } from '#client-tests/every-fault/plan.ts'
import type { Trial } from '#client-tests/every-fault/trial.ts'
import { createRandom } from '#mocks/core/random.ts'
import { type Fault, faultText, parseFault } from '#mocks/faults/fault.ts'
import { parseRule } from '#mocks/faults/grammar.ts'
import type { RuleDraft } from '#mocks/faults/rule.ts'
import { UsageError } from '../../flags.ts'

/** What the client is tried with. */
export interface WantedFaults {
  /** Whether each fault at each request is wanted. */
  readonly every: boolean
  /** How many pairs are. */
  readonly pairs: number
  /** Fault rules for one run; empty: there is no such run. */
  readonly rules: readonly string[]
}

/** The cases for a client that sends these requests; longest first. `seed`: of the pairs. */
export function casesFor({ every, pairs, rules }: WantedFaults, usual: Trial, seed: string): FaultCase[] {
  const places = placesOf(usual.requests)
  const random = createRandom(seed, 'pairs of faults')
  const draw = (limit: number) => Math.floor(random.fraction() * limit)
  const cases = [
    ...(rules.length > 0 ? [caseOf(rules)] : []),
    ...(every ? everyCase(places) : []),
    ...pairsOfFaults(places, pairs, draw),
  ]
  return cases.toSorted((a, b) => Number(hangs(b)) - Number(hangs(a)))
}

const hangs = ({ rules }: FaultCase) => rules.some((rule) => rule.includes('hang'))

/** The case that fault rules say. @throws UsageError for one that is not a rule. */
export function caseOf(rules: readonly string[]): FaultCase {
  const drafts = rules.map((rule) => {
    const draft = parseRule(rule)
    if (typeof draft === 'string') throw new UsageError(`--fault ${draft}`)
    return draft
  })
  return {
    id: rules.join(' '),
    request: null,
    fault: null,
    rules,
    outlook: outlookOf(drafts),
    endsRuns: drafts.some(({ operation, faults }) => operation === 'runTask' && faults.some(isLost)),
  }
}

const canonical = (word: string) => textOf(parseFault(word))
const textOf = (instruction: Fault | undefined) => (instruction ? faultText(instruction) : '')
const isLost = (instruction: Fault) => textOf(instruction) === canonical('lost')

/** After one fault, what that leaves the client with; after several it may give up. */
function outlookOf([draft, ...others]: readonly RuleDraft[]): Outlook {
  const [fault, ...further] = draft?.faults ?? []
  if (draft?.times !== 1 || others.length + further.length > 0) return 'refusal'
  return plannedFaults.find((one) => canonical(one.id) === textOf(fault))?.outlook ?? 'refusal'
}
