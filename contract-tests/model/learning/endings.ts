/** Which final statuses failed runs have: learned from runs that a provider state made fail. */
import type { Answered } from '../event.ts'
import type { Organization, Paid, State } from '../state.ts'

/** Learns from a run that was seen to be over, with the final status of its task. */
export function learnEnding(
  org: Organization,
  run: Paid,
  event: Answered,
  status: string,
  { endings }: State,
): void {
  const { paid, failing } = org.balance
  const end = event.answer.received.place
  const during = failing.filter(
    ({ from, to }) => from.place < end && (to === null || to.place > run.from.place),
  )
  if (during.length === 0) endings.ordinary.add(`${event.tenant} ${status}`)
  const [only, ...more] = during
  if (!only || more.length > 0 || only.from.place > run.from.place) return
  const isAlone = paid.every(
    (one) =>
      one.by === run.by ||
      one.of === undefined ||
      one.from.place > end ||
      (one.over !== null && one.over.at.place < only.from.place),
  )
  if (isAlone) endings.failed.add(`${event.tenant} ${status}`)
}
