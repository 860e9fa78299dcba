/** Refusals (§7): no retry of what stays refused, and waiting where it helps. */
import { routeOf } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import * as journal from '../entries.ts'
import { type ClientRule, mustRule, type RuleContext, type RuleSituation, shouldRule } from '../rule.ts'

/** Statuses of invalid_request and not_found, which persist while nothing changes. */
const lasting = new Set([400, 404, 422])
/** Time within which an equal request counts as a repeat, ms: a later one may have another reason. */
const soon = 60_000

/** The rule `no-refused-repeat`: a client does not repeat what was refused as invalid or not found. */
export const noRefusedRepeatRule: ClientRule = shouldRule('no-refused-repeat', '§7', {
  statement:
    'A client does not repeat a request that was rejected as invalid or not found, unless something changed.',
  needs: 'a 400, 404 or 422',
  fix: 'On invalid_request and not_found change the request or report the error; the same request gets the same answer.',
  thresholds: `The same request counts within ${soon / 1_000} s, and if nothing was changed in between.`,
  judge(entries, context) {
    const isRefusal = (entry: JournalEntry) => lasting.has(entry.status) && journal.hasReadableAnswer(entry)
    if (!entries.some(isRefusal)) return []
    const changes = entries.filter(({ method, status }) => method !== 'GET' && status < 300)
    const groups = [...Map.groupBy(entries, ({ method, url }) => `${method} ${url}`).values()]
    return groups.flatMap((alike) => {
      const refusals = alike.filter(isRefusal)
      return journal.situationsAfterRefusals(
        alike,
        refusals,
        context,
        journal.isSameRequest,
        (refusal, next) => {
          const isLate = journal.longestPossibleGapMs(refusal, next) > soon
          const isChanged = changes.some(({ number }) => number > refusal.number && number < next.number)
          return isLate || isChanged ? undefined : `sent the same request again after ${refusal.status}`
        },
      )
    })
  },
})

/** The header in which a route takes its credential (§4, §5.1): a 401 says nothing about another header. */
const credentialHeaderOf = ({ operation }: JournalEntry) =>
  operation !== null && routeOf(operation).auth === 'cookie' ? 'cookie' : 'authorization'

/** True if a request carries the credential that was refused, or again none where none was sent. */
function isWithRefused(entry: JournalEntry, refusal: JournalEntry): boolean {
  const name = credentialHeaderOf(refusal)
  const refused = journal.requestHeaderOf(refusal, name)
  // A key opens no route that takes a session, whether it is valid or not.
  if (credentialHeaderOf(entry) !== name && (refused === undefined || name === 'cookie')) return false
  return journal.requestHeaderOf(entry, name) === refused
}

/** Further use of a refused credential, in words. */
function keptUsing(refusal: JournalEntry): string {
  const name = credentialHeaderOf(refusal)
  if (journal.requestHeaderOf(refusal, name) !== undefined) return 'kept using a credential that was rejected'
  const other = journal.requestHeaderOf(refusal, name === 'cookie' ? 'authorization' : 'cookie')
  if (other === undefined) return 'kept using no credential'
  return name === 'cookie'
    ? 'kept using a key where a session is needed'
    : 'kept using a cookie where a key is needed'
}

/** The rule `stops-at-401`: a client stops using a credential that was refused. */
export const stopsAfterUnauthorizedRule: ClientRule = shouldRule('stops-at-401', '§5.3, §7', {
  statement: 'On 401 a client stops using that key.',
  needs: 'a 401',
  thresholds:
    'A 401 tells of the credential that its route takes: one of GET /api/cli/keys, which takes a session, says nothing of a key.',
  fix: 'On unauthorized stop, and ask the person to log in or to supply another key; no retry makes a key valid.',
  judge(entries, context) {
    const refusals = entries.filter((entry) => journal.hasReceivedErrorCode(entry, 'unauthorized'))
    return journal.situationsAfterRefusals(entries, refusals, context, isWithRefused, keptUsing)
  },
})

/** Number of polls after a rejected run that count as waiting for it. */
const waiting = 3

