/** Whether the balance shows the credit of a run while it is in progress. */
import { type Exchange, isAccepted } from '#traffic/exchange.ts'
import type { TestContext } from '../harness/context.ts'
import { creditsIn, spentOf } from './credits.ts'

/** ms between looks: short, since a credit that is charged at the end of the run must be told from a late balance. */
const pause = 50

interface Reservation<Task> {
  /** Credits right after the request, or once they show the reserved one; then the task. */
  readonly during: number
  readonly early: Task
  /** The balance showed the reserved credit late, and only after the run had ended. */
  readonly overtaken: boolean
}

/** Reads the balance and the task of an accepted run; looks again while the balance may follow and the run goes on. */
export async function readReservation<Task extends { readonly finished: boolean }>(
  t: TestContext,
  before: number,
  answer: Exchange,
  readTask: () => Promise<Task>,
): Promise<Reservation<Task>> {
  const since = t.target.now()
  const look = async () => ({ balance: await t.call('whoami'), early: await readTask() })
  const first = await look()
  const isReserved = ({ balance }: { balance: Exchange }) => spentOf(before, creditsIn(balance)) !== 0
  const during = creditsIn(first.balance)
  if (isReserved(first) || first.early.finished || !isAccepted(answer))
    return { during, early: first.early, overtaken: false }
  let last = first
  while (!last.early.finished && t.target.now() < since + t.settings.consistency) {
    await t.target.sleep(pause)
    const next = await look()
    if (isReserved(next)) {
      const isAtEnd = next.early.finished
      const ms = t.target.now() - since
      const exchanges = [answer, last.balance, next.balance]
      if (!isAtEnd) t.run.lateness.record({ kind: 'balance', what: 'the balance', exchanges, ms })
      return { during: isAtEnd ? during : creditsIn(next.balance), early: first.early, overtaken: false }
    }
    last = next
  }
  if (!last.early.finished) return { during, early: first.early, overtaken: false }
  const atEnd = await t.call('whoami')
  return { during, early: first.early, overtaken: spentOf(before, creditsIn(atEnd)) === 0 }
}
