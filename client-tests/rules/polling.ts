/** §3.1: how a client polls a task, and which field it reads. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import * as journal from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext, type RuleSituation, shouldRule } from '../rule.ts'
import { hasStoppedAtUnknownStatus } from './answers.ts'

/** Number of requests in a row for a finished task that are not yet polling. */
const toleratedPolls = 2
/** Longest pause within one polling loop, ms: a request after a longer one may have another reason. */
const step = 30_000

/** The polls that follow the first, which showed the task finished, up to a pause of more than `step` ms. */
function idleLooks([finished, ...later]: readonly JournalEntry[]): JournalEntry[] {
  const pause = later.findIndex(
    (look, i) => journal.longestPossibleGapMs(later[i - 1] ?? finished ?? look, look) > step,
  )
  return pause < 0 ? later : later.slice(0, pause)
}

/** A run that was polled to its end, with the polls that follow as if it had not ended. */
interface PolledRun {
  readonly finished: JournalEntry
  readonly idle: readonly JournalEntry[]
  /** True if the final status is undocumented, so that no list of final statuses has it. */
  readonly isStrange: boolean
}

function polledRuns(entries: readonly JournalEntry[]): PolledRun[] {
  const started = journal.acceptedUnfinishedRuns(entries)
  /** True if a run of another task had not ended: a loop may go on for all tasks until the last of them is finished. */
  const isBesideOthers = (look: JournalEntry) =>
    started.some(
      ({ run, later }) =>
        journal.taskIdOf(run) !== journal.taskIdOf(look) &&
        run.number < look.number &&
        !later.some((one) => one.number < look.number && journal.showsFinishedTask(one)),
    )
  return journal.acceptedRuns(entries).flatMap(({ run, looks }) => {
    const answers = journal.showsFinishedTask(run) ? [run, ...looks] : looks
    // A look that was sent beside the run may show the end of an earlier one.
    const going = answers.findLastIndex((one) => journal.answerJsonOf(one).finished === false)
    const end = answers.findIndex((one, i) => i > going && journal.showsFinishedTask(one))
    const finished = answers[end]
    if (!finished || looks.length === 0) return []
    const idle = idleLooks(answers.slice(end).filter(journal.isSuccess)).filter(
      (look) => !isBesideOthers(look),
    )
    return [{ finished, idle, isStrange: journal.showsUnknownStatus(finished) }]
  })
}

const isPolledOn = ({ idle }: PolledRun) => idle.length > toleratedPolls

/**
 * True if the client polls finished tasks whatever their status, so that its polls reveal no list of statuses. Assumed
 * of a client that ends well and whose usual work is not known.
 */
const pollsAnything = (runs: readonly PolledRun[], { run, end }: RuleContext) =>
  (run?.pollsOn ?? end?.ok === true) || runs.some((one) => isPolledOn(one) && !one.isStrange)

/** The rule `stops-polling`: a client stops polling a task that has finished. */
export const stopsPollingRule: ClientRule = mustRule('stops-polling', '§3.1', {
  statement: 'A client stops polling a task when finished is true.',
  needs: 'a run that was polled to its end',
  fix: 'End the loop when finished is true, whatever the status is.',
  thresholds: `Up to ${toleratedPolls} more looks at a finished task, looks after a pause of ${step / 1_000} s, or while the run of another task goes on, are no polling.`,
  judge(entries, context) {
    const runs = polledRuns(entries)
    const isAnything = pollsAnything(runs, context)
    return runs.flatMap((one): RuleSituation[] => {
      const { finished, idle } = one
      if (!isPolledOn(one)) return [{ evidence: [finished] }]
      // A client that stops at the statuses that it knows is judged by reads-finished.
      if (one.isStrange && !isAnything) return []
      const violation = `kept polling after finished was true, at the status "${journal.taskStatusIn(finished)}"`
      return [{ evidence: [finished, ...idle], violation }]
    })
  },
})

/** Time without a request at the end after which a client counts as no longer polling, ms. */
const silence = 5_000

/** True if a cache may answer the same request later in place of the service (RFC 9111 §4.2.2). */
const isCacheable = ({ answerHeaders }: JournalEntry) =>
  answerHeaders['last-modified'] !== undefined && answerHeaders['cache-control'] === undefined

/** The rule `polls-the-service`: a client's polls reach the service, and are not answered from a cache. */
export const pollsFreshStatusRule: ClientRule = mustRule('polls-the-service', '§3.1', {
  statement: 'A client asks the service at each poll, and takes no answer from a cache.',
  needs:
    'a poll of a run that goes on, whose answer a cache may keep, and another poll, or a client that finishes its work elsewhere',
  fix: 'Send cache-control: no-cache with each poll, or leave the cache out: interceptors.cache() of undici, where it does not see the key, serves an answer with Last-Modified and without Cache-Control for a tenth of its age, and the task never seems to end.',
  thresholds: `A client polls no more if it sent nothing in its last ${silence / 1_000} s and did not end well.`,
  isRoot: true,
  judge(entries, { run, end, now }) {
    const isStuck = run?.hasPaidWork && (run.killedAfter !== undefined || end?.ok === false)
    const isSilent = (run?.endedAt ?? now) - (entries.at(-1)?.at ?? now) >= silence
    return journal.acceptedUnfinishedRuns(entries).flatMap(({ looks }): RuleSituation[] => {
      const look = looks.find((one) => isCacheable(one) && journal.answerJsonOf(one).finished === false)
      if (!look) return []
      const next = looks[looks.indexOf(look) + 1]
      if (next) return [{ evidence: [look, next] }]
      const violation = 'polled no more after an answer with Last-Modified and without Cache-Control'
      return isStuck && isSilent ? [{ evidence: [look], violation }] : []
    })
  },
})

