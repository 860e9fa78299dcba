/** §7: two errors share the status 409 on a run, with opposite meanings. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { isAnswered, reportsError, reportsFinished, startsRun } from '../entries.ts'
import type { Rule, Situation } from '../rule.ts'
import { byTask, looksAfter, startedRuns } from '../runs.ts'

/** So many polls of a task whose run was rejected count as waiting. */
const waiting = 3

/** Whether a run of its task may be in progress after a request: one whose answer was lost may have been accepted. */
const mayStartRun = (entry: JournalEntry) =>
  startsRun(entry) || (entry.operation === 'runTask' && !isAnswered(entry))

/** Runs that were rejected while no other run of that task was in progress, with the polls since. */
function refusedRuns(entries: readonly JournalEntry[]) {
  return byTask(entries).flatMap((about) =>
    about.flatMap((run, i) => {
      if (run.operation !== 'runTask' || !reportsError(run, 'invalid_request')) return []
      const earlier = about.slice(0, i).findLast((entry) => mayStartRun(entry) || reportsFinished(entry))
      const isUnderWay = earlier !== undefined && mayStartRun(earlier)
      return isUnderWay ? [] : [{ run, looks: looksAfter(about, i) }]
    }),
  )
}

export const branches: Rule = {
  id: 'branches-on-error',
  level: 'MUST',
  section: '§7',
  statement:
    'A client branches on error: of the two 409s of a run, it waits after busy and not after invalid_request.',
  needs: 'a run answered 409 busy and another answered 409 invalid_request',
  spansRuns: true,
  fix: 'Read error in the body, not the status alone: busy accepts the run, invalid_request does not.',
  thresholds: `${waiting} looks at a task whose run was rejected are waiting.`,
  judge(entries) {
    const started = startedRuns(entries)
    const busy = started.filter(({ run }) => reportsError(run, 'busy'))
    const refused = refusedRuns(entries)
    const [accepted] = busy
    const [refusal] = refused
    if (!accepted || !refusal) return []
    const vain = refused.find(({ looks }) => looks.length >= waiting)
    if (vain) {
      const evidence = [accepted.run, vain.run, ...vain.looks.slice(0, waiting)]
      return [{ evidence, violation: 'waited for a rejected run as if it had been answered busy' }]
    }
    const dropped = busy.find(({ looks }) => looks.length === 0)
    const kept: Situation = { evidence: [accepted.run, refusal.run] }
    if (!dropped) return [kept]
    // A client that never polls shows nothing by not polling.
    const follows = started.some(({ run, looks }) => run.status < 300 && looks.length > 0)
    const violation = 'treated a busy run as rejected'
    return follows ? [{ evidence: [dropped.run, refusal.run], violation }] : []
  },
}