/** True if a run of its task may be in progress after a request: one whose answer was lost may have been accepted. */
const mayStartRun = (entry: JournalEntry) =>
  journal.isAcceptedButUnfinishedRun(entry) ||
  (entry.operation === 'runTask' && !journal.hasReadableAnswer(entry))

/** Runs that were rejected while no other run of that task was in progress, with the polls since. */
function refusedRuns(entries: readonly JournalEntry[]) {
  return journal.requestGroupsByTask(entries).flatMap((about) =>
    about.flatMap((run, i) => {
      if (run.operation !== 'runTask' || !journal.hasReceivedErrorCode(run, 'invalid_request')) return []
      const earlier = about
        .slice(0, i)
        .findLast((entry) => mayStartRun(entry) || journal.showsFinishedTask(entry))
      const isUnderWay = earlier !== undefined && mayStartRun(earlier)
      return isUnderWay ? [] : [{ run, looks: journal.pollsAfter(about, i) }]
    }),
  )
}

/** The rule `branches-on-error`: a client distinguishes the two kinds of 409 by the field `error`. */
export const branchesOnErrorCodeRule: ClientRule = mustRule('branches-on-error', '§7', {
  statement:
    'A client branches on error: of the two 409s of a run, it waits after busy and not after invalid_request.',
  needs: 'a run answered 409 busy and another answered 409 invalid_request',
  spansRuns: true,
  fix: 'Read error in the body, not the status alone: busy accepts the run, invalid_request does not.',
  thresholds: `${waiting} looks at an unfinished task whose run was rejected are waiting.`,
  judge(entries) {
    const started = journal.acceptedUnfinishedRuns(entries)
    const busy = started.filter(({ run }) => journal.hasReceivedErrorCode(run, 'busy'))
    const stopsAtRefusal = refusedRuns(entries)
    const [accepted] = busy
    const [refusal] = stopsAtRefusal
    if (!accepted || !refusal) return []
    const vain = stopsAtRefusal.find(
      ({ looks }) => journal.entriesUntil(looks, journal.showsFinishedTask).length >= waiting,
    )
    if (vain) {
      const evidence = [accepted.run, vain.run, ...vain.looks.slice(0, waiting)]
      return [{ evidence, violation: 'waited for a rejected run as if it had been answered busy' }]
    }
    const dropped = busy.find(({ looks }) => looks.length === 0)
    const kept: RuleSituation = { evidence: [accepted.run, refusal.run] }
    if (!dropped) return [kept]
    // A client that never polls shows nothing by not polling.
    const follows = started.some(({ run, looks }) => run.status < 300 && looks.length > 0)
    const violation = 'treated a busy run as rejected'
    return follows ? [{ evidence: [dropped.run, refusal.run], violation }] : []
  },
})

/** Tolerance for inexact timers and clocks, ms. */
const slack = 50

const forms = { seconds: 'a number of seconds', date: 'an HTTP date' } as const

const isNumber = (value: string) => /^\d+$/.test(value)