/** Shortest time between two polls that counts as a pause, ms. */
const pause = 200
/** Number of gaps in a row without a pause that violates the rule. */
const hammering = 3

/** Number of equal reads in a row without a pause, and without a change by the client, that violates the rule. */
const readingLoop = 20

/** The first reads of each address that a client reads again and again without a pause. */
function readingLoops(entries: readonly JournalEntry[]): RuleSituation[] {
  const rows = new Map<string, readonly JournalEntry[]>()
  const loops = new Map<string, RuleSituation>()
  for (const read of entries) {
    const { method, url } = read
    if (method !== 'GET') rows.clear()
    if (method !== 'GET' || loops.has(url)) continue
    const earlier = rows.get(url) ?? []
    const before = earlier.at(-1)
    const row = before && journal.longestPossibleGapMs(before, read) < pause ? [...earlier, read] : [read]
    rows.set(url, row)
    if (row.length < readingLoop) continue
    const violation = `read ${read.operation ?? journal.requestPathOf(read)} ${readingLoop} times in a row without a pause`
    loops.set(url, { evidence: row.slice(0, hammering + 1), violation })
  }
  return [...loops.values()]
}

/**
 * The rule `polls-sanely`: a client pauses between two polls of a task, and reads no address again and again without a
 * pause.
 */
export const pausesBetweenPollsRule: ClientRule = shouldRule('polls-sanely', '§3.1, §8.1', {
  statement:
    'A client pauses between polls of a task, and reads nothing else again and again without a pause.',
  needs: 'a run that was polled more than once',
  isHarmless: true,
  fix: 'Wait a second or so between polls: each one counts against the rate limit of the key.',
  thresholds: `Too fast are ${hammering + 1} polls of a task in a row with less than ${pause} ms between each two, or ${readingLoop} reads of another address while the client changes nothing.`,
  judge: (entries) => [
    ...readingLoops(entries.filter(({ operation }) => operation !== 'getTask')),
    ...journal.acceptedUnfinishedRuns(entries).flatMap(({ looks }): RuleSituation[] => {
      const end = looks.findIndex(journal.showsFinishedTask)
      const polls = end < 0 ? looks : looks.slice(0, end + 1)
      const paused = polls.slice(1).map((look, i) => {
        const before = polls[i]
        return (
          !before ||
          !journal.isSuccess(before) ||
          !journal.isSuccess(look) ||
          journal.longestPossibleGapMs(before, look) >= pause
        )
      })
      const hasty = paused.findIndex((_, i) => {
        const row = paused.slice(i, i + hammering)
        return row.length === hammering && !row.includes(true)
      })
      const violation = 'polled without a pause'
      if (hasty >= 0) return [{ evidence: polls.slice(hasty, hasty + hammering + 1), violation }]
      const calm = paused.findIndex((isPaused, i) => {
        const [before, look] = polls.slice(i, i + 2)
        return (
          isPaused &&
          before &&
          look &&
          !(look.clock_ms && journal.shortestPossibleGapMs(before, look) < pause)
        )
      })
      return calm < 0 ? [] : [{ evidence: polls.slice(calm, calm + 2) }]
    }),
  ],
})

/** The rule `reads-finished`: a client that sees a task status it does not know relies on the field `finished`. */
export const readsFinishedFieldRule: ClientRule = mustRule('reads-finished', '§3.1', {
  statement: 'A client does not decide by a list of known statuses: at an unknown status it reads finished.',
  needs: 'a task that is polled and shows an unknown status',
  fix: 'Decide by finished alone, and show any status as it is.',
  thresholds: `Polling a finished task on is judged here where the client stops at familiar statuses, with more than ${toleratedPolls} looks. So is an error right after an unknown status, where nothing else in the answer was new and no run had failed.`,
  judge(entries, context) {
    // A client that was stopped by an error did not decide to stop.
    const trouble =
      entries.findLast((entry) => entry.status >= 400 || !journal.hasReadableAnswer(entry))?.number ?? 0
    const last = context.end?.ok === false ? entries.at(-1) : undefined
    const early = journal.acceptedUnfinishedRuns(entries).flatMap(({ looks }): RuleSituation[] => {
      const strange = looks.find(journal.showsUnknownStatus)
      if (!strange || journal.showsFinishedTask(strange) || strange === last) return []
      const next = looks[looks.indexOf(strange) + 1]
      if (next) return [{ evidence: [strange, next] }]
      // One that leaves runs at any status is judged by follows-runs.
      if (context.run?.leavesRuns) return []
      const violation = `took the status "${journal.taskStatusIn(strange)}" for a final one`
      return context.end && trouble < strange.number ? [{ evidence: [strange], violation }] : []
    })
    const runs = polledRuns(entries)
    const isAnything = pollsAnything(runs, context)
    const late = runs.flatMap((one): RuleSituation[] => {
      const { finished, idle } = one
      if (!one.isStrange || finished === last) return []
      if (idle.length === 0) return [{ evidence: [finished] }]
      const violation = `kept polling after finished was true, at a status that it does not know, "${journal.taskStatusIn(finished)}"`
      return isPolledOn(one) && !isAnything ? [{ evidence: [finished, ...idle], violation }] : []
    })
    const isStop = last !== undefined && hasStoppedAtUnknownStatus(entries, last, context)
    const violation = `ended with an error at the status "${last && journal.taskStatusIn(last)}"`
    return [...early, ...late, ...(isStop ? [{ evidence: [last], violation }] : [])]
  },
})
