/** When the exchanges of some evidence took place: at once, one after the other, or after a wait. Pure. */
import type { Exchange } from '#traffic/exchange.ts'
import type { ModelEvent, RequestEvent } from '../model/event.ts'
import type { Order } from './exchange.ts'

/** Methods whose requests race each other. */
const changes = (one: Exchange) => one.method !== 'GET'

/** The order of evidence by the history of its run, in which an exchange has the number of its event. */
export function orderOf(evidence: readonly Exchange[], history: readonly ModelEvent[]): Order[] {
  if (evidence.length === 0) return []
  const wanted = new Map(evidence.map((one) => [one.number, one]))
  const events = new Map<number, RequestEvent>()
  let began = Number.POSITIVE_INFINITY
  for (const event of history) {
    if (event.kind !== 'request') continue
    began = Math.min(began, event.sent.ms)
    const shown = wanted.get(event.id)
    // The search numbers its requests anew.
    const isIt = shown?.operation === event.operation && shown.status === event.answer?.status
    if (isIt) events.set(event.id, event)
  }
  let group = 0
  /** When everything of the group so far was answered. */
  let open: { readonly number: number; readonly until: number } | undefined
  const groups = evidence.map((one) => {
    const event = events.get(one.number)
    if (!event || !changes(one)) return undefined
    const until = event.answer?.received.place ?? event.sent.place
    if (!open || event.sent.place > open.until) open = { number: ++group, until }
    else open = { ...open, until: Math.min(open.until, until) }
    return open.number
  })
  return evidence.map((one, i) => {
    const event = events.get(one.number)
    if (!event) return {}
    const isShared = groups.filter((number) => number === groups[i]).length > 1
    const before = evidence[i - 1]
    const refused = before && (before.status === 429 || before.status === 503) && events.get(before.number)
    const wait =
      refused && before.operation === one.operation && refused.answer
        ? Math.round(event.sent.ms - refused.answer.received.ms)
        : undefined
    return {
      sent_ms: Math.round(event.sent.ms - began),
      ...(groups[i] !== undefined && isShared ? { together: groups[i] } : {}),
      ...(wait !== undefined && wait >= 0 ? { after_wait_ms: wait } : {}),
    }
  })
}