/** The wait in a `Retry-After` header, ms, in either form (RFC 9110 §10.2.3); undefined if none can be read. */
export function retryAfterMs({ answerHeaders, at }: JournalEntry): number | undefined {
  const { 'retry-after': value = '', date = '' } = answerHeaders
  // The clock of a service, which the date of its answer tells, may be another one.
  const since = Math.max(at, Date.parse(date) || at)
  const ms = isNumber(value) ? Number(value) * 1_000 : Date.parse(value) - since
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Wait of `Retry-After` in one of its forms; undefined: not in that form. */
function waitOf(entry: JournalEntry, form: keyof typeof forms): number | undefined {
  const isForm = isNumber(entry.answerHeaders['retry-after'] ?? '') === (form === 'seconds')
  return isForm ? retryAfterMs(entry) : undefined
}

/** Usual wait of clients that ignore `Retry-After`, ms: a shorter wait that was kept shows nothing. */
const constantWait = 1_000

/** The next request for the operation that a limit refused, with the same key, and whether the client knew of the refusal. */
const nextUnderLimit = (entries: readonly JournalEntry[], refusal: JournalEntry, context: RuleContext) =>
  journal.findFollowUp(
    refusal,
    journal.entriesAfter(entries, refusal),
    context,
    ({ operation, key_id }) => operation === refusal.operation && key_id === refusal.key_id,
  )

/** One rule per form: a client may understand only one of them. */
function rateLimited(
  id: 'waits-retry-after' | 'waits-retry-after-date',
  form: keyof typeof forms,
  fix: string,
): ClientRule {
  return mustRule(id, '§7.2, §8.1', {
    statement: `After a 429 a client waits for the time in Retry-After, where that is ${forms[form]}.`,
    needs: `a 429 whose Retry-After is ${forms[form]} and more than ${constantWait / 1_000} s ahead, and another request for the same operation`,
    fix,
    thresholds: `It may be ${slack} ms early: timers and clocks are inexact. The limit is that of the key, but a request for another operation is not judged. A wait of ${constantWait / 1_000} s or less that was kept shows nothing: many clients wait that long whatever they are told.`,
    judge: (entries, context) =>
      journal.withoutDoubtfulSituations(
        entries.flatMap((refusal): (RuleSituation | undefined)[] => {
          const wait = journal.hasReceivedErrorCode(refusal, 'rate_limited')
            ? waitOf(refusal, form)
            : undefined
          if (wait === undefined) return []
          const { next, isDoubtful } = nextUnderLimit(entries, refusal, context)
          const early = next && journal.longestPossibleGapMs(refusal, next) < wait - slack
          if (isDoubtful && !early) return [undefined]
          if (!next) return []
          if (!early && next.clock_ms && journal.shortestPossibleGapMs(refusal, next) < wait - slack)
            return [undefined]
          const what = journal.isSameRequest(refusal, next)
            ? 'repeated the request'
            : `sent another ${refusal.operation}`
          const violation = `${what} after ${journal.formatMsAsSeconds(journal.longestPossibleGapMs(refusal, next))} instead of ${journal.formatMsAsSeconds(wait)}`
          return [{ evidence: [refusal, next], violation: early ? violation : undefined }]
        }),
      ),
  })
}

/** The rule `waits-retry-after`: a client waits for the seconds that a 429 names. */
export const respectsRetryAfterSecondsRule = rateLimited(
  'waits-retry-after',
  'seconds',
  'Read Retry-After, which may be a number of seconds, and send nothing with that key before they have passed.',
)

/** The rule `waits-retry-after-date`: a client waits until the date that a 429 names. */
export const respectsRetryAfterDateRule = rateLimited(
  'waits-retry-after-date',
  'date',
  'Read Retry-After, which may be an HTTP date, and wait for the difference to the Date header of the answer.',
)

/**
 * The 429 answer after which a client gave up: it ended with an error, and no later request succeeded. Undefined: there
 * is none.
 */
export function rateLimitThatEndedClient(
  entries: readonly JournalEntry[],
  { end, knew }: RuleContext,
): JournalEntry | undefined {
  const refusal = journal.lastUnrepeatedFailure(entries)
  if (end?.ok !== false || !refusal || !journal.hasReceivedErrorCode(refusal, 'rate_limited'))
    return undefined
  return entries.some((entry) => journal.isSuccess(entry) && knew(entry, refusal)) ? undefined : refusal
}

/** Longest time that a client is expected to wait after a 429, ms: no person waits longer for a command. */
const longestWait = 60_000

/** The rule `goes-on-after-429`: a client that gets a 429 waits for as long as it says, and then finishes its work. */
export const goesOnAfterRateLimitRule: ClientRule = shouldRule('goes-on-after-429', '§7.2', {
  statement: 'A client that meets a 429 waits and goes on, and does not give up.',
  needs: `a 429 whose Retry-After is at most ${longestWait / 1_000} s ahead, and another request for the same operation, or the end of the client there`,
  fix: 'On rate_limited wait for the time in Retry-After, then send the request again.',
  thresholds:
    'The duty is to send nothing too early; to end at a 429 with an error leaves work undone, and breaks no duty.',
  judge(entries, context) {
    const left = rateLimitThatEndedClient(entries, context)
    return entries.flatMap((refusal): RuleSituation[] => {
      const wait = journal.hasReceivedErrorCode(refusal, 'rate_limited') ? retryAfterMs(refusal) : undefined
      if (wait === undefined || wait > longestWait) return []
      const violation = `gave up at a 429 that asks to wait for ${journal.formatMsAsSeconds(wait)}`
      if (refusal === left) return [{ evidence: [refusal], violation }]
      const { next } = nextUnderLimit(entries, refusal, context)
      return next ? [{ evidence: [refusal, next] }] : []
    })
  },
})

/** Shortest time before a retry that counts as a pause, ms. */
const pause = 100
/** Time after which a client that has not retried has given up, ms. */
const patience = 60_000

const isUnavailable = (entry: JournalEntry) => entry.status === 503 && journal.hasReadableAnswer(entry)

const methodAndPathOf = (entry: JournalEntry) => `${entry.method} ${journal.requestPathOf(entry)}`

/** Each series of 503 answers to alike requests, with the next of these, if any; by default those on one path. */
function outages(entries: readonly JournalEntry[], likenessOf = methodAndPathOf): JournalEntry[][] {
  if (!entries.some(isUnavailable)) return []
  const alike = Map.groupBy(entries, likenessOf)
  return [...alike.values()].flatMap((asked) =>
    asked.flatMap((entry, i) => {
      const before = asked[i - 1]
      if (!isUnavailable(entry) || (before && isUnavailable(before))) return []
      const row = journal.entriesUntil(asked.slice(i), (one) => !isUnavailable(one))
      return [asked.slice(i, i + row.length + 1)]
    }),
  )
}

/** The rule `retries-503`: a client retries after a 503, and does not give up at once. */
export const retriesAfterUnavailableRule: ClientRule = mustRule('retries-503', '§7.3', {
  statement: 'On 503 a client retries shortly.',
  needs: 'a 503, and a retry or the end of the client',
  fix: 'Treat unavailable as temporary: send the request again after a second or so, a few times, before giving up.',
  thresholds: `One more try is enough. A client that may still go on has given up after ${patience / 1_000} s.`,
  judge: (entries, { now, end, knew }) =>
    outages(entries).flatMap(([first, ...others]): RuleSituation[] => {
      if (!first) return []
      const next = others.find((entry) => knew(entry, first))
      if (next) return [{ evidence: [first, next] }]
      if (others.length > 0) return []
      const over = end !== undefined || now - first.at > patience
      return over ? [{ evidence: [first], violation: 'gave up at the first 503' }] : []
    }),
})

/** The rule `pauses-after-503`: a client pauses before it repeats a request after a 503. */
export const pausesBetweenRetriesRule: ClientRule = shouldRule('pauses-after-503', '§7.3', {
  statement: 'A client that retries after a 503 pauses between attempts.',
  needs: 'a 503 and a pause before the next attempt, or two attempts without one',
  isHarmless: true,
  fix: 'Pause before each attempt, longer each time (1 s, 2 s, 4 s), with some jitter.',
  thresholds: `Too fast are three attempts within ${2 * pause} ms.`,
  judge: (entries, { knew }) =>
    // Creations of several things are no retries of each other.
    outages(entries, (one) => `${methodAndPathOf(one)} ${one.body}`).flatMap((row): RuleSituation[] => {
      const hasty = row.findIndex((first, i) =>
        row
          .slice(i + 2)
          .some((last) => journal.longestPossibleGapMs(first, last) < 2 * pause && knew(last, first)),
      )
      const violation = 'retried repeatedly without a pause'
      if (hasty >= 0) return [{ evidence: row.slice(hasty, hasty + 3), violation }]
      const calm = row.findIndex(
        (entry, i) => journal.shortestPossibleGapMs(row[i - 1] ?? entry, entry) >= pause,
      )
      return calm < 0 ? [] : [{ evidence: row.slice(calm - 1, calm + 1) }]
    }),
})
