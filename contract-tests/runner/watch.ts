/** Judges the traffic of a run by the model: what contradicts all that came before is a finding of its requirement. */

import { type Exchange, valueAtPath } from '#traffic/exchange.ts'
import { isListChangedByOthers } from '../fixtures/other-clients.ts'
import { consequenceError } from '../harness/expect.ts'
import { paidOperations } from '../harness/operations.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { isCheck, leavesVerdictToModel, type Requirement } from '../harness/requirement.ts'
import {
  balanceRuleIds,
  isUnknownTenant,
  type ModelEvent,
  type ModelViolation,
  type RequestEvent,
} from '../model/index.ts'
import { isConsequence, isViolated, resultOfError, testMethodOf, violatedResult } from './results.ts'

/** Times that a contradiction must be seen: others may change a balance and change it back, and do so again. */
const times = 4

/**
 * The violations that count without being reproduced: other clients cannot have caused them; or nobody else was active,
 * the balances before and after them agree, and their rule was violated so at least `times` times.
 */
export function conclusiveViolations(
  violations: readonly ModelViolation[],
  history: readonly ModelEvent[],
  exchanges: readonly Exchange[],
): ModelViolation[] {
  const requests = history.filter((one) => one.kind === 'request')
  const events = new Map(requests.map((one) => [one.id, one]))
  const eventOf = ({ evidence }: ModelViolation) => events.get(evidence.at(-1) ?? 0)
  const disturbed = new Set(
    violations.filter(({ rule }) => balanceRuleIds.has(rule)).map((one) => eventOf(one)?.tenant),
  )
  const arranged = history.filter((one) => one.kind === 'arranged')
  const isShared = isListChangedByOthers(exchanges, { arranged })
  const enclosed = violations.filter((one) => {
    const event = one.attributableToOthers === 'balance' && !isShared ? eventOf(one) : undefined
    const isOwn = event && !isUnknownTenant(event.tenant) && !disturbed.has(event.tenant)
    return isOwn && isEnclosed(event, requests)
  })
  return violations.filter((one) =>
    one.attributableToOthers === 'balance'
      ? enclosed.includes(one) && enclosed.filter(({ rule }) => rule === one.rule).length >= times
      : !one.attributableToOthers,
  )
}

/** True if the balances read before and after an answer are equal, and nothing else was paid for in between. */
function isEnclosed({ id, tenant, sent, answer }: RequestEvent, requests: readonly RequestEvent[]): boolean {
  const own = requests.filter((one) => one.tenant === tenant)
  const read = own.filter(({ operation, answer }) => operation === 'whoami' && answer?.status === 200)
  const end = answer?.received.seq ?? Number.POSITIVE_INFINITY
  const before = read.findLast((one) => (one.answer?.received.seq ?? 0) < sent.seq)
  const after = read.find((one) => one.sent.seq > end)
  if (!before || !after || creditsIn(before) !== creditsIn(after)) return false
  return !own.some(
    (one) =>
      one.id !== id &&
      paidOperations.includes(one.operation) &&
      one.sent.seq > before.sent.seq &&
      one.sent.seq < after.sent.seq,
  )
}

/**
 * True if a violation shows only that somebody bought credits after a 402: nobody buys any during a run of the suite,
 * but they may in a recording (§7.1).
 */
export function showsBoughtCredits(
  { subject, delta = 0, evidence }: ModelViolation,
  requests: readonly RequestEvent[],
): boolean {
  const event = requests.find(({ id }) => id === evidence.at(-1))
  const isPaid = ({ operation }: RequestEvent) => paidOperations.includes(operation)
  const isMore = subject === 'balance' ? delta > 0 : subject === 'spending' && event && isPaid(event)
  if (!event || !isMore) return false
  const before = requests.findLast(
    (one) => one.tenant === event.tenant && isPaid(one) && one.sent.seq < event.sent.seq,
  )
  return before?.answer?.status === 402 && before.answer.received.seq < event.sent.seq
}

const creditsIn = ({ answer }: RequestEvent) => valueAtPath(answer?.json, 'credits')

