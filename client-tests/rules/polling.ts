/** §3.1: how a client polls a task, and which field it reads. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { gap, isAnswered, isSuccess, reportsFinished } from '../entries.ts'
import type { Rule, Situation } from '../rule.ts'
import { acceptedRuns, startedRuns } from '../runs.ts'
import { isStrange, statusIn } from '../statuses.ts'

/** More requests than that for a finished task, in a row, are polling. */
const afterthoughts = 2
/** A later request may have another reason, ms. */
const step = 30_000

/** Polls that continue as if the task had not been finished at the first of them. */
function idleLooks([finished, ...later]: readonly JournalEntry[]): JournalEntry[] {
  const pause = later.findIndex((look, i) => gap(later[i - 1] ?? finished ?? look, look) > step)
  return pause < 0 ? later : later.slice(0, pause)
}

export const stops: Rule = {
  id: 'stops-polling',
  level: 'MUST',
  section: '§3.1',
  statement: 'A client stops polling a task when finished is true.',
  needs: 'a run that was polled to its end',
  fix: 'End the loop when finished is true, whatever the status is.',
  judge: (entries) =>
    acceptedRuns(entries).flatMap(({ run, looks }): Situation[] => {
      const answers = reportsFinished(run) ? [run, ...looks] : looks
      const end = answers.findIndex(reportsFinished)
      const finished = answers[end]
      if (!finished || looks.length === 0) return []
      const idle = idleLooks(answers.slice(end).filter(isSuccess))
      if (idle.length <= afterthoughts) return [{ evidence: [finished] }]
      const kind = isStrange(finished) ? 'a status that it does not know' : 'the status'
      const violation = `kept polling after finished was true, at ${kind}, "${statusIn(finished)}"`
      return [{ evidence: [finished, ...idle], violation }]
    }),
}

/** Two polls that are closer than that have no pause between them, ms. */
const pause = 200
/** So many gaps without a pause, in a row, violate the rule. */
const hammering = 3

export const pace: Rule = {
  id: 'polls-sanely',
  level: 'SHOULD',
  section: '§3.1, §8.1',
  statement: 'A client pauses between polls of a task.',
  needs: 'a run that was polled more than once',
  isHarmless: true,
  fix: 'Wait a second or so between polls: each one counts against the rate limit of the key.',
  judge: (entries) =>
    startedRuns(entries).flatMap(({ looks }): Situation[] => {
      const end = looks.findIndex(reportsFinished)
      const polls = end < 0 ? looks : looks.slice(0, end + 1)
      const paused = polls.slice(1).map((look, i) => {
        const before = polls[i]
        return !before || !isSuccess(before) || !isSuccess(look) || gap(before, look) >= pause
      })
      const hasty = paused.findIndex((_, i) => {
        const row = paused.slice(i, i + hammering)
        return row.length === hammering && !row.includes(true)
      })
      const violation = 'polled without a pause'
      if (hasty >= 0) return [{ evidence: polls.slice(hasty, hasty + hammering + 1), violation }]
      const calm = paused.indexOf(true)
      return calm < 0 ? [] : [{ evidence: polls.slice(calm, calm + 2) }]
    }),
}

export const strangeStatus: Rule = {
  id: 'reads-finished',
  level: 'MUST',
  section: '§3.1',
  statement: 'A client does not decide by a list of known statuses: at an unknown status it reads finished.',
  needs: 'a task that is polled and shows an unknown status',
  fix: 'Decide by finished alone, and show any status as it is.',
  judge(entries, { end }) {
    // A client that was stopped by an error did not decide to stop.
    const trouble = entries.findLast((entry) => entry.status >= 400 || !isAnswered(entry))?.number ?? 0
    return startedRuns(entries).flatMap(({ looks }): Situation[] => {
      const strange = looks.find(isStrange)
      if (!strange) return []
      const next = looks[looks.indexOf(strange) + 1]
      if (reportsFinished(strange)) return next ? [] : [{ evidence: [strange] }]
      if (next) return [{ evidence: [strange, next] }]
      const violation = `took the status "${statusIn(strange)}" for a final one`
      return end && trouble < strange.number ? [{ evidence: [strange], violation }] : []
    })
  },
}
