/** §3.2, §8.2: paid requests that a client sends again, and what it pays for them. */
import { countWithNoun } from '#reporting/markup.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { decodePercent } from '#traffic/malformed-input.ts'
import * as journal from '../entries.ts'
import { repeatedRequestText } from '../repeat.ts'
import { type ClientRule, mustRule, type RuleContext, type RuleSituation, shouldRule } from '../rule.ts'

type Entries = readonly JournalEntry[]

/** Free requests that show whether a paid one took effect. */
const looks = new Set(['whoami', 'listTasks', 'getBilling', 'getTask'])

function looksInto(entry: JournalEntry, paid: JournalEntry): boolean {
  if (!journal.hasReadableAnswer(entry) || !looks.has(entry.operation ?? '')) return false
  return entry.operation !== 'getTask' || journal.taskIdOf(entry) === journal.taskIdOf(paid)
}

/** Lists that show a client how its tasks are. */
const lists = new Set(['listTasks', 'listNotifications'])

/** True if a request may tell a client how a run goes: one about its task, or a list. A balance tells what it cost. */
export const tellsOfRun = (entry: JournalEntry, run: JournalEntry): boolean =>
  lists.has(entry.operation ?? '') || journal.taskIdOf(entry) === journal.taskIdOf(run)

/** Each run that was requested twice at once, or again and again while it went on. */
const repeatedRuns = (entries: Entries, context: RuleContext): RuleSituation[] =>
  journal.acceptedUnfinishedRuns(entries).flatMap(({ run, later }): RuleSituation[] => {
    const open = journal.entriesUntil(later, journal.showsFinishedTask)
    const [again, third] = open.filter((entry) => journal.isSameRequest(entry, run))
    if (again && journal.isSentWithoutWaiting(run, again, context))
      return [{ evidence: [run, again], violation: 'requested the same run twice at once' }]
    const isRefused = again !== undefined && showsRunUnderWay(again)
    // A run that waits for the agent is judged by waits-when-busy.
    if (!isRefused || !third || journal.hasReceivedErrorCode(run, 'busy')) return []
    return [{ evidence: [run, again, third], violation: 'requested a run again and again that goes on' }]
  })

/** True if an answer shows that the run of its task goes on. */
const showsRunUnderWay = (entry: JournalEntry): boolean =>
  entry.operation === 'runTask'
    ? entry.status === 409 && journal.hasReceivedErrorCode(entry, 'invalid_request')
    : entry.operation === 'getTask' && journal.isSuccess(entry) && !journal.showsFinishedTask(entry)

/**
 * The rule `no-blind-repeat`: before a client repeats a paid request whose answer was lost, it checks whether the
 * request took effect.
 */
export const looksBeforeRepeatingRule: ClientRule = shouldRule('no-blind-repeat', '§3.2, §8.2', {
  statement:
    'When the answer to a paid request is lost, a client checks whether the request took effect before it repeats it.',
  needs: 'a paid request whose answer was lost, and a request after it',
  fix: 'After a paid request without an answer, GET the task (or whoami, for the credits) first, and repeat it only if nothing was started. If the HTTP library repeats by itself, turn that off.',
  thresholds:
    'However soon the repeat comes: an answer that the service cut off was never on its way. The same run requested twice at once is a repeat too, and so is a run that goes on and is requested twice again.',
  judge: (entries, context) => [
    ...entries
      .filter((entry) => journal.costsCredit(entry) && !journal.hasReadableAnswer(entry))
      .flatMap((lost): RuleSituation[] => {
        const next = journal
          .entriesAfter(entries, lost)
          .find((entry) => looksInto(entry, lost) || journal.isSameRequest(entry, lost))
        if (!next) return []
        if (!journal.isSameRequest(next, lost)) return [{ evidence: [lost, next] }]
        return [{ evidence: [lost, next], violation: repeatedRequestText(lost, next, context) }]
      }),
    ...repeatedRuns(entries, context),
  ],
})

