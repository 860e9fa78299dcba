/** What the traffic of a run shows about the service: its variant and its extended routes. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { type Exchange, isAbsent, isAccepted } from '#traffic/exchange.ts'
import { variantsSeen } from '../catalogue/response-shapes.ts'
import type { SuiteRun } from '../harness/outcome.ts'

export function detectVariant(exchanges: readonly Exchange[]): SuiteRun['variant'] {
  const { common, seen } = variantsSeen(exchanges)
  if (seen.length === 0) return 'unknown'
  return [...common][0] ?? 'mixed'
}

export function detectExtended(exchanges: readonly Exchange[]): SuiteRun['extended'] {
  const extended = operationIds.filter((id) => routeOf(id).set === 'extended')
  const offered = extended.filter((id) => exchanges.some((one) => one.operation === id && isAccepted(one)))
  const absent = extended.filter(
    (id) => !offered.includes(id) && exchanges.some((one) => one.operation === id && isAbsent(one)),
  )
  if (offered.length > 0) return absent.length > 0 ? 'partly' : 'offered'
  return absent.length > 0 ? 'absent' : 'unknown'
}
