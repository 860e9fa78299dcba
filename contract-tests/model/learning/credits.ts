/** What answers teach about balances and paid work. */
import { field, idOf } from '#traffic/exchange.ts'
import { read, setTo } from '../balance.ts'
import { type Answered, type ArrangedEvent, isSuccess, type RequestEvent } from '../event.ts'
import { hadEffect, numberAt, spanOf } from '../matching.ts'
import type { Organization, State } from '../state.ts'

/** Paid work may take its credit from the moment it is asked for. */
export function expectPaid(org: Organization, { id, resource, sent }: RequestEvent): void {
  const one = { by: id, from: sent, to: null, of: resource, over: null, waits: false, refundable: true }
  org.balance = { ...org.balance, paid: [...org.balance.paid, one] }
}

/** An answer tells whether it has; a creative that is there was no failure. */
export function learnPaid(org: Organization, event: Answered): void {
  const effect = hadEffect(event.answer)
  const refundable = event.operation === 'runTask'
  const paid = org.balance.paid.flatMap((one) => {
    if (one.by !== event.id || effect === undefined) return one
    const waits = event.answer.status === 409
    return effect ? { ...one, ...spanOf(event), waits, refundable } : []
  })
  org.balance = { ...org.balance, paid }
}

/** A generation that fails may have taken its credit for a while. */
export function learnCreative(org: Organization, event: Answered): void {
  if (event.answer.status < 500) learnPaid(org, event)
  const id = idOf(field(event.answer.json, 'artifactId'))
  if (isSuccess(event.answer) && id !== undefined)
    org.minted.set(`creative ${id}`, { by: event.id, of: undefined })
}

/** Notes that the runs of a task are over. */
export function learnOver(org: Organization, event: Answered): void {
  const { sent, received } = { sent: event.sent, received: event.answer.received }
  const paid = org.balance.paid.map((one) =>
    one.of === event.resource && one.over === null && one.to !== null && one.to.place < sent.place
      ? { ...one, over: received }
      : one,
  )
  org.balance = { ...org.balance, paid }
}

export function learnCredits(org: Organization, event: Answered, { lag, patience }: State): void {
  const credits = numberAt(event.answer.json, 'credits')
  if (isSuccess(event.answer) && credits !== undefined)
    org.balance = read(org.balance, spanOf(event), credits, patience, lag)
}

/** A state that sets the balance. */
export function learnArrangedCredits(org: Organization, event: ArrangedEvent): void {
  const credits = event.action === 'setup' ? numberAt(event.params, 'credits') : undefined
  org.balance = setTo(org.balance, { by: event.id, from: event.sent, to: event.received }, credits)
}
