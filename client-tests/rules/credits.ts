/** §7.1, §3.2, §8.2: how a client handles requests that cost credits. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import * as journal from '../entries.ts'
import { type Context, must, type Rule, type Situation, should } from '../rule.ts'

/** Whether an answer shows the client at least one credit to spend. */
function showsCredits(entry: JournalEntry): boolean {
  const { credits, remaining } = journal.answerOf(entry)
  return [credits, remaining].some((balance) => typeof balance === 'number' && balance >= 1)
}

/** Whether credits were added, or shown to the client, between a rejection and a later request. */
function restored(between: readonly JournalEntry[], from: number, to: number, { ledger }: Context): boolean {
  const came = ledger.some(({ amount, at }) => amount > 0 && at >= from && at <= to)
  return came || between.some(showsCredits)
}

export const noCredits: Rule = must('stops-at-402', '§7.1', {
  statement: 'After a 402 a client requests no paid work until credits are added.',
  needs: 'a 402 no_credits (a client that reads its balance first meets one with --fault runTask=no_credits)',
  fix: 'On no_credits stop, and ask the person to top up; retry only when whoami, which is free, shows credits.',
  thresholds:
    'Credits have come if the ledger says so, or if an answer showed the client a balance of 1 or more.',
  judge(entries, context) {
    const refusals = entries.filter((entry) => journal.reportsError(entry, 'no_credits'))
    return journal.afterEach(entries, refusals, context, journal.isPaid, (refusal, next, later) => {
      const between = journal.until(later, (entry) => entry === next)
      if (restored(between, refusal.at, next.at, context)) return undefined
      return `requested paid work again ${journal.seconds(journal.gap(refusal, next))} after a 402 without new credits`
    })
  },
})

/** Free requests that show whether a paid one took effect. */
const looks = new Set(['whoami', 'listTasks', 'getBilling', 'getTask'])

function looksInto(entry: JournalEntry, paid: JournalEntry): boolean {
  if (!journal.isAnswered(entry) || !looks.has(entry.operation ?? '')) return false
  return entry.operation !== 'getTask' || journal.taskOf(entry) === journal.taskOf(paid)
}

export const lostAnswer: Rule = should('no-blind-repeat', '§3.2, §8.2', {
  statement:
    'When the answer to a paid request is lost, a client checks whether the request took effect before it repeats it.',
  needs: 'a paid request whose answer was lost, and a request after it',
  fix: 'After a paid request without an answer, GET the task (or whoami, for the credits) first, and repeat it only if nothing was started.',
  judge: (entries, { ledger }) =>
    entries
      .filter((entry) => journal.isPaid(entry) && !journal.isAnswered(entry))
      .flatMap((lost): Situation[] => {
        const next = journal
          .after(entries, lost)
          .find((entry) => looksInto(entry, lost) || journal.isSame(entry, lost))
        if (!next) return []
        if (!journal.isSame(next, lost)) return [{ evidence: [lost, next] }]
        const reserved = [lost, next].every(({ id }) =>
          ledger.some(({ kind, request_id }) => kind === 'reserve' && request_id === id),
        )
        const price = reserved ? ', and paid twice' : ''
        const violation = `repeated a paid request without checking whether it took effect${price}`
        return [{ evidence: [lost, next], violation }]
      }),
})
