/** §3.1, §3.3: what a client does after a run was accepted. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import {
  acceptedUnfinishedRuns,
  hasFailedRightAfterAnswer,
  hasReceivedErrorCode,
  lastUnrepeatedFailureNumber,
  showsFinishedTask,
  showsUnknownStatus,
} from '../entries.ts'
import { type ClientRule, mustRule, type RuleSituation, shouldRule } from '../rule.ts'

/** The rule `waits-when-busy`: a client treats 409 `busy` as an accepted run and does not request it again. */
export const doesNotRepeatBusyRule: ClientRule = mustRule('waits-when-busy', '§3.3, §3.1', {
  statement: 'After busy a client polls the task and does not request the run again: it starts by itself.',
  needs: 'a run answered 409 busy, and another request about that task or the end of the client there',
  fix: 'On busy poll GET /api/cli/tasks/:id as after a success; a repeated run may cost a second credit.',
  judge: (entries, context) =>
    acceptedUnfinishedRuns(entries).flatMap(({ run, later }): RuleSituation[] => {
      if (!hasReceivedErrorCode(run, 'busy')) return []
      if (hasFailedRightAfterAnswer(entries, run, context))
        return [{ evidence: [run], violation: 'took busy for a failure, and ended with an error' }]
      const again = later.find((entry) => entry.operation === 'runTask' && context.knew(entry, run))
      const finished = later.find(showsFinishedTask)
      if (again && (!finished || finished.number > again.number))
        return [{ evidence: [run, again], violation: 'requested a run again that starts by itself' }]
      const look = later.find(({ operation }) => operation === 'getTask')
      return look ? [{ evidence: [run, look] }] : []
    }),
})

/** Requests for the list that make polling. */
const polling = 3

/** The rule `polls-task-by-id`: a client that waits for a run polls its task by id and not the list of tasks. */
export const pollsOwnTaskRule: ClientRule = mustRule('polls-task-by-id', '§3.1', {
  statement: 'A client that waits for a run polls GET /api/cli/tasks/:id, and not the list.',
  needs: 'a run that was accepted, and polls after it',
  fix: 'Poll GET /api/cli/tasks/:id and read finished; the list does not show it.',
  thresholds: `${polling} requests for the list after a run, and none for its task, are polling.`,
  judge(entries) {
    const lists = entries.filter(({ operation }) => operation === 'listTasks')
    return acceptedUnfinishedRuns(entries).flatMap(({ run, later }): RuleSituation[] => {
      const look = later.find(({ operation }) => operation === 'getTask')
      if (look) return [{ evidence: [run, look] }]
      const from = lists.findIndex(({ number }) => number > run.number)
      const polls = from < 0 ? [] : lists.slice(from, from + polling)
      const violation = 'waited for a run by polling the list'
      return polls.length < polling ? [] : [{ evidence: [run, ...polls], violation }]
    })
  },
})

/** Requests other than for its task that a client repeats after a run, as if polling; empty: too few for polling. */
function waitedWith(entries: readonly JournalEntry[], run: JournalEntry): readonly JournalEntry[] {
  const reads = entries.filter(({ number, method }) => number > run.number && method === 'GET')
  const byOperation = [...Map.groupBy(reads, ({ operation }) => operation).values()]
  const most = byOperation.toSorted((a, b) => b.length - a.length)[0] ?? []
  return most.length >= polling && most[0]?.operation !== 'getTask' ? most : []
}

/** The rule `follows-runs`: a client polls the task of each run that it starts until that run has finished. */
export const followsRunsRule: ClientRule = shouldRule('follows-runs', '§3.1, §3.2', {
  statement:
    'A client follows each run that it starts, also one that was answered busy, until finished is true.',
  needs: 'a run that was accepted, and its end or that of the client',
  fix: 'Poll the task until finished is true: only then is it certain whether the run failed and its credit was refunded.',
  judge(entries, context) {
    // Other errors and polls of the list are judged by other rules.
    const trouble = lastUnrepeatedFailureNumber(entries)
    const list = entries.findLast(({ operation }) => operation === 'listTasks')?.number ?? 0
    return acceptedUnfinishedRuns(entries).flatMap(({ run, later, looks }): RuleSituation[] => {
      const finished = later.find(showsFinishedTask)
      if (finished) return [{ evidence: [run, finished] }]
      const last = looks.at(-1)
      // A client that stopped at the first unknown status is judged by reads-finished.
      const isJudged = last !== undefined && last === looks.find(showsUnknownStatus)
      if (!context.end || trouble > run.number || isJudged) return []
      // A client that ended with an error is judged by the rule about its cause.
      if (hasFailedRightAfterAnswer(entries, run, context)) return []
      if (last) return [{ evidence: [run, last], violation: 'stopped polling while finished was false' }]
      if (list > run.number) return []
      const other = waitedWith(entries, run)
      const instead =
        other.length > 0 ? `waited by reading ${other[0]?.operation} ${other.length} times, and ` : ''
      return [{ evidence: [run, ...other.slice(-1)], violation: `${instead}never polled the task` }]
    })
  },
})
