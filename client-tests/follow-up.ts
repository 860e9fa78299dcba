/** What a client did after an answer, as far as it can have known it. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isSame } from './entries.ts'
import type { Context, Situation } from './rule.ts'

export interface FollowUp {
  /** The first request that was sent with the answer in hand. */
  readonly next: JournalEntry | undefined
  /** The same request came before that, too soon to tell whether it was on its way already. */
  readonly isDoubtful: boolean
}

/** What came after an answer, among the requests that fit. */
export function followUpOf(
  answer: JournalEntry,
  later: readonly JournalEntry[],
  { knew }: Context,
  fits: (entry: JournalEntry) => boolean,
): FollowUp {
  for (const [i, entry] of later.entries()) {
    if (!fits(entry) || !knew(entry, answer)) continue
    return { next: entry, isDoubtful: later.slice(0, i).some((one) => fits(one) && isSame(one, answer)) }
  }
  return { next: undefined, isDoubtful: later.some((one) => fits(one) && isSame(one, answer)) }
}

/** What can be said of situations, of which undefined ones are doubtful: beside those, only a violation is sure. */
export function withoutDoubt(situations: readonly (Situation | undefined)[]): Situation[] {
  const sure = situations.filter((one) => one !== undefined)
  return sure.length === situations.length ? sure : sure.filter(({ violation }) => violation !== undefined)
}
