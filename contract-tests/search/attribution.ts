/** Which requirement a contradiction of balances is about: what the history that shows it has paid for. */
import { routeOf } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import type { ModelEvent, ModelViolation, RequestEvent } from '../model/index.ts'

/** The rules whose objection says only that a balance is not explained. */
const aboutBalances = ['credits-explained-whoami', 'refund-comes']

/** The violation, under the requirement that its history shows to be violated. `events`: all of the history. */
export function attributed(violation: ModelViolation, events: readonly ModelEvent[]): ModelViolation {
  const last = events.findLast(({ id }) => id === violation.because.at(-1))
  if (!aboutBalances.includes(violation.rule) || last?.kind !== 'request') return violation
  const [requirement, anchor] = causeOf(violation, events, last) ?? []
  return requirement && anchor ? { ...violation, requirement, anchor } : violation
}

function causeOf(
  { rule, expected, actual }: ModelViolation,
  events: readonly ModelEvent[],
  last: RequestEvent,
) {
  const requests = events.filter((event) => event.kind === 'request')
  const before = requests.filter(({ id, operation }) => id !== last.id && operation !== 'whoami')
  const isOwn = ({ tenant }: ModelEvent) => tenant === last.tenant
  const paid = before.filter(({ operation }) => routeOf(operation).cost > 0)
  const own = paid.filter(isOwn)
  const isLess = Number(actual) < Number(/\d+(\.\d+)?/.exec(expected)?.[0])
  const failing = events.filter(
    (event) => event.kind === 'arranged' && event.state.endsWith('_fails') && isOwn(event),
  )
  if (own.length === 0) {
    if (paid.length > 0) return ['ISOLATION-CREDITS', 'organization-by-credential'] as const
    const cause = before.findLast(isOwn)
    return cause && isLess ? ([`FREE-${cause.operation}`, 'cost-none'] as const) : undefined
  }
  const isCreative = own.every(({ operation }) => operation === 'generateCreative')
  if (own.every(isRefused) && isLess)
    return isCreative
      ? (['CREATIVE-REFUSED-FREE', 'prices'] as const)
      : (['CREDITS-REFUSED-RUN', 'prices'] as const)
  if (isCreative) {
    const isRefund = rule === 'refund-comes' || failing.length > 0
    return isRefund
      ? (['CREATIVE-REFUND', 'creative-cost'] as const)
      : (['CREATIVE-COSTS-ONE', 'creative-cost'] as const)
  }
  return !isLess && failing.length > 0 && failing.length >= own.length
    ? (['CREDITS-REFUND-ONCE', 'run-refund'] as const)
    : undefined
}

/** Whether an answer says that nothing was accepted. */
const isRefused = ({ answer }: RequestEvent) =>
  answer !== null && answer.status >= 400 && answer.status < 500 && field(answer.json, 'error') !== 'busy'
