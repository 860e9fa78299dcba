/** From what a check throws to the result of its requirement, and first causes only. */

import { type OperationId, routeOf } from '#contract/operation.ts'
import { nameCreatedKeySecret } from '#traffic/curl.ts'
import { type Exchange, hasSuccessStatus, idAsText, isRouteAbsent, valueAtPath } from '#traffic/exchange.ts'
import { decodedPathId, decodePercent } from '#traffic/malformed-input.ts'
import { catalogue } from '../catalogue/index.ts'
import {
  DisturbedByOthers,
  NotApplicable,
  NotExercised,
  ProviderStateError,
  Violation,
} from '../client/check-errors.ts'
import { routeNotOfferedError } from '../fixtures/resources.ts'
import { serverErrorsIn, showsSameServerErrors } from '../fixtures/server-errors.ts'
import { consequenceError } from '../harness/expect.ts'
import { createdIdIn } from '../harness/operations.ts'
import { type EvidenceSource, type RequirementResult, resultOfSuspicion } from '../harness/outcome.ts'
import { isCheck, type Requirement, type WholeRunTraffic } from '../harness/requirement.ts'
import type { CreatedKey } from '../harness/run-state.ts'
import type { SuiteSettings } from '../harness/terms.ts'
import type { ModelVerdict, ModelViolation } from '../model/index.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import { shellExpressionForAlteredSecret } from '../report/secrets.ts'
import { matchesPattern, omissionReason } from './selection.ts'

/** True if a requirement was not exercised because a provider state does not work. */
export const isPreventedByProviderState = ({ providerFault }: RequirementResult): boolean =>
  providerFault !== undefined

/** The result of a requirement that the service meets, with a note for the report if there is one. */
export function passedResult(requirement: Requirement, note?: string | undefined): RequirementResult {
  const reason = note ? { reason: note } : {}
  return { requirement, outcome: 'passed', how: testMethodOf(requirement), evidence: [], ...reason }
}

/** Verdict of the model on a history; `counted`: the violations that are certain. */
interface Found extends Pick<ModelVerdict, 'violations' | 'exercised'> {
  readonly counted: readonly ModelViolation[]
}

/**
 * The result of a requirement by the recorded traffic alone: failed or warned by a certain violation, suspected by
 * another one, passed, or not exercised.
 */
export function trafficResult(
  requirement: Requirement,
  { violations, exercised, counted }: Found,
  traffic: WholeRunTraffic,
  settings: SuiteSettings,
  isRecorded = false,
): RequirementResult {
  // Requests sent only to compare connections are no evidence.
  const isShown = ({ evidence }: ModelViolation) =>
    traffic.exchanges.some(({ number }) => number === evidence.at(-1))
  const ofIt = violations.filter((one) => one.requirement === requirement.id)
  const isSure = (one: ModelViolation) => counted.includes(one)
  const sure = ofIt.find((one) => isShown(one) && isSure(one)) ?? ofIt.find(isSure)
  const [violation] = sure ? [sure] : ofIt
  if (violation) {
    const { expected, evidence: because, oneSightSuffices } = violation
    const actual =
      oneSightSuffices && ofIt.length > 1
        ? `${violation.actual}, ${ofIt.length} times in all`
        : violation.actual
    const evidence = traffic.exchanges.filter(({ number }) => because.includes(number))
    const result = violatedResult(requirement, 'observed', { expected, actual }, evidence)
    if (sure) return result
    const [causes, where] = isRecorded
      ? ['another client, bought credits or a request that is not recorded', 'entries']
      : ['another client', 'events']
    return resultOfSuspicion(result, {
      reason: `${causes} may have caused it (${where} ${because.join(', ')})`,
      others: settings.shared,
    })
  }
  try {
    if (requirement.observe && traffic.exchanges.length > 0) requirement.observe(traffic)
    else if (!exercised.has(requirement.id)) throw notSeen(requirement, settings)
    return { requirement, outcome: 'passed', how: 'observed', evidence: [] }
  } catch (error) {
    return { ...resultOfError(requirement, error), how: 'observed' }
  }
}

