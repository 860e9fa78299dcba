/** From what a check throws to the result of its requirement, and first causes only. */

import { routeOf } from '#contract/operation.ts'
import { createdSecret } from '#traffic/curl.ts'
import { type Exchange, field, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { decoded, requestedId } from '#traffic/odd-input.ts'
import { consequences } from '../catalogue/consequences.ts'
import { NotApplicable, NotExercised, Violation } from '../client/check-errors.ts'
import { notOffered } from '../evidence/resources.ts'
import { becauseOf } from '../harness/expect.ts'
import { createdId } from '../harness/operations.ts'
import type { How, RequirementResult } from '../harness/outcome.ts'
import { setUpAtFault } from '../harness/provider-states.ts'
import { isCheck, type Requirement, type Traffic } from '../harness/requirement.ts'
import type { MadeKey } from '../harness/run-state.ts'
import type { Settings } from '../harness/terms.ts'
import type { ModelViolation, Verdict } from '../model/index.ts'
import { nameOfAltered } from '../report/secrets.ts'
import { fits, leftOut } from './selection.ts'

/** Whether a result is owed to a provider state that cannot be used. */
export const isProviderFault = ({ outcome, reason }: RequirementResult): boolean =>
  outcome === 'not_exercised' && reason?.startsWith(setUpAtFault) === true

/** The result of a requirement that passed, with a note for the report if there is one. */
export function passed(requirement: Requirement, note?: string | undefined): RequirementResult {
  const reason = note ? { reason: note } : {}
  return { requirement, outcome: 'passed', how: howOf(requirement), evidence: [], ...reason }
}

/** What the model says of a history; `counted`: the violations that are certain. */
interface Found extends Pick<Verdict, 'violations' | 'tried'> {
  readonly counted: readonly ModelViolation[]
}

/** The result of a requirement by the traffic alone. */
export function observed(
  requirement: Requirement,
  { violations, tried, counted }: Found,
  traffic: Traffic,
  settings: Settings,
  isRecorded = false,
): RequirementResult {
  // What was sent only to compare connections is no evidence.
  const isShown = ({ because }: ModelViolation) =>
    traffic.exchanges.some(({ number }) => number === because.at(-1))
  const ofIt = violations.filter((one) => one.requirement === requirement.id)
  const isSure = (one: ModelViolation) => counted.includes(one)
  const sure = ofIt.find((one) => isShown(one) && isSure(one)) ?? ofIt.find(isSure)
  const [violation] = sure ? [sure] : ofIt
  if (violation) {
    const { expected, because, once } = violation
    const actual =
      once && ofIt.length > 1 ? `${violation.actual}, ${ofIt.length} times in all` : violation.actual
    const evidence = traffic.exchanges.filter(({ number }) => because.includes(number))
    const result = failed(requirement, 'observed', { expected, actual }, evidence)
    if (sure) return result
    const where = `${isRecorded ? 'entries' : 'events'} ${because.join(', ')}`
    const reason = `inconclusive: expected ${expected}; got ${actual} (${where}): another client may have caused it`
    return { ...result, outcome: 'not_exercised', reason }
  }
  try {
    if (requirement.observe && traffic.exchanges.length > 0) requirement.observe(traffic)
    else if (!tried.has(requirement.id)) throw notSeen(requirement, settings)
    return { requirement, outcome: 'passed', how: 'observed', evidence: [] }
  } catch (error) {
    return { ...resultOf(requirement, error), how: 'observed' }
  }
}

/** That nothing in the traffic bears on a requirement. */
function notSeen(requirement: Requirement, { maxCredits }: Settings): NotExercised {
  if (isCheck(requirement)) return new NotExercised('nothing in the history bears on it')
  const { seen, operation, supply = operation ? routeOf(operation).cost : 0 } = requirement
  const missing = typeof supply === 'number' && maxCredits < supply && `--max-credits ${supply} or more`
  return new NotExercised(`no ${seen} was seen`, typeof supply === 'string' ? supply : missing || undefined)
}

/** The result of a requirement that is violated. */
export const failed = (
  requirement: Requirement,
  how: How,
  { expected, actual }: Pick<ModelViolation, 'expected' | 'actual'>,
  evidence: readonly Exchange[],
): RequirementResult => {
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  return { requirement, outcome, how, expected, actual, evidence }
}

/** The result of a requirement whose check threw; an error that is not a check error is a defect of the suite. */
export function resultOf(requirement: Requirement, error: unknown): RequirementResult {
  const how = howOf(requirement)
  if (error instanceof Violation) {
    const { exchanges, delta, balances, tentative } = error
    return { ...failed(requirement, how, error, exchanges), delta, balances, tentative }
  }
  if (error instanceof NotExercised) {
    const supply = error.supply === undefined ? {} : { supply: error.supply }
    return { requirement, outcome: 'not_exercised', how, reason: error.message, ...supply, evidence: [] }
  }
  if (error instanceof NotApplicable)
    return { requirement, outcome: 'not_applicable', how, reason: error.message, evidence: [] }
  const { message, stack } = error as Error
  return {
    requirement,
    outcome: 'harness_error',
    how,
    reason: `error in the suite: ${message}`,
    evidence: [],
    stack: stack ?? message,
  }
}

/** How a requirement is tested. */
export function howOf(requirement: Requirement): How {
  if (!isCheck(requirement)) return 'observed'
  return requirement.needs.some((need) => need.startsWith('state:')) ? 'state' : 'induced'
}

/** The results, where a violation that follows from another one is not exercised and says because of which. */
export function withoutConsequences(results: readonly RequirementResult[]): RequirementResult[] {
  const violated = results.filter(isViolated).map(violationOf)
  return results.map((result) => {
    const { requirement, actual } = result
    const cause = isViolated(result) ? causeOf(result, violated) : undefined
    return cause === undefined ? result : resultOf(requirement, becauseOf(cause, `${actual} follows`))
  })
}

/** The results, where what could not be tested is not applicable if the service lacks the extended route. */
export function withoutAbsent(
  results: readonly RequirementResult[],
  exchanges: readonly Exchange[],
  settings: Settings,
): RequirementResult[] {
  const offered = new Set(exchanges.filter(isAccepted).map(({ operation }) => operation))
  const absent = new Map(
    exchanges
      .filter((one) => isAbsent(one) && !offered.has(one.operation))
      .map((one) => [one.operation, one]),
  )
  return results.map((result) => {
    const { requirement, outcome } = result
    const shown = outcome === 'not_exercised' && requirement.operation && absent.get(requirement.operation)
    if (!shown || leftOut(requirement, settings) !== undefined) return result
    return resultOf(requirement, notOffered(settings, shown))
  })
}

/** Whether a violation follows from others that are known. */
export function followsFrom(result: RequirementResult, known: readonly Violated[]): boolean {
  return isViolated(result) && causeOf(result, known) !== undefined
}

/** Checks to be repeated in another order: what would follow from others among them comes after them. */
export function causesFirst<
  T extends { readonly before: { readonly result: RequirementResult } | undefined },
>(left: readonly T[]): T[] {
  const known = left.flatMap(({ before }) =>
    before && isViolated(before.result) ? violationOf(before.result) : [],
  )
  const follows = ({ before }: T) => before !== undefined && followsFrom(before.result, known)
  return [...left.filter((one) => !follows(one)), ...left.filter(follows)]
}

export const isViolated = ({ outcome }: RequirementResult) => outcome === 'failed' || outcome === 'warned'

/** A requirement that is violated, and the exchanges that show it. */
interface Violated {
  readonly id: string
  readonly evidence: readonly Exchange[]
}

const violationOf = ({ requirement: { id }, evidence }: RequirementResult): Violated => ({ id, evidence })

function causeOf(
  { requirement, delta, evidence }: RequirementResult,
  violated: readonly Violated[],
): string | undefined {
  const statusOf = (shown: readonly Exchange[]) => shown.at(-1)?.status
  return consequences.find(
    ({ cause, follow, only }) =>
      violated.some(
        (one) =>
          one.id === cause && (only !== 'same status' || statusOf(one.evidence) === statusOf(evidence)),
      ) &&
      (only !== 'balances' || delta !== undefined) &&
      follow.some((pattern) => fits(requirement.id, pattern)),
  )?.cause
}

/** What the run has sent, and the keys that it has created. */
interface History {
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly MadeKey[]
}

/** The result with complete evidence, in the order in which it was sent. */
export function withOrigins(result: RequirementResult, history: History): RequirementResult {
  const { evidence } = result
  const [first] = evidence
  if (!first) return result
  const made = evidence.flatMap((one) => creationsOf(one, result, history))
  const all = new Set([
    ...made,
    ...[...made, ...evidence].flatMap((one) => keyOf(one, history)),
    ...balancesOf(result, first, history),
    ...evidence,
  ])
  return { ...result, evidence: [...all].toSorted((a, b) => a.number - b.number) }
}

/** The requests that created what a request, or the text of the violation, names. */
function creationsOf(
  one: Exchange,
  { expected, actual }: RequirementResult,
  { exchanges }: History,
): Exchange[] {
  const path = decoded(new URL(one.url).pathname) ?? ''
  const named = `${path.replace(/\/(?:run|read)$/, '')}/ ${expected} ${actual} `
  return exchanges.filter((creation) => {
    if (creation.number >= one.number || !isAccepted(creation)) return false
    const id = createdId(creation)
    return id !== undefined && (named.includes(`/${id}/`) || named.includes(` ${id} `))
  })
}

/** The requests that created, and deleted, the key that a request carries, wherever it carries it. */
function keyOf({ url, requestHeaders, number }: Exchange, { exchanges, secrets }: History): Exchange[] {
  const sent = [url, ...Object.values(requestHeaders)].join('\n')
  const key = requestHeaders.authorization?.replace(/^\S+ /, '') ?? ''
  const carries = (value: string) =>
    [value, encodeURIComponent(value)].some((one) => sent.includes(one)) || isAltered(key, value)
  const made = secrets.find(({ secret, others }) => [secret, ...others].some(carries))
  if (!made) return []
  const isItsDeletion = (one: Exchange) => one.operation === 'deleteKey' && requestedId(one) === made.id
  return exchanges.filter(
    (one) => one.number < number && (one.number === made.shownBy || (isAccepted(one) && isItsDeletion(one))),
  )
}

/** Whether a text is a secret with a small alteration. */
const isAltered = (text: string, value: string) => nameOfAltered(text, createdSecret(value)) !== undefined

/** The last response of whoami before a paid request, and the last one so far that shows the balance afterwards. */
function balancesOf(
  { delta, balances }: RequirementResult,
  first: Exchange,
  { exchanges }: History,
): Exchange[] {
  if (delta === undefined || balances === undefined) return []
  const isBalance = ({ operation }: Exchange) => operation === 'whoami'
  const shows = (credits: number) => (one: Exchange) =>
    isBalance(one) && field(one.json, 'credits') === credits
  const before = exchanges.findLast((one) => one.number < first.number && shows(balances.before)(one))
  const after = exchanges.findLast((one) => one.number > first.number && shows(balances.after)(one))
  return [before, after].filter((one) => one !== undefined)
}