/** The paid requests that a credit was spent on and not given back. */
export function chargedIn(entries: Entries, { ledger }: RuleContext): JournalEntry[] {
  const refunded = new Set(ledger.flatMap(({ kind, subject }) => (kind === 'refund' ? [subject] : [])))
  const ids = new Set(
    ledger.flatMap((one) => (one.kind === 'reserve' && !refunded.has(one.subject) ? [one.request_id] : [])),
  )
  return entries.filter((entry) => journal.costsCredit(entry) && ids.has(entry.id))
}

/** True if the client received no answer that accepts the request. */
const isUntold = (entry: JournalEntry) =>
  !journal.isSuccess(entry) && !journal.hasReceivedErrorCode(entry, 'busy')

/** The body of the request that created the task of a run; undefined: not among these requests. */
export function textOf(run: JournalEntry, entries: Entries): string | null | undefined {
  const id = decodePercent(journal.taskIdOf(run) ?? '')
  const isIts = (entry: JournalEntry) => {
    const { task } = entry.operation === 'createTask' ? journal.answerJsonOf(entry) : {}
    return typeof task === 'object' && task !== null && String(Reflect.get(task, 'id')) === id
  }
  return id === undefined ? undefined : entries.find(isIts)?.body
}

/** True if two requests are for the same work: one request, or runs of tasks with one text. */
export function isForSameWork(one: JournalEntry, other: JournalEntry, entries: Entries): boolean {
  if (journal.isSameRequest(one, other)) return true
  const text = one.operation === 'runTask' ? textOf(one, entries) : undefined
  return text !== undefined && other.operation === 'runTask' && textOf(other, entries) === text
}

/** The looks of a client between a paid request and a later one for the same. */
const looksBetween = (paid: JournalEntry, again: JournalEntry, entries: Entries): Entries =>
  journal
    .entriesUntil(journal.entriesAfter(entries, paid), (entry) => entry === again)
    .filter((entry) => looksInto(entry, paid))

/**
 * The second payment for the same work, and whether the client had looked for the effect of the first; undefined if
 * there is none. `untold`: the first charged request, whose answer was lost.
 */
function paidAgain(
  untold: JournalEntry,
  charged: readonly JournalEntry[],
  entries: Entries,
  { run }: RuleContext,
): { readonly again: JournalEntry; readonly hasLooked: boolean } | undefined {
  const later = charged.filter(({ number }) => number > untold.number)
  const after = journal.entriesAfter(entries, untold)
  const isOfTaskSince = (entry: JournalEntry) =>
    entry.operation === 'runTask' && textOf(entry, after) !== undefined
  // A task of the same text that was created since is the same work anew.
  const isAnew = (entry: JournalEntry) => isForSameWork(untold, entry, entries) && isOfTaskSince(entry)
  const again = later.find((entry) => journal.isSameRequest(entry, untold) || isAnew(entry))
  // Before the same is begun anew, a balance tells nothing of the task.
  const isRepeat = again !== undefined && journal.isSameRequest(again, untold)
  const isBlind =
    again && !looksBetween(untold, again, entries).some(({ operation }) => isRepeat || operation !== 'whoami')
  // A client that looked first may want the same a second time: its usual price tells.
  const isTooMuch = run?.price !== undefined && charged.length > run.price
  // A client that was killed may have had the time for more work than usual.
  const isWhole = run?.killedAfter === undefined
  const isSame = (one: JournalEntry) => isForSameWork(untold, one, entries)
  const wanted = later.find(isSame) ?? (isWhole ? later.find(isOfTaskSince) : undefined)
  const second = isBlind ? again : isTooMuch ? wanted : undefined
  return second && { again: second, hasLooked: looksBetween(untold, second, entries).length > 0 }
}

/**
 * True if a client looked for the effect of a paid request before it repeated it, and the request took effect later, so
 * that nothing could show it.
 */
function wasStillToCome(
  paid: JournalEntry,
  again: JournalEntry,
  entries: Entries,
  { ledger }: RuleContext,
): boolean {
  const effect = ledger.find(({ kind, request_id }) => kind === 'reserve' && request_id === paid.id)
  const looks = looksBetween(paid, again, entries)
  return (
    effect !== undefined && looks.length > 0 && looks.every((look) => look.at + look.duration_ms < effect.at)
  )
}

