/** What a client did after it received an answer. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isSame } from './entries.ts'
import type { Context, Situation } from './rule.ts'

interface FollowUp {
  /** The first request that was sent after the answer had arrived. */
  readonly next: JournalEntry | undefined
  /** The same request came before that, perhaps sent before the answer arrived. */
  readonly isDoubtful: boolean
}

/** What followed an answer, among the requests that fit. */
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

/** The situations that are certain. An undefined one is doubtful; beside a doubtful one only violations are certain. */
export function withoutDoubt(situations: readonly (Situation | undefined)[]): Situation[] {
  const sure = situations.filter((one) => one !== undefined)
  return sure.length === situations.length ? sure : sure.filter(({ violation }) => violation !== undefined)
}
