/** §7.3: how a client retries while the service is unavailable. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { gap, isAnswered, pathOf, until } from '../entries.ts'
import type { Rule, Situation } from '../rule.ts'

/** A client that retries sooner has not paused, ms. */
const pause = 100
/** A client that has not retried by then has given up, ms. */
const patience = 60_000

const isUnavailable = (entry: JournalEntry) => entry.status === 503 && isAnswered(entry)

/** Each run of 503 answers on one path, with the next request there, if any. */
function outages(entries: readonly JournalEntry[]): JournalEntry[][] {
  const byPath = Map.groupBy(entries, (entry) => `${entry.method} ${pathOf(entry)}`)
  return [...byPath.values()].flatMap((asked) =>
    asked.flatMap((entry, i) => {
      const before = asked[i - 1]
      if (!isUnavailable(entry) || (before && isUnavailable(before))) return []
      const row = until(asked.slice(i), (one) => !isUnavailable(one))
      return [asked.slice(i, i + row.length + 1)]
    }),
  )
}

export const retries: Rule = {
  id: 'retries-503',
  level: 'MUST',
  section: '§7.3',
  statement: 'On 503 a client retries shortly.',
  needs: 'a 503, and a retry or the end of the client',
  fix: 'Treat unavailable as temporary: send the request again after a second or so, a few times, before giving up.',
  thresholds: `One more try is enough. A client that may still go on has given up after ${patience / 1_000} s.`,
  judge: (entries, { now, end, knew }) =>
    outages(entries).flatMap(([first, ...others]): Situation[] => {
      if (!first) return []
      const next = others.find((entry) => knew(entry, first))
      if (next) return [{ evidence: [first, next] }]
      if (others.length > 0) return []
      const over = end !== undefined || now - first.at > patience
      return over ? [{ evidence: [first], violation: 'gave up at the first 503' }] : []
    }),
}

export const pauses: Rule = {
  id: 'pauses-after-503',
  level: 'SHOULD',
  section: '§7.3',
  statement: 'A client that retries after a 503 pauses between attempts.',
  needs: 'a 503 and a pause before the next attempt, or two attempts without one',
  isHarmless: true,
  fix: 'Pause before each attempt, longer each time (1 s, 2 s, 4 s), with some jitter.',
  thresholds: `Too fast are three attempts within ${2 * pause} ms.`,
  judge: (entries, { knew }) =>
    outages(entries).flatMap((row): Situation[] => {
      const hasty = row.findIndex((first, i) =>
        row.slice(i + 2).some((last) => gap(first, last) < 2 * pause && knew(last, first)),
      )
      const violation = 'retried repeatedly without a pause'
      if (hasty >= 0) return [{ evidence: row.slice(hasty, hasty + 3), violation }]
      const calm = row.findIndex((entry, i) => gap(row[i - 1] ?? entry, entry) >= pause)
      return calm < 0 ? [] : [{ evidence: row.slice(calm - 1, calm + 1) }]
    }),
}