/**
 * Each run that was charged again although the client had last seen the one before go on. One of a new task of the same
 * text counts if the client paid more than its usual `price`: it may want the same twice.
 */
const chargedWhileUnderWay = (
  charged: readonly JournalEntry[],
  entries: Entries,
  price: number | undefined,
): RuleSituation[] =>
  charged.flatMap((second, i): RuleSituation[] => {
    const isTooMuch = price !== undefined && charged.length > price
    const isAgain = (entry: JournalEntry) =>
      isTooMuch ? isForSameWork(entry, second, entries) : journal.isSameRequest(entry, second)
    const first = charged.slice(0, i).findLast(isAgain)
    if (!first || second.operation !== 'runTask') return []
    const last = entries.findLast(
      (entry) => entry.number > first.number && entry.number < second.number && tellsOfRun(entry, first),
    )
    if (!last || !showsRunUnderWay(last)) return []
    const what = journal.isSameRequest(first, second) ? 'a run again' : 'the work of a run again'
    const violation = `paid twice for the same: requested ${what} that it had last seen go on`
    return [{ evidence: [first, last, second], violation }]
  })

/** Each run that was charged twice because it was requested twice at once. */
const chargedAtOnce = (charged: readonly JournalEntry[], context: RuleContext): RuleSituation[] =>
  charged.flatMap((first, i): RuleSituation[] => {
    const second = charged.slice(i + 1).find((entry) => journal.isSameRequest(entry, first))
    if (
      first.operation !== 'runTask' ||
      isUntold(first) ||
      !second ||
      !journal.isSentWithoutWaiting(first, second, context)
    )
      return []
    return [{ evidence: [first, second], violation: 'paid twice for the same: requested it twice at once' }]
  })

/** The rule `pays-once`: a paid request that has taken effect is not sent again. */
export const paysOnceRule: ClientRule = mustRule('pays-once', '§3.2, §8.2', {
  statement: 'A client pays for its work once, whatever happens to a request.',
  needs: 'a paid request that took effect, and whose answer was lost',
  fix: 'After a paid request without a readable answer look whether it took effect (GET the task, or the list) before you send it, or its like, again. If the HTTP library repeats by itself, turn that off.',
  thresholds:
    'The ledger decides: the same was charged again and not refunded, after its answer was lost, or while the client had last seen its run go on; a run of a new task of the same text is the same. A look to which the effect was still to come excuses a repeat. After a look, and for a new task, it counts only if the client paid more than where nothing goes wrong; the text of the new task may then be another one.',
  judge(entries, context) {
    const charged = chargedIn(entries, context)
    const { price, isCompared } = context.run ?? {}
    // Whatever a fault did, the work costs what it costs without one.
    if (isCompared && price !== undefined) {
      if (price === 0 && charged.length === 0) return []
      const paid = `paid ${countWithNoun(charged.length, 'credit')} for work that costs ${price}`
      const [first, second] = charged.slice(-2)
      const isRepeat = first && second && journal.isSameRequest(first, second)
      if (isRepeat && charged.length === price + 1 && wasStillToCome(first, second, entries, context))
        return []
      const hasLooked = isRepeat && looksBetween(first, second, entries).length > 0
      const how = isRepeat ? `: ${repeatedRequestText(first, second, context, hasLooked)}` : ''
      return [{ evidence: charged.slice(-2), violation: charged.length > price ? paid + how : undefined }]
    }
    const doubled =
      charged.length > (price ?? Number.POSITIVE_INFINITY) ? chargedAtOnce(charged, context) : []
    const repeated = charged.filter(isUntold).flatMap((untold): RuleSituation[] => {
      const second = paidAgain(untold, charged, entries, context)
      if (second) {
        const { again, hasLooked } = second
        if (wasStillToCome(untold, again, entries, context)) return []
        const violation = `paid twice for the same: ${repeatedRequestText(untold, again, context, hasLooked)}`
        return [{ evidence: [untold, again], violation }]
      }
      const [next] = journal.entriesAfter(entries, untold)
      return next || context.end ? [{ evidence: next ? [untold, next] : [untold] }] : []
    })
    return doubled.length > 0 ? doubled : [...chargedWhileUnderWay(charged, entries, price), ...repeated]
  },
})
