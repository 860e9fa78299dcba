/** Which requirement a balance violates that nothing explains: told by what was asked for since an earlier reading. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { codeOf } from '#traffic/exchange.ts'
import { type Answered, areApart, type ModelEvent, type RequestEvent } from './event.ts'
import type { State } from './state.ts'
import type { Cause, ModelViolation } from './violation.ts'

const isFree = (operation: OperationId) => routeOf(operation).cost === 0
const idOfFree = (operation: OperationId) => `FREE-${operation}`

/** The requirements that balances violate, each with its anchor, beside those of the rules that compare them. */
const anchors: ReadonlyMap<string, string> = new Map([
  ...operationIds.filter(isFree).map((one) => [idOfFree(one), 'cost-none'] as const),
  ['CREATIVE-COSTS-ONE', 'creative-cost'],
  ['CREATIVE-REFUND', 'creative-cost'],
  ['CREATIVE-REFUSED-FREE', 'prices'],
  ['CREDITS-REFUSED-RUN', 'prices'],
  ['CREDITS-REFUND-ONCE', 'run-refund'],
  ['ISOLATION-CREDITS', 'organization-by-credential'],
])

/** Whether some balance may violate a requirement. */
export const isOfBalances = (requirement: string): boolean => anchors.has(requirement)

/** The rules whose objection says only that a balance is not explained. */
export const aboutBalances: ReadonlySet<string> = new Set(['credits-explained-whoami', 'refund-comes'])

/** What may have changed a balance since a reading. */
interface Asked {
  readonly free: readonly OperationId[]
  readonly paid: readonly RequestEvent[]
  readonly isPaidElsewhere: boolean
  /** How often a state made paid work fail. */
  readonly failing: number
}

/** What the organization of the answer that shows the balance, and others, asked for. */
function askedIn(events: readonly ModelEvent[], { id, tenant }: RequestEvent): Asked {
  const requests = events.filter((one) => one.kind === 'request').filter((one) => one.id !== id)
  const paid = requests.filter(({ operation }) => !isFree(operation))
  return {
    free: requests.flatMap((one) => (one.tenant === tenant && isFree(one.operation) ? one.operation : [])),
    paid: paid.filter((one) => !areApart(one.tenant, tenant)),
    isPaidElsewhere: paid.some((one) => areApart(one.tenant, tenant)),
    failing: events.filter(
      (one) => one.kind === 'arranged' && one.state.endsWith('_fails') && one.tenant === tenant,
    ).length,
  }
}

/** The requirement; undefined: that of the rule. `isLess`: fewer credits are left than should be. */
function causeOf(
  { free, paid, isPaidElsewhere, failing }: Asked,
  isLess: boolean,
  isOfRefunds: boolean,
): Cause | undefined {
  const cause = (requirement: string) => ({ requirement, anchor: anchors.get(requirement) ?? '' })
  if (paid.length === 0) {
    if (isPaidElsewhere) return cause('ISOLATION-CREDITS')
    return isLess ? cause(idOfFree(free.findLast((one) => one !== 'whoami') ?? 'whoami')) : undefined
  }
  const isCreative = paid.every(({ operation }) => operation === 'generateCreative')
  if (isLess && paid.every(isRefused))
    return cause(isCreative ? 'CREATIVE-REFUSED-FREE' : 'CREDITS-REFUSED-RUN')
  if (isCreative) return cause(isOfRefunds || failing > 0 ? 'CREATIVE-REFUND' : 'CREATIVE-COSTS-ONE')
  return !isLess && failing > 0 && failing >= paid.length ? cause('CREDITS-REFUND-ONCE') : undefined
}

/** Whether an answer says that nothing was accepted. */
const isRefused = ({ answer }: RequestEvent) =>
  answer !== null && answer.status >= 400 && answer.status < 500 && codeOf(answer) !== 'busy'

/** The violation, under the requirement that its history shows to be violated. `events`: what suffices to show it. */
export function attributed(violation: ModelViolation, events: readonly ModelEvent[]): ModelViolation {
  const { because, rule, delta = 0 } = violation
  const last = events.findLast(({ id }) => id === because.at(-1))
  if (!aboutBalances.has(rule) || last?.kind !== 'request') return violation
  return { ...violation, ...causeOf(askedIn(events, last), delta < 0, rule === 'refund-comes') }
}

/** The same by all that came before it. */
export const named = (violation: ModelViolation): ModelViolation => ({ ...violation, ...violation.cause })

/** What was asked for since the earliest of the events that a bound rests on; undefined: not all are remembered. */
function askedSince({ recent }: State, event: Answered, by: readonly number[]): Asked | undefined {
  const places = by.map((id) => recent.findIndex((one) => one.id === id))
  return places.includes(-1) ? undefined : askedIn(recent.slice(Math.min(...places)), event)
}

/** The requirement that a balance violates; free operations that have left one unchanged are not suspected. */
export function causeAt(
  state: State,
  event: Answered,
  by: readonly number[],
  delta: number,
  isOfRefunds = false,
): Cause | undefined {
  const asked = askedSince(state, event, by)
  if (!asked) return undefined
  const isLess = delta < 0
  const isOpen = (one: OperationId) => one !== 'whoami' && !state.fitted.has(idOfFree(one))
  const suspects = isLess ? asked.free.filter(isOpen) : []
  if (suspects.length === 0) return causeOf(asked, isLess, isOfRefunds)
  // What was refused may be charged for as well.
  if (asked.paid.length > 0 && asked.paid.every(isRefused)) return undefined
  return causeOf({ ...asked, free: suspects, isPaidElsewhere: false }, isLess, isOfRefunds)
}

/** The requirements that a balance fits which could be no other. */
export function fitsAt(state: State, event: Answered, by: readonly number[]): readonly string[] {
  const asked = askedSince(state, event, by)
  if (!asked) return []
  const { free, paid, isPaidElsewhere } = asked
  const cause = paid.length > 0 || isPaidElsewhere ? causeOf(asked, true, false) : undefined
  return [...(paid.length > 0 ? [] : new Set(free.map(idOfFree))), ...(cause ? [cause.requirement] : [])]
}
