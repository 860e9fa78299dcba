/** Options of `check`, and the cases of faults that follow from them. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import {
  type FaultCase,
  type FaultRecoverability,
  faultFreeCase,
  faultPairCases,
  plannedFaults,
  requestPositions,
  singleFaultCases,
} from '#client-tests/every-fault/plan.ts'
import type { ClientTrial } from '#client-tests/every-fault/trial.ts'
import { suggestKnownWord } from '#contract/input/checked.ts'
import { createRandom } from '#mocks/core/random.ts'
import { type Fault, faultText } from '#mocks/faults/fault.ts'
import { parseFaultRule } from '#mocks/faults/grammar.ts'
import type { FaultRuleDraft } from '#mocks/faults/rule.ts'
import { parseFault } from '#mocks/faults/words.ts'
import { findScenario, scenarios } from '#mocks/scenarios/index.ts'
import { checkWritable } from '../files.ts'
import { type GivenOptions, UsageError } from '../flags.ts'
import { checkMockOptions } from '../mock/options.ts'

/** The options of `check`, validated and completed with their defaults. */
export type CheckOptions = Readonly<ReturnType<typeof readCheckOptions>>

/** The time after which a run of a client is killed unless a flag says otherwise, ms. */
export const defaultTimeoutMs = 60_000

/** Reads the options of `check`. @throws UsageError for an invalid option. */
export function readCheckOptions(given: GivenOptions) {
  const [file, ...args] = given.operands
  if (!file) throw new UsageError('needs the command of a client after --, such as: check -- node client.js')
  const wanted = given.list('scenario').map((id) => {
    const scenario = findScenario(id)
    if (scenario) return scenario
    const ids = scenarios.map((one) => one.id)
    throw new UsageError(`--scenario takes ${suggestKnownWord(id, ids)} (--list explains them)`)
  })
  const [seed, strictClient, traces] = [given.text('seed'), given.text('strictClient'), given.text('traces')]
  const ofMock = { ...(seed !== undefined && { seed }), ...(strictClient !== undefined && { strictClient }) }
  checkMockOptions(given, ofMock)
  const timeout = given.duration('timeout', defaultTimeoutMs, 1)
  const faults = readFaults(given)
  const ofScenarios = ['scenario', 'runs'].find((option) => given.list(option).length > 0)
  if (faults && ofScenarios !== undefined)
    throw new UsageError(`takes ${given.sourceOf(ofScenarios)} or faults, not both`)
  if (traces !== undefined) checkWritable(join(traces, '1.har'))
  return {
    /** The command of the client, word by word; a single word with spaces is for a shell. */
    command: [file, ...args] as [string, ...string[]],
    /** The faults to run the client with; undefined if there are none, and it is run in scenarios. */
    faults,
    scenarios: wanted.length > 0 ? [...new Set(wanted)] : scenarios,
    strict: given.on('strict') || given.choice('failOn', ['error', 'warning'], 'error') === 'warning',
    /** The seeds of all data and of quirks, if they were given: otherwise they are those of the scenario. */
    ofMock,
    /** Eight scenarios for each processor: clients wait most of the time. */
    jobs: given.count('jobs', 8 * availableParallelism(), 1),
    /** The number of runs of the client in each scenario; undefined to run it until its rules were exercised. */
    runs: given.text('runs') === undefined ? undefined : given.count('runs', 1, 1),
    timeout,
    /** The folder for what each run did; undefined if that is not kept. */
    traces,
    reports: given.reports(),
    quiet: given.on('quiet'),
  }
}

/** The faults that the flags of `check` select: each fault at each request, pairs of them, or given rules. */
export interface FaultSelection {
  /** True to try each fault at each request. */
  readonly every?: boolean
  /** The number of pairs of faults to try. */
  readonly pairs?: number
  /** Fault rules to try in a single run; empty: no such run. */
  readonly rules?: readonly string[]
}

/** The faults that the client is run with; undefined if there are none. */
function readFaults(given: GivenOptions): FaultSelection | undefined {
  const [every, pairs, rules] = [given.on('everyFault'), given.count('pairs', 0), given.texts('fault')]
  if (rules.length > 0) caseOf(rules)
  return every || pairs > 0 || rules.length > 0 ? { every, pairs, rules } : undefined
}

/**
 * Lists the fault cases to try on a client, those that take longest first. `usual`: a run without a fault, whose
 * requests the faults are put on; `seed`: decides which pairs are drawn.
 */
export function faultCasesFor(
  { every = false, pairs = 0, rules = [] }: FaultSelection = {},
  usual: ClientTrial,
  seed: string,
): FaultCase[] {
  const places = requestPositions(usual.requests)
  const { below } = createRandom(seed, 'pairs of faults')
  const cases = [
    ...(rules.length > 0 ? [caseOf(rules)] : []),
    ...(every ? singleFaultCases(places) : []),
    ...faultPairCases(places, pairs, below),
  ]
  return cases.toSorted((a, b) => Number(hangs(b)) - Number(hangs(a)))
}

/** True if a fault lets the client wait for ever for an answer. */
const hangs = ({ rules }: FaultCase) =>
  rules.map(draftOf).some(({ faults }) => faults.some((one) => one.kind === 'wire' && one.wire === 'hang'))

/** Reads a fault rule. @throws UsageError for a text that is none. */
function draftOf(rule: string): FaultRuleDraft {
  const draft = parseFaultRule(rule)
  if (typeof draft === 'string') throw new UsageError(`--fault ${draft}`)
  return draft
}

/** The case of a run under given fault rules. @throws UsageError for a text that is not a rule. */
function caseOf(rules: readonly string[]): FaultCase {
  const drafts = rules.map(draftOf)
  return {
    ...faultFreeCase,
    id: rules.join(' '),
    rules,
    recoverability: recoverabilityOf(drafts),
    endsRuns: drafts.some(({ operation, faults }) => operation === 'runTask' && faults.some(isLost)),
  }
}

const canonical = (word: string) => textOf(parseFault(word))
const textOf = (instruction: Fault | undefined) => (instruction ? faultText(instruction) : '')
const isLost = (instruction: Fault) => textOf(instruction) === canonical('lost')

/** The way in which a client can go on after one fault that happens once; after any more it may give up. */
function recoverabilityOf([draft, ...others]: readonly FaultRuleDraft[]): FaultRecoverability {
  const [fault, ...further] = draft?.faults ?? []
  if (draft?.times !== 1 || others.length + further.length > 0) return 'refusal'
  return plannedFaults.find((one) => canonical(one.id) === textOf(fault))?.recoverability ?? 'refusal'
}