/** The error for a requirement that nothing in the traffic exercised. */
function notSeen(requirement: Requirement, { maxCredits }: SuiteSettings): NotExercised {
  if (isCheck(requirement)) return new NotExercised('nothing in the history bears on it')
  const { seen, operation, supply = operation ? routeOf(operation).cost : 0 } = requirement
  const missing = typeof supply === 'number' && maxCredits < supply && `--max-credits ${supply} or more`
  return new NotExercised(`no ${seen} was seen`, typeof supply === 'string' ? supply : missing || undefined)
}

/** The result of a requirement that is violated: failed for a MUST, warned for a SHOULD. */
export const violatedResult = (
  requirement: Requirement,
  how: EvidenceSource,
  { expected, actual }: Pick<ModelViolation, 'expected' | 'actual'>,
  evidence: readonly Exchange[],
): RequirementResult => {
  const outcome = requirement.level === 'MUST' ? 'failed' : 'warned'
  return { requirement, outcome, how, expected, actual, evidence }
}

/** The result of a requirement whose check threw an error; an error of an unknown class is a defect of the suite. */
export function resultOfError(requirement: Requirement, error: unknown): RequirementResult {
  const how = testMethodOf(requirement)
  if (error instanceof Violation) {
    const { exchanges, delta, balances, tentative } = error
    return { ...violatedResult(requirement, how, error, exchanges), delta, balances, tentative }
  }
  if (error instanceof DisturbedByOthers) {
    const { seen, message: reason, supply } = error
    const shown = seen ? resultOfError(requirement, seen) : { requirement, how, evidence: [] }
    return resultOfSuspicion(shown, { reason, supply, others: true })
  }
  if (error instanceof NotExercised) {
    const { message: reason, supply, answer } = error
    return {
      ...{ requirement, outcome: 'not_exercised', how, reason, answer, evidence: [] },
      ...(supply === undefined ? {} : { supply }),
      ...(error instanceof ProviderStateError && {
        providerFault: { fault: error.fault, mayBeOthers: error.mayBeOthers },
      }),
    }
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

/**
 * The way in which a requirement is tested: by traffic that other checks send anyway, by requests of its own, or in a
 * provider state.
 */
export function testMethodOf(requirement: Requirement): EvidenceSource {
  if (!isCheck(requirement)) return 'observed'
  return requirement.needs.some((need) => need.startsWith('state:')) ? 'state' : 'induced'
}

/** Turns each violation that follows from another one into `not_exercised`, with its cause as the reason. */
export function markConsequencesNotExercised(results: readonly RequirementResult[]): RequirementResult[] {
  const violated = results.filter(isViolated).map(violationOf)
  return results.map((result) => {
    const { requirement, actual } = result
    const cause = isViolated(result) ? causeOf(result, violated) : undefined
    return cause === undefined
      ? result
      : resultOfError(requirement, consequenceError(cause, `${actual} follows`))
  })
}

/** Turns `not_exercised` into `not_applicable` for requirements whose extended route the service does not offer. */
export function markAbsentRoutesNotApplicable(
  results: readonly RequirementResult[],
  exchanges: readonly Exchange[],
  settings: SuiteSettings,
): RequirementResult[] {
  const offered = new Set(exchanges.filter(hasSuccessStatus).map(({ operation }) => operation))
  const absent = new Map(
    exchanges
      .filter((one) => isRouteAbsent(one) && !offered.has(one.operation))
      .map((one) => [one.operation, one]),
  )
  return results.map((result) => {
    const { requirement, outcome } = result
    const shown = outcome === 'not_exercised' && requirement.operation && absent.get(requirement.operation)
    if (!shown || omissionReason(requirement, settings) !== undefined) return result
    return resultOfError(requirement, routeNotOfferedError(settings, shown))
  })
}

/** True if a result is a violation that follows from one of the given violations. */
export function isConsequence(result: RequirementResult, known: readonly Violated[]): boolean {
  return isViolated(result) && causeOf(result, known) !== undefined
}

/**
 * Orders checks to be repeated: first those whose violation does not follow from that of another one, then the others.
 */
export function orderedByCause<
  T extends { readonly before: { readonly result: RequirementResult } | undefined },
>(left: readonly T[]): T[] {
  const known = left.flatMap(({ before }) =>
    before && isViolated(before.result) ? violationOf(before.result) : [],
  )
  const follows = ({ before }: T) => before !== undefined && isConsequence(before.result, known)
  return [...left.filter((one) => !follows(one)), ...left.filter(follows)]
}

/** True if a MUST has failed or a SHOULD has warned. */
export const isViolated = ({ outcome }: RequirementResult) => outcome === 'failed' || outcome === 'warned'

/** A requirement that is violated, and the exchanges that show it. */
interface Violated extends Pick<Requirement, 'id' | 'about'> {
  readonly evidence: readonly Exchange[]
}

const violationOf = ({ requirement: { id, about }, evidence }: RequirementResult): Violated => ({
  id,
  ...(about && { about }),
  evidence,
})

const duties: ReadonlySet<RequirementId> = new Set(
  catalogue.flatMap(({ id, level }) => (level === 'MUST' ? id : [])),
)
const consequencesById = new Map(catalogue.map(({ id, consequences }) => [id, consequences]))

function causeOf(
  { requirement, delta, evidence }: RequirementResult,
  known: readonly Violated[],
): RequirementId | undefined {
  // A SHOULD finding never suppresses a MUST.
  const violated = requirement.level === 'MUST' ? known.filter(({ id }) => duties.has(id)) : known
  if (requirement.about === 'failures') return shownBy(evidence, violated)
  const statusOf = (shown: readonly Exchange[]) => shown.at(-1)?.status
  return violated.find((one) =>
    consequencesById
      .get(one.id)
      ?.some(
        ({ pattern, only }) =>
          (only !== 'same status' || statusOf(one.evidence) === statusOf(evidence)) &&
          (only !== 'balances' || delta !== undefined) &&
          matchesPattern(requirement.id, pattern),
      ),
  )?.id
}

/**
 * The first requirement whose evidence shows server errors, if that of all requirements shows each kind of `errors`.
 */
function shownBy(errors: readonly Exchange[], violated: readonly Violated[]): RequirementId | undefined {
  const others = violated.filter(({ about }) => about === undefined)
  if (
    !showsSameServerErrors(
      others.flatMap((one) => one.evidence),
      errors,
    )
  )
    return undefined
  return others.find((one) => serverErrorsIn(one.evidence).length > 0)?.id
}

/** Requests of the run, and the keys that it has created. */
interface History {
  readonly exchanges: readonly Exchange[]
  readonly secrets: readonly CreatedKey[]
}

/**
 * A result with its evidence completed by the exchanges that it depends on, such as creations and balances, in the
 * order in which they were sent.
 */
export function withCompleteEvidence(result: RequirementResult, history: History): RequirementResult {
  const { evidence } = result
  const [first] = evidence
  if (!first) return result
  const made = evidence.flatMap((one) => creationsOf(one, result, history))
  const end = Math.max(...evidence.map(({ number }) => number))
  const all = new Set([
    ...made,
    ...[...made, ...evidence].flatMap((one) => keyOf(one, end, history)),
    ...balancesOf(result, first, history),
    ...evidence,
  ])
  const directEvidence = result.directEvidence ?? evidence
  return { ...result, directEvidence, evidence: [...all].toSorted((a, b) => a.number - b.number) }
}

/** The requests that created what a request, or the text of the violation, names. */
function creationsOf(
  one: Exchange,
  { expected, actual }: RequirementResult,
  { exchanges }: History,
): Exchange[] {
  const path = decodePercent(new URL(one.url).pathname) ?? ''
  const place = `${path.replace(/\/(?:run|read)$/, '')}/`
  const words = ` ${expected} ${actual} `
  return exchanges.filter((creation) => {
    if (creation.number >= one.number || !hasSuccessStatus(creation)) return false
    const id = createdIdIn(creation)
    if (id === undefined) return false
    // A number alone names several things if each kind counts its own ids.
    const made = new URL(creation.url).pathname
    const isNamed = words.includes(` ${id} `) || place.includes(`/${id}/`)
    return place.includes(`${made}/${id}/`) || (isTelling(id, made, place) && isNamed)
  })
}

/** True if an id in a sentence names something of a kind: a short one does so only for what the request is about. */
const isTelling = (id: string, made: string, place: string): boolean =>
  id.length >= tellingId || place.startsWith(`${made}/`)

/** Characters of an id that no other kind is likely to have as well. */
const tellingId = 8

/**
 * The requests that created, and deleted, the key that a request carries, wherever it carries it. `end`: the last request
 * of the evidence, since what a key has created may go with the key.
 */
function keyOf(
  { url, requestHeaders, requestBody = '', number }: Exchange,
  end: number,
  { exchanges, secrets }: History,
): Exchange[] {
  const sent = [url, ...Object.values(requestHeaders), requestBody].join('\n')
  const key = requestHeaders.authorization?.replace(/^\S+ /, '') ?? ''
  const carries = (value: string) =>
    [value, encodeURIComponent(value)].some((one) => sent.includes(one)) || isAltered(key, value)
  const made = secrets.find(({ secret, others }) => [secret, ...others].some(carries))
  if (!made) return showingKey(key, number, exchanges)
  const isItsDeletion = (one: Exchange) => one.operation === 'deleteKey' && decodedPathId(one) === made.id
  return exchanges.filter(
    (one) =>
      (one.number < number && one.number === made.shownBy) ||
      (one.number < end && hasSuccessStatus(one) && isItsDeletion(one)),
  )
}

/** The creation of a key and its last list that show what a request sent in place of a key, such as the id of one. */
function showingKey(sent: string, before: number, exchanges: readonly Exchange[]): Exchange[] {
  if (sent.length < tellingId) return []
  const shows = (operation: OperationId) => (one: Exchange) =>
    one.operation === operation && one.number < before && hasSuccessStatus(one) && one.text.includes(sent)
  const shown = [exchanges.find(shows('createKey')), exchanges.findLast(shows('listKeys'))]
  return shown.filter((one) => one !== undefined)
}

/** True if a text is a secret with a small alteration. */
const isAltered = (text: string, value: string) =>
  shellExpressionForAlteredSecret(text, nameCreatedKeySecret(value)) !== undefined

/**
 * The last response of whoami before the evidence, and the first one after it that shows the balance afterwards, both
 * of the organization that paid.
 */
function balancesOf(
  { delta, balances, evidence }: RequirementResult,
  first: Exchange,
  { exchanges }: History,
): Exchange[] {
  if (delta === undefined || balances === undefined) return []
  const readings = exchanges.filter(({ operation }) => operation === 'whoami')
  const orgOf = ({ json }: Exchange) => idAsText(valueAtPath(json, 'org', 'id'))
  const own = readings.find(({ caller, status }) => caller === balances.caller && status === 200)
  const shows = (credits: number) => (one: Exchange) =>
    valueAtPath(one.json, 'credits') === credits && (own === undefined || orgOf(one) === orgOf(own))
  const last = Math.max(...evidence.map(({ number }) => number))
  const before = readings.findLast((one) => one.number < first.number && shows(balances.before)(one))
  const after = readings.filter((one) => one.number > first.number && shows(balances.after)(one))
  return [before, after.find(({ number }) => number > last) ?? after.at(-1)].filter(
    (one) => one !== undefined,
  )
}
