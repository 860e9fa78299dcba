/** §7: errors that no retry changes. */
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { after, gap, headerOf, isAnswered, isSame, reportsError } from '../entries.ts'
import { followUpOf, withoutDoubt } from '../follow-up.ts'
import type { Rule, Situation } from '../rule.ts'

/** Statuses of invalid_request and not_found, which persist while nothing changes. */
const lasting = new Set([400, 404, 422])
/** A later request may have another reason, ms. */
const soon = 60_000

export const refused: Rule = {
  id: 'no-refused-repeat',
  level: 'SHOULD',
  section: '§7',
  statement:
    'A client does not repeat a request that was rejected as invalid or not found, unless something changed.',
  needs: 'a 400, 404 or 422',
  fix: 'On invalid_request and not_found change the request or report the error; the same request gets the same answer.',
  thresholds: `The same request counts within ${soon / 1_000} s, and if nothing was changed in between.`,
  judge(entries, context) {
    const changes = entries.filter(({ method, status }) => method !== 'GET' && status < 300)
    const groups = [...Map.groupBy(entries, ({ method, url }) => `${method} ${url}`).values()]
    return groups.flatMap((alike) =>
      withoutDoubt(
        alike.flatMap((refusal, i): (Situation | undefined)[] => {
          if (!lasting.has(refusal.status) || !isAnswered(refusal)) return []
          const { next, isDoubtful } = followUpOf(refusal, alike.slice(i + 1), context, (entry) =>
            isSame(entry, refusal),
          )
          const isIdle =
            next &&
            gap(refusal, next) <= soon &&
            !changes.some(({ number }) => number > refusal.number && number < next.number)
          if (!isIdle) return [isDoubtful ? undefined : { evidence: [refusal] }]
          return [
            { evidence: [refusal, next], violation: `sent the same request again after ${refusal.status}` },
          ]
        }),
      ),
    )
  },
}

/** The credential of a request. */
const credentialOf = (entry: JournalEntry) => headerOf(entry, 'authorization') ?? headerOf(entry, 'cookie')

export const unauthorized: Rule = {
  id: 'stops-at-401',
  level: 'SHOULD',
  section: '§5.3, §7',
  statement: 'On 401 a client stops using that key.',
  needs: 'a 401',
  fix: 'On unauthorized stop, and ask the person to log in or to supply another key; no retry makes a key valid.',
  judge: (entries, context) =>
    withoutDoubt(
      entries
        .filter((entry) => reportsError(entry, 'unauthorized'))
        .map((refusal) => {
          const { next, isDoubtful } = followUpOf(
            refusal,
            after(entries, refusal),
            context,
            (entry) => credentialOf(entry) === credentialOf(refusal),
          )
          if (!next) return isDoubtful ? undefined : { evidence: [refusal] }
          const what =
            credentialOf(refusal) === undefined ? 'no credential' : 'a credential that was rejected'
          return { evidence: [refusal, next], violation: `kept using ${what}` }
        }),
    ),
}
