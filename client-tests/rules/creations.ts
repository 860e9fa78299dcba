/** §4: what a client does while a list does not show yet what it has created. */
import type { OperationId } from '#contract/operation.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import { answerJsonOf, formatSeconds, isSuccess, minRequestGapMs } from '../entries.ts'
import { type ClientRule, type Situation, shouldRule } from '../rule.ts'
import { idNamedBy, idsIn, pathInCollection } from './ids.ts'

/** The noun of the thing that each operation creates, and the operation that lists such things. */
const creations: { readonly [O in OperationId]?: readonly [noun: string, list: OperationId] } = {
  createTask: ['task', 'listTasks'],
  createDocument: ['document', 'listDocuments'],
  createKey: ['key', 'listKeys'],
  createLandingPage: ['landing page', 'listLandingPages'],
}

/** Longest time between a list and a creation that answers to it, ms. */
const longestReactionMs = 10_000

/** How many requests after a creation are searched for the next one about what was created. */
const maxFollowing = 50

/** True if a list was received whole, and lacks an id. */
const lacks = (list: JournalEntry, id: string): boolean =>
  isSuccess(list) && ['items', 'keys'].some((name) => name in answerJsonOf(list)) && !idsIn(list).includes(id)

/** True if a request names an id in its path. */
function names(entry: JournalEntry, id: string): boolean {
  const about = pathInCollection(entry)
  return about !== undefined && idNamedBy(about.of, about.path) === id
}

/** The rule `trusts-creations`: what was created is there, although a list shows it late. */
export const trustsCreationsRule: ClientRule = shouldRule('trusts-creations', '§4', {
  statement: 'A client that has created something does not create it again because a list lacks it.',
  needs: 'something that the client creates, and then names by its id or creates again',
  fix: 'Keep the id of the answer that created it: a list may show it a moment later, but by its id it is there at once.',
  thresholds: `The second creation has the same body, and was sent up to ${longestReactionMs / 1_000} s after a list without the first, which no request had named by its id, and within the next ${maxFollowing} requests.`,
  judge: (entries, { knew }) =>
    entries.flatMap((creation, i): Situation[] => {
      const [noun, listing] = (creation.operation && creations[creation.operation]) ?? []
      const [id] = noun === undefined ? [] : idsIn(creation)
      if (id === undefined) return []
      const later = entries.slice(i + 1, i + 1 + maxFollowing).filter((one) => knew(one, creation))
      const next = later.find(
        (one) => names(one, id) || (one.operation === creation.operation && one.body === creation.body),
      )
      if (!next) return []
      if (next.operation !== creation.operation) return [{ evidence: [creation, next] }]
      const list = later.findLast((one) => one.operation === listing && knew(next, one))
      if (!list || !lacks(list, id) || minRequestGapMs(list, next) > longestReactionMs) return []
      const violation = `created a ${noun} again ${formatSeconds(minRequestGapMs(list, next))} after a list that did not show it`
      return [{ evidence: [creation, list, next], violation }]
    }),
})
