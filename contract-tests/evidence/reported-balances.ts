/** Balances that responses other than those of whoami report, compared with what whoami reported around them. */
import type { OperationId } from '#contract/operation.ts'
import { field, isAccepted } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { spentOf } from './credits.ts'

/**
 * Whether the responses of an operation have followed the balance so far: each one between two equal reports of
 * whoami has reported the same, and together they have reported more than one balance.
 */
export function hasFollowedBalance({ main, recorder }: TestContext, operation: OperationId): boolean {
  const reports = recorder.sent.flatMap(({ sent, received, exchange }) => {
    if (!received || exchange?.caller !== main.caller || !isAccepted(exchange)) return []
    const credits = field(exchange.json, 'credits')
    return typeof credits === 'number' ? [{ operation: exchange.operation, sent, received, credits }] : []
  })
  const balances = reports.filter((one) => one.operation === 'whoami')
  const seen = new Set<number>()
  for (const { sent, received, credits } of reports.filter((one) => one.operation === operation)) {
    const before = balances.findLast((one) => one.received.place < sent.place)
    const after = balances.find((one) => one.sent.place > received.place)
    if (!before || !after || before.credits !== after.credits) continue
    if (spentOf(credits, before.credits) !== 0) return false
    seen.add(credits)
  }
  return seen.size > 1
}
