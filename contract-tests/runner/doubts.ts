/** Violations that were seen once: whether a repetition refutes them, and what the suite's own work explains of them. */
import { routeOf } from '#contract/operation.ts'
import { type Exchange, isBusy, valueAtPath } from '#traffic/exchange.ts'
import { decodedPathId } from '#traffic/malformed-input.ts'
import type { SentRequest } from '../client/recorder.ts'
import { hasSeenOtherClients } from '../fixtures/other-clients.ts'
import { bearerHeader, type TestContext } from '../harness/context.ts'
import { paidOperations } from '../harness/operations.ts'
import { type DoubtReason, type RequirementResult, resultOfSuspicion } from '../harness/outcome.ts'
import type { ModelViolation } from '../model/index.ts'

/** True if a requirement is not exercised, or only suspected to be violated. */
export const isUndecided = ({ outcome }: RequirementResult): boolean =>
  outcome === 'not_exercised' || outcome === 'suspected'

/**
 * The result if a check saw a violation while other checks ran, and could not be exercised when it was repeated alone.
 */
export function resultIfNotReproduced(t: TestContext, seen: RequirementResult, exclusive: RequirementResult) {
  const { supply, others } = exclusive
  const reason = `not repeated alone: ${exclusive.reason}`
  // Beside other checks it was no violation yet, or their own work explains it.
  if (isTentative(t, seen) || isOwnWork(t, seen)) return { ...exclusive, reason }
  return resultWithoutProof(t, seen, { reason, supply, ...(others && { others }) })
}

/**
 * True if a check, beside others, may have done only a part of what it takes, or looked too briefly for a late effect.
 */
const isTentative = ({ run }: TestContext, { tentative, evidence }: RequirementResult): boolean =>
  tentative === true || evidence.some(({ number }) => run.lateness.brief.has(number))

/** True if the suite's own requests, beside those that a check compared, may have caused what it saw. */
function isOwnWork(t: TestContext, seen: RequirementResult): boolean {
  const compared = new Set(seen.evidence.map(({ number }) => number))
  const paid = t.recorder.sent.filter(
    (one) => paidOperations.includes(one.operation) && !compared.has(one.number) && !isRefused(one),
  )
  // The model knows which runs were asked for.
  if (seen.delta === undefined) return seen.how !== 'observed' && isOfRunTask(seen, paid)
  if (seen.balances) return isCharged(t, seen, paid)
  const lists = comparedLists(seen)
  return lists !== undefined && (seen.delta > 0 ? mayBring(t, lists, paid) : isMarked(t, lists))
}

/** The first and the last list of notifications that were compared. */
function comparedLists({ evidence }: RequirementResult): Compared | undefined {
  const lists = evidence.filter(({ operation }) => operation === 'listNotifications')
  const [first, last] = [lists[0], lists.at(-1)]
  return first && last && first !== last ? [first, last] : undefined
}

type Compared = readonly [first: Exchange, last: Exchange]

/** True if a request was sent between two lists. */
const isBetween = ({ number }: SentRequest, [first, last]: Compared): boolean =>
  number > first.number && number < last.number

/**
 * True if a notification may have come between two lists that were compared: a run may have ended, or something was
 * written in the same organization, which may bring one as well.
 */
function mayBring(t: TestContext, lists: Compared, paid: readonly SentRequest[]): boolean {
  const { recorder } = t
  const [first, last] = lists
  const isWritten = ({ operation, exchange }: SentRequest) =>
    routeOf(operation).method !== 'GET' &&
    (exchange === undefined || t.organizationOf(exchange) === t.organizationOf(last))
  if (recorder.sent.some((one) => isBetween(one, lists) && isWritten(one))) return true
  const isOver = (id: string | undefined) =>
    recorder.sent.some(
      (one) =>
        one.operation === 'getTask' &&
        one.number < first.number &&
        decodedPathId(one) === id &&
        valueAtPath(one.exchange?.json, 'finished') === true,
    )
  return paid.some(
    (one) => one.operation === 'runTask' && one.number < last.number && !isOver(decodedPathId(one)),
  )
}

/** True if the suite marked notifications of an organization between two of its lists whose counts were compared. */
function isMarked({ recorder }: TestContext, lists: Compared): boolean {
  const callers = [lists[1].caller, 'created key']
  return recorder.sent.some(
    (one) =>
      one.operation === 'readNotification' &&
      isBetween(one, lists) &&
      (one.exchange === undefined || callers.includes(one.exchange.caller)),
  )
}

/** True if a request certainly had no effect. */
const isRefused = ({ exchange }: SentRequest): boolean =>
  exchange !== undefined && exchange.status >= 400 && exchange.status < 500 && !isBusy(exchange)

/**
 * True if other requests asked for a run of a task whose state was compared: a run changes that state, but hides no
 * task.
 */
