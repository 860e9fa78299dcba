/** §4: creations that a client sends twice: at once, or because a list does not show the first one yet. */
import type { OperationId } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import {
  answerJsonOf,
  formatMsAsSeconds,
  isSameRequest,
  isSentWithoutWaiting,
  isSuccess,
  minReactionTimeMs,
  shortestPossibleGapMs,
} from '../entries.ts'
import { type ClientRule, type RuleSituation, shouldRule } from '../rule.ts'
import { decodedIdInPath, idsShownInAnswer, resourcePathOf } from './ids.ts'

/** The noun of the thing that each operation creates, and the operation that lists such things. */
const creations: { readonly [O in OperationId]?: readonly [noun: string, list: OperationId] } = {
  createTask: ['task', 'listTasks'],
  createDocument: ['document', 'listDocuments'],
  createKey: ['key', 'listKeys'],
  createLandingPage: ['landing page', 'listLandingPages'],
}

/** Longest time between a list and a creation that answers to it, ms. */
const longestReactionMs = 10_000

/** The number of requests, or creations, after a creation that are searched for one about the same. */
const maxFollowing = 50

/** True if a list was received whole, and lacks an id. */
const lacks = (list: JournalEntry, id: string): boolean =>
  isSuccess(list) &&
  ['items', 'keys'].some((name) => name in answerJsonOf(list)) &&
  !idsShownInAnswer(list).includes(id)

/** True if a request names an id in its path. */
function names(entry: JournalEntry, id: string): boolean {
  const about = resourcePathOf(entry)
  return about !== undefined && decodedIdInPath(about.of, about.path) === id
}

/** The rule `trusts-creations`: a client assumes that what it created exists, even if a list does not show it yet. */
export const trustsCreationsRule: ClientRule = shouldRule('trusts-creations', '§4', {
  statement: 'A client that has created something does not create it again because a list lacks it.',
  needs: 'something that the client creates, and then names by its id or creates again',
  fix: 'Keep the id of the answer that created it: a list may show it a moment later, but by its id it is there at once.',
  thresholds: `The second creation has the same body, and was sent up to ${longestReactionMs / 1_000} s after a list without the first, which no request had named by its id, and within the next ${maxFollowing} requests.`,
  judge: (entries, { knew }) =>
    entries.flatMap((creation, i): RuleSituation[] => {
      const [noun, listing] = (creation.operation && creations[creation.operation]) ?? []
      const [id] = noun === undefined ? [] : idsShownInAnswer(creation)
      if (id === undefined) return []
      const later = entries.slice(i + 1, i + 1 + maxFollowing).filter((one) => knew(one, creation))
      const next = later.find(
        (one) => names(one, id) || (one.operation === creation.operation && one.body === creation.body),
      )
      if (!next) return []
      if (next.operation !== creation.operation) return [{ evidence: [creation, next] }]
      const list = later.findLast((one) => one.operation === listing && knew(next, one))
      if (!list || !lacks(list, id) || shortestPossibleGapMs(list, next) > longestReactionMs) return []
      const violation = `created a ${noun} again ${formatMsAsSeconds(shortestPossibleGapMs(list, next))} after a list that did not show it`
      return [{ evidence: [creation, list, next], violation }]
    }),
})

/** The rule `submits-once`: a client does not send the same creation twice at once, as by a double click. */
export const submitsOnceRule: ClientRule = shouldRule('submits-once', '§4, §8.2', {
  statement: 'A client does not create the same twice at once.',
  needs: 'two creations of one kind',
  isHarmless: true,
  fix: 'Disable the button while its request is under way, and create where the event is handled: React runs effects twice in StrictMode. Where two of the same are wanted, give them different texts.',
  thresholds: `The second has the same body, and was sent before the answer to the first or up to ${minReactionTimeMs} ms after it on another connection; both have succeeded, and no request between them names the first by its id.`,
  judge(entries, context) {
    const made = entries.filter((entry) => entry.operation && creations[entry.operation] && isSuccess(entry))
    const doubled = made.flatMap((first, i): RuleSituation[] => {
      const later = made.slice(i + 1, i + 1 + maxFollowing)
      // A client that has used the answer to the first had received it.
      const isKnown = (end: JournalEntry) =>
        idsShownInAnswer(first).some((id) => entries.some((one) => one.number < end.number && names(one, id)))
      const second = later.find(
        (one) => isSameRequest(one, first) && isSentWithoutWaiting(first, one, context) && !isKnown(one),
      )
      const [noun] = (first.operation && creations[first.operation]) ?? []
      return second
        ? [{ evidence: [first, second], violation: `created the same ${noun} twice at once` }]
        : []
    })
    if (doubled.length > 0) return doubled
    const again = made.find((one) => made.some((other) => other !== one && other.operation === one.operation))
    return again ? [{ evidence: [again] }] : []
  },
})
