/** §1, §3: how a run of a client ends. Judged only where facts about the run are known. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import * as journal from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext, type RunFacts } from '../rule.ts'
import { rateLimitThatEndedClient, retryAfterMs } from './refusals.ts'
import { chargedIn, isForSameWork, looksBeforeRepeatingRule, tellsOfRun, textOf } from './repeats.ts'
import { followsRunsRule } from './runs.ts'

/** The last requests of a run, as evidence. */
const lastOf = (entries: readonly JournalEntry[]) => entries.slice(-2)

/** The request that a client could wait for, or repeat, for ever; empty if there is none. */
function traps(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const unending = entries.find(({ wire }) => wire === 'hang' || wire === 'abandoned')
  const failure = unending ?? journal.lastUnrepeatedFailure(entries)
  return failure ? [failure] : []
}

/** When the wait that an answer asked for is over, ms since the epoch. */
const waitedUntil = (entry: JournalEntry) =>
  journal.hasReceivedErrorCode(entry, 'rate_limited')
    ? entry.at + entry.duration_ms + (retryAfterMs(entry) ?? 0)
    : 0

const withoutQuery = (entry: JournalEntry) => `${entry.method} ${journal.requestPathOf(entry)} ${entry.body}`

/** Time that a client may need to send its next request after a wait, ms. */
const reaction = 1_000
/** Number of requests, none of them new, that make a loop; fewer may be repeats after a time-out. */
const loop = 3

/** Number of equal answers of one list in a row, to different queries, that show that paging leads nowhere. */
const alike = 50

/** The last requests of a client, if they page through a list that does not change with the query; else none. */
function pagesInVain(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const read = entries.filter((entry) => !journal.hasReceivedErrorCode(entry, 'rate_limited'))
  const last = read.at(-1)
  if (last?.method !== 'GET' || !journal.isSuccess(last)) return []
  const isAlike = (one: JournalEntry) =>
    withoutQuery(one) === withoutQuery(last) && one.answer === last.answer
  const pages = read.slice(read.findLastIndex((one) => !isAlike(one)) + 1)
  return pages.length >= alike && new Set(pages.map(({ url }) => url)).size >= alike ? pages : []
}

/** A run that a client waited for in vain, since its request had no effect; undefined if there is none. */
function waitedForNothing(
  entries: readonly JournalEntry[],
  { ledger }: RuleContext,
): JournalEntry | undefined {
  const looked = journal.taskIdOf(entries.at(-1) as JournalEntry)
  const run = entries.findLast((one) => one.operation === 'runTask' && journal.taskIdOf(one) === looked)
  if (!run || journal.isSuccess(run) || journal.hasReceivedErrorCode(run, 'busy')) return undefined
  return ledger.some(({ request_id }) => request_id === run.id) ? undefined : run
}

/** The reason why a client had to be killed, in words, and the request that began it; both empty if none is known. */
function whyKilled(entries: readonly JournalEntry[], context: RuleContext) {
  const pages = pagesInVain(entries)
  if (pages.length > 0)
    return {
      why: `: it asked for one list ${pages.length} times with other queries, and got the same answer each time`,
      cause: pages.slice(0, 1),
    }
  const run = entries.length > 0 ? waitedForNothing(entries, context) : undefined
  if (!run) return { why: '', cause: [] }
  const how = journal.hasReadableAnswer(run)
    ? `was answered ${journal.answerSummary(run)}`
    : 'got no readable answer and had no effect'
  return { why: `: it waited for a run whose request ${how}`, cause: [run] }
}

/** True if a client was killed at its work: it needed more time, and no wait or loop shows that it has no limit. */
function wasAtWork(entries: readonly JournalEntry[], killedAfter: number, end: number): boolean {
  if (pagesInVain(entries).length > 0) return false
  if (entries.some((entry) => waitedUntil(entry) + reaction > end)) return true
  const half = end - killedAfter / 2
  const late = entries.filter(({ at }) => at >= half)
  const open = journal
    .acceptedUnfinishedRuns(entries)
    .filter(({ later }) => !later.some(journal.showsFinishedTask))
  // A task that is run again and again has an open run whenever its client is killed.
  const lateOf = (operation: 'runTask' | 'getTask', task: string | undefined) =>
    late.filter((entry) => entry.operation === operation && journal.taskIdOf(entry) === task)
  // Polls that are all refused tell nothing of a run, however long it goes on.
  const isRefused = ({ status }: JournalEntry) => status >= 400 && status < 500 && status !== 429
  const isPolledInVain = (task: string | undefined) => {
    const polls = lateOf('getTask', task)
    return polls.length >= loop && polls.every(isRefused)
  }
  const isOpen = open.some(({ run }) => {
    const task = journal.taskIdOf(run)
    return lateOf('runTask', task).length < loop && !isPolledInVain(task)
  })
  if (late.length > 0 && (isOpen || late.length < loop)) return true
  const early = new Set(entries.filter(({ at }) => at < half).map(withoutQuery))
  return late.some((entry) => !early.has(withoutQuery(entry)))
}

