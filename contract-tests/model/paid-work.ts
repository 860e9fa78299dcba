/** What answers and states teach of paid work: what it takes, how it ends, and the balance. */
import { codeOf, field, idOf } from '#traffic/exchange.ts'
import { read, setTo } from './balance.ts'
import { type Answered, type ArrangedEvent, isSuccess, type RequestEvent } from './event.ts'
import { hadEffect, intervalOf, numberAt } from './matching.ts'
import type { Failing, Moment, Organization, Over, Paid, State } from './state.ts'

/** Learns from a run that was seen to be over, with the final status of its task. */
function learnFinalStatus(
  org: Organization,
  run: Paid,
  event: Answered,
  status: string,
  { finalStatuses }: State,
): void {
  const { paid, failing } = org.balance
  const end = event.answer.received.place
  const during = failing.filter(
    ({ from, to }) => from.place < end && (to === null || to.place > run.from.place),
  )
  if (during.length === 0) finalStatuses.ordinary.add(`${event.tenant} ${status}`)
  const [only, ...more] = during
  if (!only || more.length > 0 || only.to !== null || only.from.place > run.from.place) return
  const isAlone = paid.every(
    (one) =>
      one.by === run.by ||
      one.of === undefined ||
      one.from.place > end ||
      (one.over !== null && one.over.at.place < only.from.place),
  )
  if (isAlone) finalStatuses.failed.add(`${event.tenant} ${status}`)
}

/** Paid work may take its credit from the moment it is asked for. */
export function expectPaid(org: Organization, { id, resource, sent }: RequestEvent): void {
  const one = { by: id, from: sent, to: null, of: resource, over: null }
  org.balance = { ...org.balance, paid: [...org.balance.paid, one] }
}

/** An answer tells whether it has. */
export function learnPaid(org: Organization, event: Answered): void {
  settle(org, event, null)
}

/** Refusals that a creative may come to once its credit was taken: of its prompt, for example. */
const refusing: readonly number[] = [400, 409, 422]

/**
 * A creative that is there was no failure; one that is refused or unavailable, or that was made to fail, gets its credit
 * back. Of any other error that the service itself reports nobody knows.
 */
export function learnCreative(org: Organization, event: Answered): void {
  const { id: by, answer } = event
  const over = { by, at: answer.received }
  const end = (ending: Over['ending']) =>
    changePaid(org, (one) =>
      one.by === by ? { ...one, ...intervalOf(event), over: { ...over, ending } } : one,
    )
  if (isSuccess(answer)) settle(org, event, { ...over, ending: 'kept' })
  else if (refusing.includes(answer.status)) end('refused')
  else if (answer.status < 500) settle(org, event, null)
  else if (hadEffect(answer) === false || wasMadeToFail(org, event)) end('failed')
  else if (codeOf(answer) !== undefined) end(undefined)
  const id = idOf(field(answer.json, 'artifactId'))
  if (isSuccess(answer) && id !== undefined)
    org.issuedIds.set(`creative ${id}`, { ...intervalOf(event), of: undefined })
}

/** Whether a state that makes the next creative fail was there, and not torn down, when it was asked for. */
export const wasMadeToFail = ({ arranged }: Organization, { sent }: Answered) =>
  (arranged.get('next_creative_fails') ?? []).some(
    ({ from, to }) => from.place < sent.place && (to === null || to.place > sent.place),
  )

function settle(org: Organization, event: Answered, over: Over | null): void {
  const effect = hadEffect(event.answer)
  changePaid(org, (one) => {
    if (one.by !== event.id || effect === undefined) return one
    return effect ? { ...one, ...intervalOf(event), over } : []
  })
}

function changePaid(org: Organization, to: (one: Paid) => Paid | readonly Paid[]): void {
  org.balance = { ...org.balance, paid: org.balance.paid.flatMap(to) }
}

/** Notes that the runs of a task are over, and how the last one ended. */
export function learnOver(org: Organization, event: Answered, state: State): void {
  const { id: by, sent, answer, resource } = event
  const own = org.balance.paid.filter(({ of }) => of === resource)
  if (
    own.some(({ from, to }) => from.place < answer.received.place && (to === null || to.place > sent.place))
  )
    return
  const status = String(field(answer.json, 'task', 'status'))
  const last = own.at(-1)
  changePaid(org, (one) => {
    if (one.of !== resource || one.over) return one
    return { ...one, over: { by, at: answer.received, ...(one === last ? { status } : {}) } }
  })
  if (!last || last.over) return
  learnFinalStatus(org, last, event, status, state)
  endFailing(org, ({ set }) => set.place < last.from.place, answer.received)
}

/** No later run is made to fail by a state: it was torn down, or a run that began after it is over. */
function endFailing(org: Organization, isOver: (one: Failing) => boolean, to: Moment): void {
  const failing = org.balance.failing.map((one) => (one.to === null && isOver(one) ? { ...one, to } : one))
  org.balance = { ...org.balance, failing }
}

/** Only `whoami` defines the balance; what other answers say of it is compared with that. */
export function learnCredits(org: Organization, event: Answered, state: State): void {
  const credits = numberAt(event.answer.json, 'credits')
  if (isSuccess(event.answer) && credits !== undefined)
    org.balance = read(org.balance, event, intervalOf(event), credits, state)
}

/** A state that sets the balance, or that makes the next run fail. */
export function learnArranged(org: Organization, event: ArrangedEvent): void {
  const { id: by, state, action, params, sent: from, received: to } = event
  if (state === 'credits')
    org.balance = setTo(
      org.balance,
      { by, from, to },
      action === 'setup' ? numberAt(params, 'credits') : undefined,
    )
  if (state !== 'next_run_fails') return
  endFailing(org, () => true, to)
  const failing = org.balance.failing.slice(-20)
  if (action === 'setup')
    org.balance = { ...org.balance, failing: [...failing, { by, from, set: to, to: null }] }
}