/** Evidence of a run for the model. */
interface Watched {
  readonly history: readonly ModelEvent[]
  /** Objections of the model to it. */
  readonly violations: readonly ModelViolation[]
  readonly exchanges: readonly Exchange[]
  /** The results that the checks came to. */
  readonly results: readonly RequirementResult[]
  /** The requirements that were selected. */
  readonly selected: readonly Requirement[]
  /** Selected requirements and those that `--only` leaves out, for findings that count wherever they are seen. */
  readonly watched: readonly Requirement[]
}

/**
 * Results from the model that replace those of checks: one for each requirement that the traffic violates although its
 * check passed or was not exercised. If the violation follows from a failed requirement, a passed check becomes
 * `not_exercised`. What other clients may have caused is left out.
 */
export function replacementResultsFromModel({
  history,
  violations,
  exchanges,
  results,
  selected,
  watched,
}: Watched): RequirementResult[] {
  const broken = results.filter(isViolated)
  const found = new Map<string, RequirementResult>()
  /** Results of requirements that were seen violated as consequences of broken ones: their own checks may have passed. */
  const consequences = new Map<string, RequirementResult>()
  /** The first contradiction that rests on an event, by its requirement. */
  const causes = new Map<number, string>()
  const isStrict = (violation: ModelViolation) =>
    watched.find(({ id }) => id === violation.requirement)?.level === 'MUST'
  // A violation that counts directly is a result already.
  const counted = conclusiveViolations(violations, history, exchanges).filter(
    ({ neverConsequence, oneSightSuffices }) => oneSightSuffices || !neverConsequence,
  )
  for (const violation of [...counted.filter(isStrict), ...counted.filter((one) => !isStrict(one))]) {
    const { requirement: id, evidence: because, oneSightSuffices } = violation
    const requirement = (oneSightSuffices ? watched : selected).find((one) => one.id === id)
    const evidence = exchanges.filter(({ number }) => because.includes(number))
    // A request only sent for comparison shows nothing by itself.
    if (!requirement || evidence.length === 0 || because.some((event) => (causes.get(event) ?? id) !== id))
      continue
    for (const event of because) causes.set(event, id)
    if (found.has(id)) continue
    // Advice never hides a duty.
    const duties =
      requirement.level === 'MUST' ? broken.filter(({ outcome }) => outcome === 'failed') : broken
    const others = duties.filter((one) => !isConsequence(one, [{ id, evidence }]))
    // A requirement without a check has only this verdict.
    const isOnly = oneSightSuffices && isCheck(requirement) && requirement.verdict === 'model'
    const cause = isOnly
      ? undefined
      : oneSightSuffices
        ? brokenShowing(evidence, duties)
        : violatedResultOfSameOperation(evidence, others)
    if (cause) {
      const isPassed = results.some((one) => one.requirement.id === id && one.outcome === 'passed')
      const error = consequenceError(cause.requirement.id, `${violation.actual} follows`)
      if (isPassed && !consequences.has(id)) consequences.set(id, resultOfError(requirement, error))
      continue
    }
    const how = leavesVerdictToModel(requirement) ? testMethodOf(requirement) : 'observed'
    found.set(requirement.id, violatedResult(requirement, how, violation, evidence))
  }
  return [...new Map([...consequences, ...found]).values()]
}

/** The broken requirement whose evidence shows such an answer already. */
function brokenShowing(
  evidence: readonly Exchange[],
  broken: readonly RequirementResult[],
): RequirementResult | undefined {
  const last = evidence.at(-1)
  return broken.find(({ evidence: all, directEvidence = all }) =>
    directEvidence.some(({ operation, status }) => operation === last?.operation && status === last.status),
  )
}

/**
 * A violated result that may explain the evidence, since its requirement or its own evidence is about the same
 * operation; undefined if there is none.
 */
export function violatedResultOfSameOperation(
  evidence: readonly Pick<Exchange, 'operation'>[],
  broken: readonly RequirementResult[],
): RequirementResult | undefined {
  const operations = new Set(evidence.map(({ operation }) => operation))
  return broken.find(({ requirement, evidence: all, directEvidence = all }) =>
    [requirement, ...directEvidence].some(({ operation }) => operation && operations.has(operation)),
  )
}
