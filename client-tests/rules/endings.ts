/** §1, §3: how a run of a client ends. Judged where it is known how it was started. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import {
  isAnswered,
  isSuccess,
  reportsError,
  reportsFinished,
  seconds,
  startsRun,
  taskOf,
} from '../entries.ts'
import type { Context, Rule } from '../rule.ts'
import { startedRuns } from '../runs.ts'

/** The last requests of a run, as evidence. */
const lastOf = (entries: readonly JournalEntry[]) => entries.slice(-2)

export const endsInTime: Rule = {
  id: 'ends-in-time',
  level: 'MUST',
  section: '§3.1, §7',
  statement: 'A client ends: every wait and every loop of it has a limit.',
  needs: 'a run of the client, which sends a request or does not end',
  fix: 'Set a time-out for each request and a limit for each loop, and report an error when it is reached.',
  followsFrom: 'must',
  judge(entries, { run }) {
    if (!run) return []
    const evidence = lastOf(entries)
    if (run.killedAfter === undefined) return entries.length > 0 ? [{ evidence }] : []
    return [{ evidence, violation: `had not ended after ${seconds(run.killedAfter)} and was killed` }]
  },
}

export const finishesWork: Rule = {
  id: 'finishes-work',
  level: 'MUST',
  section: '§3, §7',
  statement:
    'A client finishes its work where the service lets it, and ends without an error only if its work is done.',
  needs:
    'a run of the client that ends by itself, where a good client can finish or where it claims that it did',
  fix: 'Handle every answer that the specification allows, and exit with 0 only when each run is finished.',
  followsFrom: 'any',
  judge(entries, context) {
    const { end, run } = context
    if (!run || run.killedAfter !== undefined || !end) return []
    const evidence = lastOf(entries)
    if (!run.canFinish) {
      const violation = end.ok && !run.isCompared ? workLeft(entries, context) : undefined
      return violation === undefined ? [] : [{ evidence, violation }]
    }
    if (entries.length === 0 && !(end.ok && run.hasPaidWork)) return []
    if (!end.ok && hasFailedRun(entries, context)) return []
    const violation = end.ok
      ? workLeft(entries, context)
      : 'ended with an error where a good client can finish'
    return [{ evidence, violation }]
  },
}

/** Whether a run failed, which a client may report by ending with an error: its credit was refunded. */
function hasFailedRun([first]: readonly JournalEntry[], { ledger }: Context): boolean {
  return first !== undefined && ledger.some(({ kind, at }) => kind === 'refund' && at >= first.at)
}

/** Whether a task or a run was rejected, and neither accepted later nor done all the same. */
function isForGood(entry: JournalEntry, later: readonly JournalEntry[]): boolean {
  const { operation, status, error } = entry
  if (status < 400 || error === null || !isAnswered(entry) || reportsError(entry, 'busy')) return false
  if (operation === 'createTask') return !later.some((one) => one.operation === operation && isSuccess(one))
  return (
    operation === 'runTask' &&
    !later.some((one) => taskOf(one) === taskOf(entry) && (startsRun(one) || reportsFinished(one)))
  )
}

/** What a client left undone that ended without an error; undefined: nothing. */
function workLeft(entries: readonly JournalEntry[], { run }: Context): string | undefined {
  const open = startedRuns(entries).find(({ later }) => !later.some(reportsFinished))
  if (open) return `ended without an error although the run of ${taskOf(open.run)} was not finished`
  const rejection = entries.find((entry, i) => isForGood(entry, entries.slice(i + 1)))
  if (rejection) {
    const what = rejection.operation === 'runTask' ? 'a run' : 'a task'
    return `ended without an error although ${what} was rejected with ${rejection.status} ${rejection.error}`
  }
  // Only an error other than busy shows that a run was not accepted.
  const isRun = (entry: JournalEntry) =>
    entry.operation === 'runTask' && (entry.status < 400 || !isAnswered(entry) || reportsError(entry, 'busy'))
  if (!run?.hasPaidWork || entries.some(isRun)) return undefined
  return 'ended without an error and without the work that it does where nothing goes wrong'
}
