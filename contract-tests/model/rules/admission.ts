/** §4, §7: which answers a valid request may get, by its class and by the circumstances. */
import { type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { isFromGateway } from '../../client/recorder.ts'
import { type Answered, isSuccess } from '../event.ts'
import { brief, isBefore, sameAs, spanOf } from '../matching.ts'
import type { Organization } from '../state.ts'
import { type Finding, type Rule, rule } from '../violation.ts'
import { validityOf } from './validity.ts'

const ofPaid: Partial<Record<OperationId, string>> = {
  runTask: 'RUN-ACCEPTED',
  generateCreative: 'CREATIVE-ACCEPTED',
}

/** The id of the requirement that valid requests of an operation are accepted. */
export const acceptanceOf = (operation: OperationId): string => ofPaid[operation] ?? `ACCEPTS-${operation}`

/** Times in a row that the same request must be answered 503 for that to be no passing outage. */
const staysAfter = 3

/** Whether a state may have been in force for a request. `lag`: ms in which its teardown may still not show. */
function mayHold(state: string, { arranged }: Organization, event: Answered, lag = 0): boolean {
  const at = spanOf(event)
  return (arranged.get(state) ?? []).some(
    ({ from, to }) => from.place < at.to.place && !isBefore({ to }, at, lag),
  )
}

/** Whether an outage that was arranged may go on: a teardown without effect is the provider's fault, not the service's. */
function mayBeOut(org: Organization, event: Answered, lag: number): boolean {
  if (mayHold('unavailable', org, event, lag)) return true
  const at = spanOf(event)
  const spans = org.arranged.get('unavailable') ?? []
  return spans.some(({ from, to }) => from.place < at.to.place && to !== null && org.served < to.place)
}

/** Statuses that no valid request of a class is answered, with the circumstances that excuse it. */
const rows: readonly {
  readonly refuses: readonly number[] | ((status: number) => boolean)
  readonly when: (event: Answered, org: Organization) => boolean
}[] = [
  {
    // Whether a created key works is judged by the rules for keys.
    refuses: [401],
    when: ({ key }) => key === undefined,
  },
  {
    refuses: [402],
    when: ({ operation }) => routeOf(operation).cost === 0,
  },
  {
    refuses: [400, 422],
    when: (event, org) => validityOf(event, org) === 'accepted',
  },
  {
    refuses: [404],
    when: (event, org) =>
      routeOf(event.operation).set === 'core' &&
      event.resource === undefined &&
      validityOf(event, org) === 'accepted',
  },
  {
    refuses: (status) => status >= 500 && status !== 503,
    when: (event, org) =>
      event.operation !== 'generateCreative' || !mayHold('next_creative_fails', org, event),
  },
]

const admitted = (operation: OperationId): Rule =>
  rule({
    id: `admitted-${operation}`,
    requirement: acceptanceOf(operation),
    anchor: 'success-status',
    operations: [operation],
    once: true,
    judge(org, event, state): Finding {
      const { answer } = event
      const validity = validityOf(event, org)
      if (validity === undefined || isFromGateway(answer)) return undefined
      if (isSuccess(answer)) return true
      const isOutage =
        answer.status === 503 ? mayBeOut(org, event, state.lag) : mayHold('unavailable', org, event)
      if (answer.status >= 500 && isOutage) return undefined
      const expected = 'a success (any 2xx), since the request is valid'
      if (answer.status === 503) {
        const before = org.unavailable.get(sameAs(event)) ?? []
        if (before.length < staysAfter - 1) return undefined
        return { expected, actual: `${brief(answer)}, again and again`, because: before }
      }
      const isRefused = rows.some(({ refuses, when }) => {
        const isMeant = typeof refuses === 'function' ? refuses : (one: number) => refuses.includes(one)
        return isMeant(answer.status) && when(event, org)
      })
      return isRefused ? { expected, actual: brief(answer), because: [] } : undefined
    },
  })

export const admission: readonly Rule[] = [
  ...operationIds.map(admitted),
  rule({
    id: 'unavailable-unarranged',
    requirement: 'UNAVAILABLE-UNARRANGED',
    anchor: 'error-unavailable',
    // A generation may fail, and how that is answered is not published.
    operations: operationIds.filter((operation) => operation !== 'generateCreative'),
    once: true,
    judge(org, event, state) {
      const { answer } = event
      if (validityOf(event, org) === undefined || isFromGateway(answer)) return undefined
      if (answer.status !== 503) return true
      if (mayBeOut(org, event, state.lag)) return undefined
      return { expected: 'an answer: no outage was arranged', actual: brief(answer), because: [] }
    },
  }),
]