function isOfRunTask({ evidence }: RequirementResult, paid: readonly SentRequest[]): boolean {
  const read = evidence.filter(({ operation }) => operation === 'getTask')
  const [first, last] = [evidence[0], evidence.at(-1)]
  if (!first || !last || read.some(({ status }) => status >= 400)) return false
  const isFinished = valueAtPath(first.json, 'finished') === true
  const ids = new Set(read.map(decodedPathId))
  return paid.some((one) => {
    const mayGoOn = one.number > first.number || !isFinished || (one.exchange && isBusy(one.exchange))
    return mayGoOn && one.number < last.number && ids.has(decodedPathId(one))
  })
}

/** True if other paid requests lie between two balances, or balances follow late. */
function isCharged(
  t: TestContext,
  { balances, evidence: [first] }: RequirementResult,
  paid: readonly SentRequest[],
): boolean {
  const { recorder, run } = t
  if (run.lateness.balance_ms > 0 || run.lateness.tooLate_ms > 0) return true
  if (!balances || !first) return false
  const readings = recorder.sent.filter(
    ({ operation, exchange }) => operation === 'whoami' && exchange?.caller === balances.caller,
  )
  const shows = (credits: number) => (one: SentRequest) =>
    valueAtPath(one.exchange?.json, 'credits') === credits
  const begin = readings.findLast((one) => one.number < first.number && shows(balances.before)(one))
  const end = readings.find((one) => one.number > first.number && shows(balances.after)(one))
  if (!begin || !end) return false
  const another = balances.caller === 'main' ? 'other' : 'main'
  return paid.some(
    (one) =>
      one.number > begin.number &&
      one.number < end.number &&
      (one.exchange && t.organizationOf(one.exchange)) !== another,
  )
}

/**
 * True if an objection of the model rests on a provider state, or if the agent was made busy in the meantime, with
 * work that may cost a credit.
 */
export function mayRestOnProviderState(
  t: TestContext,
  { evidence }: Pick<ModelViolation, 'evidence'>,
): boolean {
  const sent = evidence.flatMap((number) => t.recorder.sentFor({ number }) ?? [])
  const [first, last] = [sent[0], sent.at(-1)]
  if (!first || !last || evidence.some((id) => id < 0)) return true
  const organization = last.exchange && t.organizationOf(last.exchange)
  return t.recorder.arranged.some(
    ({ tenant, state, action, sent: { seq } }) =>
      state === 'agent_busy' &&
      action === 'setup' &&
      (organization === undefined || tenant === organization) &&
      seq > first.sent.seq &&
      seq < (last.received?.seq ?? Number.POSITIVE_INFINITY),
  )
}

/**
 * The result if a check saw a violation while other checks ran, and passed when it was repeated alone: suspected,
 * unless the other checks or clients explain what it saw.
 */
export function resultIfPassedAlone(
  t: TestContext,
  seen: RequirementResult,
  exclusive: RequirementResult,
): RequirementResult {
  const isExplained = isTentative(t, seen) || isOwnWork(t, seen)
  if (isExplained) return resultWithReason(exclusive, noted)
  return resultWithoutProof(t, seen, {
    reason: 'the service met it when the check was repeated alone, with nothing at the same time',
  })
}

/**
 * The result if simultaneous requests showed a violation once, and not when they were sent again: suspected. If the
 * balance is known to show changes late, which explains a wrong balance, it is the result of the repetition instead.
 */
export function resultIfRaceNotRepeated(
  t: TestContext,
  seen: RequirementResult,
  exclusive: RequirementResult,
): RequirementResult {
  const isLate = seen.delta !== undefined && t.run.lateness.balance_ms > 0
  if (isLate) return resultWithReason(exclusive, lateBeside)
  return resultWithoutProof(t, seen, {
    reason:
      'requests that were sent at once violated it beside other checks; the service met it each time that they were sent at once again',
  })
}

const lateBeside =
  'the service met it when the check was repeated alone; the balance follows late, which explains what was seen beside other checks'

/** A result with its own reason, or this one where it has none. */
const resultWithReason = (result: RequirementResult, reason: string): RequirementResult => ({
  ...result,
  reason: result.reason ?? reason,
})

/**
 * The result of a violation that is not proven; it says so if other clients use the organizations and may have caused
 * it.
 */
export const resultWithoutProof = (
  t: TestContext,
  seen: RequirementResult,
  doubt: DoubtReason,
): RequirementResult =>
  resultOfSuspicion(seen, t.settings.shared || hasSeenOtherClients(t) ? { ...doubt, others: true } : doubt)

const noted =
  'the service met it when the check was repeated alone; the work of other checks explains what was seen beside them'

/**
 * True if the last request of an objection was sent with a key whose creation showed two strings that may be its
 * secret.
 */
export function isSentWithAmbiguousKey(
  { all, recorder }: TestContext,
  { evidence }: ModelViolation,
): boolean {
  const authorization = recorder.sentFor({ number: evidence.at(-1) ?? 0 })?.requestHeaders.authorization
  const isSent = (value: string) => bearerHeader(value).authorization === authorization
  return all
    .flatMap(({ secrets }) => secrets)
    .some(({ secret, others }) => others.length > 0 && [secret, ...others].some(isSent))
}
