/** Judges the traffic of a run by the model: what contradicts all that came before is a finding of its requirement. */

import { type Exchange, field } from '#traffic/exchange.ts'
import { showsOtherClients } from '../evidence/other-clients.ts'
import { paidOperations } from '../harness/operations.ts'
import type { RequirementResult } from '../harness/outcome.ts'
import { isCheck, type Requirement } from '../harness/requirement.ts'
import {
  aboutBalances,
  isUnknownTenant,
  type ModelEvent,
  type ModelViolation,
  type RequestEvent,
} from '../model/index.ts'
import { failed, followsFrom, howOf, isViolated } from './results.ts'

/** Times that a contradiction must be seen: others may change a balance and change it back, and do so again. */
const times = 4

/**
 * The violations that count without being tried again: those that others cannot cause; and wrong balances beside a list
 * or a creation, and refusals for want of credits that are there, if they were seen several times between two equal
 * balances, in an organization whose every balance is explained by our own work and which shows no task of others.
 */
export function certain(
  violations: readonly ModelViolation[],
  history: readonly ModelEvent[],
  exchanges: readonly Exchange[],
): ModelViolation[] {
  const requests = history.filter((one) => one.kind === 'request')
  const events = new Map(requests.map((one) => [one.id, one]))
  const eventOf = ({ because }: ModelViolation) => events.get(because.at(-1) ?? 0)
  const disturbed = new Set(
    violations.filter(({ rule }) => aboutBalances.has(rule)).map((one) => eventOf(one)?.tenant),
  )
  const isShared = showsOtherClients(exchanges)
  const enclosed = violations.filter((one) => {
    const event = one.others === 'balance' && !isShared ? eventOf(one) : undefined
    const isOwn = event && !isUnknownTenant(event.tenant) && !disturbed.has(event.tenant)
    return isOwn && isEnclosed(event, requests)
  })
  return violations.filter((one) =>
    one.others === 'balance'
      ? enclosed.includes(one) && enclosed.filter(({ rule }) => rule === one.rule).length >= times
      : !one.others,
  )
}

/** Whether the balances read before and after an answer are equal, and nothing else was paid for in between. */
function isEnclosed({ id, tenant, sent, answer }: RequestEvent, requests: readonly RequestEvent[]): boolean {
  const own = requests.filter((one) => one.tenant === tenant)
  const read = own.filter(({ operation, answer }) => operation === 'whoami' && answer?.status === 200)
  const end = answer?.received.place ?? Number.POSITIVE_INFINITY
  const before = read.findLast((one) => (one.answer?.received.place ?? 0) < sent.place)
  const after = read.find((one) => one.sent.place > end)
  if (!before || !after || creditsIn(before) !== creditsIn(after)) return false
  return !own.some(
    (one) =>
      one.id !== id &&
      paidOperations.includes(one.operation) &&
      one.sent.place > before.sent.place &&
      one.sent.place < after.sent.place,
  )
}

const creditsIn = ({ answer }: RequestEvent) => field(answer?.json, 'credits')

/** What a run shows to the model. */
interface Watched {
  readonly history: readonly ModelEvent[]
  /** What the model objects to in it. */
  readonly violations: readonly ModelViolation[]
  readonly exchanges: readonly Exchange[]
  /** The results that the checks came to. */
  readonly results: readonly RequirementResult[]
  /** The requirements that were selected. */
  readonly selected: readonly Requirement[]
  /** Those, and what `--only` and `--shard` leave out: for what is a finding wherever it is seen. */
  readonly watched: readonly Requirement[]
}

/**
 * The results that replace those of the checks: one for each requirement that a check found met, or could not test,
 * and that the traffic contradicts. What others may have caused is no finding, and what a check has found already
 * is not found twice: a contradiction in a reply of an operation that a requirement has failed at follows from that,
 * and one that rests on an event of an earlier contradiction from that one.
 * An answer that a valid request may never get follows only from a finding that shows such an answer.
 */
export function watch({
  history,
  violations,
  exchanges,
  results,
  selected,
  watched,
}: Watched): RequirementResult[] {
  const broken = results.filter(isViolated)
  const found = new Map<string, RequirementResult>()
  /** The first contradiction that rests on an event, by its requirement. */
  const causes = new Map<number, string>()
  const isStrict = (violation: ModelViolation) =>
    watched.find(({ id }) => id === violation.requirement)?.level === 'MUST'
  // What counts directly is a result already.
  const counted = certain(violations, history, exchanges).filter(({ direct, once }) => once || !direct)
  for (const violation of [...counted.filter(isStrict), ...counted.filter((one) => !isStrict(one))]) {
    const { requirement: id, because, once } = violation
    const requirement = (once ? watched : selected).find((one) => one.id === id)
    const evidence = exchanges.filter(({ number }) => because.includes(number))
    // What was only sent to compare it shows nothing by itself.
    if (!requirement || evidence.length === 0 || because.some((event) => (causes.get(event) ?? id) !== id))
      continue
    for (const event of because) causes.set(event, id)
    if (found.has(id)) continue
    // Advice never hides a duty.
    const duties =
      requirement.level === 'MUST' ? broken.filter(({ outcome }) => outcome === 'failed') : broken
    const others = duties.filter((one) => !followsFrom(one, [{ id, evidence }]))
    // Where no check tests it, this is the only verdict.
    const isOnly = once && isCheck(requirement) && requirement.isJudged
    if (!isOnly && (once ? isShown(evidence, duties) : isBlamed(evidence, others))) continue
    const how = isCheck(requirement) && requirement.isJudged ? howOf(requirement) : 'observed'
    found.set(requirement.id, failed(requirement, how, violation, evidence))
  }
  return [...found.values()]
}

/** Whether the evidence of a broken requirement shows such an answer already. */
function isShown(evidence: readonly Exchange[], broken: readonly RequirementResult[]): boolean {
  const last = evidence.at(-1)
  return broken.some((result) =>
    result.evidence.some(({ operation, status }) => operation === last?.operation && status === last.status),
  )
}

/** Whether a requirement has failed at an operation of the evidence. */
export function isBlamed(
  evidence: readonly Pick<Exchange, 'operation'>[],
  broken: readonly RequirementResult[],
): boolean {
  const blamed = broken.flatMap((one) => [one.requirement, ...one.evidence]).map(({ operation }) => operation)
  return evidence.some(({ operation }) => blamed.includes(operation))
}