/** The rule `ends-in-time`: a client ends even if a request keeps failing or is never answered. */
export const endsInTimeRule: ClientRule = mustRule('ends-in-time', '§3.1, §7', {
  statement: 'A client ends: every wait and every loop of it has a limit.',
  needs: 'a request that fails for good or is never answered, or a client that does not end',
  fix: 'Set a time-out for each request and a limit for each loop, and report an error when it is reached.',
  thresholds: `A client that is killed by --timeout broke the rule if it sent nothing in the second half of its time, or ${loop} requests or more of which none was new. It did not if a Retry-After was not over, or if a run that it polled had not finished, unless every poll was refused. Paging is no work after ${alike} answers of one list that are all alike, whatever the query.`,
  followsFromOthers: true,
  judge(entries, context) {
    const { run, end, now } = context
    if (!run) return []
    const { killedAfter, isFlooding, endedAt = now } = run
    const evidence = lastOf(entries)
    // An interrupted client neither ended nor had the time to.
    if (killedAfter === undefined && !end) return []
    if (killedAfter === undefined)
      return traps(entries).map((trap) => ({ evidence: [...new Set([trap, ...evidence])] }))
    if (!isFlooding && wasAtWork(entries, killedAfter, endedAt)) return []
    const { why, cause } = whyKilled(entries, context)
    const violation = `had not ended after ${journal.formatMsAsSeconds(killedAfter)} and was killed${why}`
    return [{ evidence: [...new Set([...cause, ...evidence])], violation }]
  },
})

const isForTask = ({ operation }: JournalEntry) => operation === 'createTask' || operation === 'runTask'

/** True if a client ended at a paid request that it does not know the effect of: no sentence obliges it to look. */
function gaveUpInDoubt(entries: readonly JournalEntry[]): boolean {
  const failure = journal.lastUnrepeatedFailure(entries)
  return failure !== undefined && journal.costsCredit(failure) && !journal.hasReadableAnswer(failure)
}

/** True if a client may end with an error: at a rate limit (§7.2), without credits (§7.1), or without work but on a route that the service lacks (§1). */
function hasReason(
  entries: readonly JournalEntry[],
  context: RuleContext,
  { hasPaidWork }: RunFacts,
): boolean {
  if (rateLimitThatEndedClient(entries, context)) return true
  const isSpent = journal.lastUnrepeatedFailure(entries)?.error === 'no_credits'
  // A client in doubt may have paid twice for the same.
  if (isSpent || gaveUpInDoubt(entries))
    return looksBeforeRepeatingRule.judge(entries, context).every(({ violation }) => violation === undefined)
  if (!hasPaidWork && !entries.some(isForTask)) return entries.some(journal.isRouteAbsent)
  const hasRun = journal.acceptedRuns(entries).length > 0
  return hasRun && entries.slice(-1).some(journal.isRouteAbsent) && workLeft(entries, context) === undefined
}

/**
 * The rule `finishes-work`: a client finishes its work if the service lets it, and ends without an error only if its
 * work is done.
 */
export const finishesWorkRule: ClientRule = mustRule('finishes-work', '§3, §7', {
  statement:
    'A client finishes its work where the service lets it, and ends without an error only if its work is done.',
  needs:
    'a run of the client that ends by itself, where a good client can finish or where it claims that it did',
  fix: 'Handle every answer that the specification allows, and exit with 0 only when each run is finished.',
  thresholds:
    'A run that failed is finished: a client may report it and end with or without an error. So may a client that starts runs and leaves them, which follows-runs advises against. A client that is refused by a rate limit, or whose credits are spent, or that has got no answer to a paid request and does not repeat it, or that has no task left to run and needs an extended route that the service lacks, may end with an error.',
  followsFromOthers: true,
  judge(entries, context) {
    const { end, run } = context
    if (!run || run.killedAfter !== undefined || !end) return []
    const evidence = lastOf(entries)
    const left = end.ok ? workLeft(entries, context) : undefined
    const withCause = [...new Set([...(left?.cause ? [left.cause] : []), ...evidence])]
    if (!run.canFinish)
      return left && !run.isCompared ? [{ evidence: withCause, violation: left.violation }] : []
    if (entries.length === 0 && !(end.ok && run.hasPaidWork)) return []
    if (!end.ok && (journal.isErrorExitExcused(entries, context) || hasReason(entries, context, run)))
      return []
    const violation = end.ok ? left?.violation : endedInError(entries)
    return [{ evidence: withCause, violation }]
  },
})

/** Statuses that blame the request itself, where a good client can finish. */
const faulty = new Set([400, 401, 404, 405, 413, 415, 422])

