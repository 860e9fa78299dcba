/** §7.1: what a client does when its credits are spent. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import * as journal from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext } from '../rule.ts'

/** True if an answer shows the client at least one credit to spend. */
function showsCredits(entry: JournalEntry): boolean {
  const { credits, remaining } = journal.answerJsonOf(entry)
  return [credits, remaining].some((balance) => typeof balance === 'number' && balance >= 1)
}

/** True if credits were added, or shown to the client, between a rejection and a later request. */
function restored(
  between: readonly JournalEntry[],
  from: number,
  to: number,
  { ledger }: RuleContext,
): boolean {
  const came = ledger.some(({ amount, at }) => amount > 0 && at >= from && at <= to)
  return came || between.some(showsCredits)
}

/** The rule `stops-at-402`: after a 402, a client requests no paid work until there are credits again. */
export const stopsWithoutCreditsRule: ClientRule = mustRule('stops-at-402', '§7.1', {
  statement: 'After a 402 a client requests no paid work until credits are added.',
  needs: 'a 402 no_credits (a client that reads its balance first meets one with --fault runTask=no_credits)',
  fix: 'On no_credits stop, and ask the person to top up; retry only when whoami, which is free, shows credits.',
  thresholds:
    'Credits have come if the ledger says so, or if an answer showed the client a balance of 1 or more.',
  judge(entries, context) {
    const refusals = entries.filter((entry) => journal.hasReceivedErrorCode(entry, 'no_credits'))
    return journal.situationsAfterRefusals(
      entries,
      refusals,
      context,
      journal.costsCredit,
      (refusal, next, later) => {
        const between = journal.entriesUntil(later, (entry) => entry === next)
        if (restored(between, refusal.at, next.at, context)) return undefined
        return `requested paid work again ${journal.formatMsAsSeconds(journal.longestPossibleGapMs(refusal, next))} after a 402 without new credits`
      },
    )
  },
})
