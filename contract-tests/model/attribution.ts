/** Attributes an unexplained balance to a requirement, by the requests since an earlier reading. */

import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { errorCodeOf } from '#traffic/exchange.ts'
import {
  type AnsweredRequest,
  areDistinctTenants,
  type ModelEvent,
  makesPaidWorkFail,
  type RequestEvent,
} from './event.ts'
import type { RequirementId } from './requirement-id.ts'
import type { ModelState } from './state.ts'
import type { ModelViolation, RequirementWithAnchor } from './violation.ts'

const isFree = (operation: OperationId) => routeOf(operation).cost === 0
const freeRequirementId = (operation: OperationId) => `FREE-${operation}` as RequirementId

/** Requirements that no rule carries, since only a wrong balance shows their violation, each with its anchor. */
const anchors: ReadonlyMap<RequirementId, string> = new Map([
  ...operationIds.filter(isFree).map((one) => [freeRequirementId(one), 'cost-none'] as const),
  ['CREATIVE-COSTS-ONE', 'creative-cost'],
  ['CREATIVE-REFUND', 'creative-cost'],
  ['CREATIVE-REFUSED-FREE', 'prices'],
  ['CREDITS-REFUSED-RUN', 'prices'],
  ['CREDITS-REFUND-ONCE', 'run-refund'],
  ['ISOLATION-CREDITS', 'organization-by-credential'],
])

/** True for requirements whose violation can show in nothing but a balance. */
export const isBalanceRequirement = (requirement: string): boolean =>
  (anchors as ReadonlyMap<string, string>).has(requirement)

/** Ids of the rules of the model whose only objection is that a balance is not explained. */
export const balanceRuleIds: ReadonlySet<string> = new Set(['credits-explained-whoami', 'refund-comes'])

/** Requests since a reading that may have changed the balance. */
interface RequestsSinceReading {
  readonly free: readonly OperationId[]
  readonly paid: readonly RequestEvent[]
  readonly isPaidElsewhere: boolean
  /** Number of arranged failures. */
  readonly failing: number
}

/** The requests among events as the organization of an answer sees them: its own, and those of others. */
function requestsIn(events: readonly ModelEvent[], { id, tenant }: RequestEvent): RequestsSinceReading {
  const requests = events.filter((one) => one.kind === 'request').filter((one) => one.id !== id)
  const paid = requests.filter(({ operation }) => !isFree(operation))
  return {
    free: requests.flatMap((one) => (one.tenant === tenant && isFree(one.operation) ? one.operation : [])),
    paid: paid.filter((one) => !areDistinctTenants(one.tenant, tenant)),
    isPaidElsewhere: paid.some((one) => areDistinctTenants(one.tenant, tenant)),
    failing: events.filter(
      (one) => one.kind === 'arranged' && makesPaidWorkFail(one.state) && one.tenant === tenant,
    ).length,
  }
}

/** The violated requirement; undefined: the rule's own. `isLess`: too few credits are left. */
function causeOf(
  { free, paid, isPaidElsewhere, failing }: RequestsSinceReading,
  isLess: boolean,
  isOfRefunds: boolean,
): RequirementWithAnchor | undefined {
  const cause = (requirement: RequirementId) => ({ requirement, anchor: anchors.get(requirement) ?? '' })
  if (paid.length === 0) {
    if (isPaidElsewhere) return cause('ISOLATION-CREDITS')
    return isLess ? cause(freeRequirementId(free.findLast((one) => one !== 'whoami') ?? 'whoami')) : undefined
  }
  const isCreative = paid.every(({ operation }) => operation === 'generateCreative')
  if (isLess && paid.every(isRefused))
    return cause(isCreative ? 'CREATIVE-REFUSED-FREE' : 'CREDITS-REFUSED-RUN')
  if (isCreative) return cause(isOfRefunds || failing > 0 ? 'CREATIVE-REFUND' : 'CREATIVE-COSTS-ONE')
  return !isLess && failing > 0 && failing >= paid.length ? cause('CREDITS-REFUND-ONCE') : undefined
}

/** True if a request was answered with a 4xx other than `busy`. */
const isRefused = ({ answer }: RequestEvent) =>
  answer !== null && answer.status >= 400 && answer.status < 500 && errorCodeOf(answer) !== 'busy'

/**
 * A violation of a balance rule, moved to the requirement that its evidence points to, so that a report names what went
 * wrong; violations of other rules stay unchanged.
 */
export function attributeBalanceViolation(
  violation: ModelViolation,
  events: readonly ModelEvent[],
): ModelViolation {
  const { evidence, rule, delta = 0 } = violation
  const last = events.findLast(({ id }) => id === evidence.at(-1))
  if (!balanceRuleIds.has(rule) || last?.kind !== 'request') return violation
  return { ...violation, ...causeOf(requestsIn(events, last), delta < 0, rule === 'refund-comes') }
}

/** A violation, moved to the more exact requirement that its rule named as the cause; unchanged if it named none. */
export const withKnownCause = (violation: ModelViolation): ModelViolation => ({
  ...violation,
  ...violation.cause,
})

/** Requests since the earliest event behind a bound; undefined if forgotten. */
function requestsSince(
  { recentEvents }: ModelState,
  event: AnsweredRequest,
  eventIds: readonly number[],
): RequestsSinceReading | undefined {
  const positions = eventIds.map((id) => recentEvents.findIndex((one) => one.id === id))
  return positions.includes(-1) ? undefined : requestsIn(recentEvents.slice(Math.min(...positions)), event)
}

/**
 * The requirement that a wrong balance violates, inferred from the requests since the last known balance; undefined:
 * unknown. Free operations that left a balance unchanged before are not suspected.
 */
export function requirementViolatedByBalance(
  state: ModelState,
  event: AnsweredRequest,
  eventIds: readonly number[],
  delta: number,
  isOfRefunds = false,
): RequirementWithAnchor | undefined {
  const asked = requestsSince(state, event, eventIds)
  if (!asked) return undefined
  const isLess = delta < 0
  const isOpen = (one: OperationId) =>
    one !== 'whoami' && !state.confirmedRequirements.has(freeRequirementId(one))
  const suspects = isLess ? asked.free.filter(isOpen) : []
  if (suspects.length === 0) return causeOf(asked, isLess, isOfRefunds)
  // Refused work may have been charged as well.
  if (asked.paid.length > 0 && asked.paid.every(isRefused)) return undefined
  return causeOf({ ...asked, free: suspects, isPaidElsewhere: false }, isLess, isOfRefunds)
}

/**
 * The requirements that a correct balance confirms, since the requests since the last known balance allow one
 * explanation only.
 */
export function requirementsConfirmedByBalance(
  state: ModelState,
  event: AnsweredRequest,
  eventIds: readonly number[],
): readonly RequirementId[] {
  const asked = requestsSince(state, event, eventIds)
  if (!asked) return []
  const { free, paid, isPaidElsewhere } = asked
  const cause = paid.length > 0 || isPaidElsewhere ? causeOf(asked, true, false) : undefined
  return [
    ...(paid.length > 0 ? [] : new Set(free.map(freeRequirementId))),
    ...(cause ? [cause.requirement] : []),
  ]
}