/** The violation in words, with the first request that was rejected for what the client sent. */
function endedInError(entries: readonly JournalEntry[]): string {
  const what = 'ended with an error where a good client can finish'
  const rejected = entries.find(
    (one) => faulty.has(one.status) && one.reason === null && !journal.isRouteAbsent(one),
  )
  if (!rejected) return what
  const { message } = journal.answerJsonOf(rejected)
  const why = typeof message === 'string' ? `: ${JSON.stringify(message)}` : ''
  return `${what}, after ${rejected.method} ${journal.requestPathOf(rejected)} was answered ${journal.answerSummary(rejected)}${why}`
}

/** True if a task or a run was rejected, and neither accepted later nor done all the same. */
function isForGood(entry: JournalEntry, later: readonly JournalEntry[]): boolean {
  const { operation, status, error } = entry
  if (
    status < 400 ||
    error === null ||
    !journal.hasReadableAnswer(entry) ||
    journal.hasReceivedErrorCode(entry, 'busy')
  )
    return false
  if (operation === 'createTask')
    return !later.some((one) => one.operation === operation && journal.isSuccess(one))
  return (
    operation === 'runTask' &&
    !later.some(
      (one) =>
        journal.taskIdOf(one) === journal.taskIdOf(entry) &&
        (journal.isAcceptedButUnfinishedRun(one) || journal.showsFinishedTask(one)),
    )
  )
}

/**
 * True if a client did the work of a rejected run in a task that it created later: one of the same text, or as much
 * work as it pays for where nothing goes wrong.
 */
function isDoneAnew(rejected: JournalEntry, entries: readonly JournalEntry[], context: RuleContext): boolean {
  const { price } = context.run ?? {}
  const after = journal.entriesAfter(entries, rejected)
  const isWhole = price !== undefined && chargedIn(entries, context).length >= price
  return journal.acceptedRuns(after).some(({ run, later }) => {
    const text = [run, ...later].some(journal.showsFinishedTask) ? textOf(run, after) : undefined
    return text !== undefined && (isWhole || text === textOf(rejected, entries))
  })
}

/** A charged run whose answer was lost, and that the client neither looked for nor did anew; undefined if none. */
const runInDoubt = (entries: readonly JournalEntry[], context: RuleContext): JournalEntry | undefined =>
  chargedIn(entries, context).find((run) => {
    const after = journal.entriesAfter(entries, run)
    return (
      run.operation === 'runTask' &&
      !journal.hasReadableAnswer(run) &&
      !after.some((one) => tellsOfRun(one, run)) &&
      !chargedIn(after, context).some((one) => isForSameWork(one, run, entries))
    )
  })

/** Work that a client left undone, as a violation in words and the request that shows it. */
interface WorkLeft {
  readonly violation: string
  readonly cause?: JournalEntry
}

/** Work that a client left undone although it ended without an error; undefined if there is none. */
function workLeft(entries: readonly JournalEntry[], context: RuleContext): WorkLeft | undefined {
  const { run } = context
  // To follow runs is advice: a client may start them and leave. It may not meet an error and claim success.
  const isHabit = followsRunsRule.judge(entries, context).some(({ violation }) => violation !== undefined)
  const trouble = journal.lastUnrepeatedFailureNumber(entries)
  const open = journal
    .acceptedUnfinishedRuns(entries)
    .find(({ run, later }) => !later.some(journal.showsFinishedTask) && (!isHabit || trouble > run.number))
  if (open) {
    const violation = `ended without an error before an answer said that the run of ${journal.taskIdOf(open.run)} is finished`
    return { violation, cause: open.run }
  }
  const unknown = run?.hasPaidWork && !run.leavesRuns ? runInDoubt(entries, context) : undefined
  if (unknown) {
    const violation = `ended without an error although the answer to the run of ${journal.taskIdOf(unknown)} was lost, and nothing had told it what became of it`
    return { violation, cause: unknown }
  }
  const rejection = entries.find(
    (entry, i) => isForGood(entry, entries.slice(i + 1)) && !isDoneAnew(entry, entries, context),
  )
  if (rejection) {
    const what = rejection.operation === 'runTask' ? 'a run' : 'a task'
    const violation = `ended without an error although ${what} was rejected with ${rejection.status} ${rejection.error}`
    return { violation, cause: rejection }
  }
  // Only an error other than busy shows that a run was not accepted.
  const isRun = (entry: JournalEntry) =>
    entry.operation === 'runTask' &&
    (entry.status < 400 || !journal.hasReadableAnswer(entry) || journal.hasReceivedErrorCode(entry, 'busy'))
  if (!run?.hasPaidWork || entries.some(isRun)) return undefined
  return { violation: 'ended without an error and without the work that it does where nothing goes wrong' }
}
