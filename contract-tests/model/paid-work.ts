/** Updates from paid work: charges, completions, and the balance. */
import { errorCodeOf, idAsText, valueAtPath } from '#traffic/exchange.ts'
import { balanceAfterReading, balanceAfterSet } from './balance.ts'
import { type AnsweredRequest, isSuccess, type ProviderStateEvent, type RequestEvent } from './event.ts'
import { effectInterval, numberAt, tookEffect } from './matching.ts'
import { badInputStatuses } from './refusal.ts'
import type {
  ArrangedFailure,
  Charge,
  KnownOrganization,
  ModelState,
  OrderedMoment,
  PaidWorkCompletion,
} from './state.ts'

/** Learns the final status of a completed run, failed or ordinary. */
function learnFinalStatus(
  org: KnownOrganization,
  run: Charge,
  event: AnsweredRequest,
  status: string,
  { finalStatuses }: ModelState,
): void {
  const { charges, arrangedFailures } = org.balance
  const end = event.answer.received.seq
  const during = arrangedFailures.filter(
    ({ from, to }) => from.seq < end && (to === null || to.seq > run.from.seq),
  )
  if (during.length === 0) finalStatuses.ordinary.add(`${event.tenant} ${status}`)
  const [only, ...more] = during
  if (!only || more.length > 0 || only.to !== null || only.from.seq > run.from.seq) return
  const isAlone = charges.every(
    (one) =>
      one.eventId === run.eventId ||
      one.taskId === undefined ||
      one.from.seq > end ||
      (one.completion !== null && one.completion.completedAt.seq < only.from.seq),
  )
  if (isAlone) finalStatuses.failed.add(`${event.tenant} ${status}`)
}

/** Records that paid work was requested, which may be charged from then on. */
export function learnPaidWorkRequest(org: KnownOrganization, { id, resource, sent }: RequestEvent): void {
  const one = { eventId: id, from: sent, to: null, taskId: resource, completion: null }
  org.balance = { ...org.balance, charges: [...org.balance.charges, one] }
}

/** Records whether paid work was accepted, by its answer. */
export function learnPaidWorkOutcome(org: KnownOrganization, event: AnsweredRequest): void {
  updateCharge(org, event, null)
}

/**
 * Records the outcome of a generation: a success costs its credit; a refusal, an outage or a failure that a provider
 * state made returns it; after other errors it is unknown.
 */
export function learnGenerationOutcome(org: KnownOrganization, event: AnsweredRequest): void {
  const { id: eventId, answer } = event
  const completion = { eventId, completedAt: answer.received }
  const end = (outcome: PaidWorkCompletion['outcome']) =>
    mapCharges(org, (one) =>
      one.eventId === eventId
        ? { ...one, ...effectInterval(event), completion: { ...completion, outcome } }
        : one,
    )
  if (isSuccess(answer)) updateCharge(org, event, { ...completion, outcome: 'kept' })
  else if (badInputStatuses.includes(answer.status)) end('refused')
  else if (answer.status < 500) updateCharge(org, event, null)
  else if (tookEffect(answer) === false || mayBeMadeToFail(org, event)) end('failed')
  else if (errorCodeOf(answer) !== undefined) end(undefined)
  const id = idAsText(valueAtPath(answer.json, 'artifactId'))
  if (isSuccess(answer) && id !== undefined)
    org.issuedIds.set(`creative ${id}`, { ...effectInterval(event), of: undefined })
}

/** True if a provider state may have made a generation fail. */
export const mayBeMadeToFail = ({ arrangedStates }: KnownOrganization, { sent }: AnsweredRequest) =>
  (arrangedStates.get('next_creative_fails') ?? []).some(
    ({ from, to }) => from.seq < sent.seq && (to === null || to.seq > sent.seq),
  )

function updateCharge(
  org: KnownOrganization,
  event: AnsweredRequest,
  completion: PaidWorkCompletion | null,
): void {
  const effect = tookEffect(event.answer)
  mapCharges(org, (one) => {
    if (one.eventId !== event.id || effect === undefined) return one
    return effect ? { ...one, ...effectInterval(event), completion } : []
  })
}

function mapCharges(org: KnownOrganization, to: (one: Charge) => Charge | readonly Charge[]): void {
  org.balance = { ...org.balance, charges: org.balance.charges.flatMap(to) }
}

/** Records that the runs of a task are complete, with the final status of the last one. */
export function learnRunCompletion(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const { id: eventId, sent, answer, resource } = event
  const own = org.balance.charges.filter(({ taskId }) => taskId === resource)
  if (own.some(({ from, to }) => from.seq < answer.received.seq && (to === null || to.seq > sent.seq))) return
  const status = String(valueAtPath(answer.json, 'task', 'status'))
  const last = own.at(-1)
  mapCharges(org, (one) => {
    if (one.taskId !== resource || one.completion) return one
    return {
      ...one,
      completion: { eventId, completedAt: answer.received, ...(one === last ? { status } : {}) },
    }
  })
  if (!last || last.completion) return
  learnFinalStatus(org, last, event, status, state)
  endArrangedFailures(org, ({ setUpAt }) => setUpAt.seq < last.from.seq, answer.received)
}

/** Ends arranged failures: by teardown, or because a later run has completed. */
function endArrangedFailures(
  org: KnownOrganization,
  isOver: (one: ArrangedFailure) => boolean,
  to: OrderedMoment,
): void {
  const arrangedFailures = org.balance.arrangedFailures.map((one) =>
    one.to === null && isOver(one) ? { ...one, to } : one,
  )
  org.balance = { ...org.balance, arrangedFailures }
}

/** Updates the balance of the model by an answer of whoami; balances in other answers are only compared with it. */
export function learnBalance(org: KnownOrganization, event: AnsweredRequest, state: ModelState): void {
  const credits = numberAt(event.answer.json, 'credits')
  if (isSuccess(event.answer) && credits !== undefined)
    org.balance = balanceAfterReading(org.balance, event, effectInterval(event), credits, state)
}

/** Applies a provider state to the model of its organization, if it sets the balance or makes the next run fail. */
export function applyProviderState(org: KnownOrganization, event: ProviderStateEvent): void {
  const { id: eventId, state, action, params, sent: from, received: to } = event
  if (state === 'credits')
    org.balance = balanceAfterSet(
      org.balance,
      { eventId, from, to },
      action === 'setup' ? numberAt(params, 'credits') : undefined,
    )
  if (state !== 'next_run_fails') return
  endArrangedFailures(org, () => true, to)
  const failing = org.balance.arrangedFailures.slice(-20)
  if (action === 'setup')
    org.balance = { ...org.balance, arrangedFailures: [...failing, { eventId, from, setUpAt: to, to: null }] }
}
