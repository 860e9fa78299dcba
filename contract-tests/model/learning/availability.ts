/** What is learned of outages: those that were arranged, and requests that are refused with 503 again and again. */
import { routeOf } from '#contract/operation.ts'
import { type Answered, type ArrangedEvent, isSuccess } from '../event.ts'
import { sameAs } from '../matching.ts'
import type { Organization } from '../state.ts'

/** Most spans of a state that are remembered. */
const mostSpans = 20

/** A state may have its effect from the moment it is asked for. */
export function expectArranged(
  org: Organization,
  { id: by, state, action, sent: from }: ArrangedEvent,
): void {
  const known = org.arranged.get(state) ?? []
  if (action === 'setup' && !known.some((one) => one.by === by))
    org.arranged.set(state, [...known, { by, from, to: null }].slice(-mostSpans))
}

/** A teardown ends it. */
export function learnTornDown(org: Organization, { state, action, received: to }: ArrangedEvent): void {
  if (action === 'teardown')
    org.arranged.set(
      state,
      (org.arranged.get(state) ?? []).map((one) => (one.to === null ? { ...one, to } : one)),
    )
}

/** Counts the refusals of the same request since another answer to it. */
export function learnAvailability(org: Organization, event: Answered): void {
  const same = sameAs(event)
  if (event.answer.status === 503)
    org.unavailable.set(same, [...(org.unavailable.get(same) ?? []).slice(-1), event.id])
  else {
    org.unavailable.delete(same)
    if (routeOf(event.operation).auth === 'key' && isSuccess(event.answer)) org.served = event.sent.place
  }
}
