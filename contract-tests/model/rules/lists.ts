/** §4: a list shows at least its newest entry, and each entry once. */
import { field } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import { isBefore, isSameTrimmed, mayFall, show, spanOf } from '../matching.ts'
import type { Organization, Span, State } from '../state.ts'
import { hold, type Rule, rule } from '../violation.ts'
import { entriesOf, type Listing, listings, type Made } from './listings.ts'

/** The last that was certainly created before a request, and after all others; undefined: there is none. */
function newestBefore(things: readonly Made[], at: Span): (Made & { readonly born: Span }) | undefined {
  let newest: (Made & { readonly born: Span }) | undefined
  for (const thing of things) {
    const { born } = thing
    if (!born) continue
    if (!isBefore(born, at)) return undefined
    if (!newest || newest.born.from.place < born.from.place) newest = { ...thing, born }
  }
  const isAfter = (one: Span) => newest !== undefined && (one === newest.born || isBefore(one, newest.born))
  return things.every(({ born }) => !born || isAfter(born)) ? newest : undefined
}

/** The newest thing is listed: at once as a SHOULD, once the time that a list may take is over as its requirement says. */
function newestListed(listing: Listing): readonly Rule[] {
  const { name, operation, create, requirement, anchor, promptly, things } = listing
  const judge = (org: Organization, event: Answered, state: State, isPrompt: boolean) => {
    const made = isSuccess(event.answer) ? things(org, event, state) : undefined
    const at = spanOf(event)
    const { id, born, isDoubtful } = newestBefore(made ?? [], at) ?? {}
    if (!born || id === undefined || isDoubtful || isBefore(born, at, state.lag) === isPrompt)
      return undefined
    if (org.creating.some((one) => one.operation === create && mayFall(one, born, at))) return undefined
    const listed = entriesOf(event)
    return hold(
      listed.some((one) => one.id === id),
      `the new ${name.replaceAll('-', ' ')} ${id}`,
      `${listed.length} others`,
      born.by,
    )
  }
  const rules: Omit<Rule, 'others' | 'once'>[] = [
    {
      id: `${name}-listed`,
      requirement,
      anchor,
      operations: [operation],
      judge: (org, event, state) => judge(org, event, state, false),
    },
    {
      id: `${name}-listed-promptly`,
      requirement: 'LIST-PROMPT',
      anchor,
      operations: [operation],
      judge: (org, event, state) => judge(org, event, state, true),
    },
  ]
  return rules.slice(0, promptly ? 2 : 1).map((one) => rule({ ...one, others: true }))
}

export const lists: readonly Rule[] = [
  rule({
    id: 'listed-once',
    requirement: 'LIST-IDS-UNIQUE',
    anchor: 'ids',
    operations: ['listTasks', 'listDocuments', 'listNotifications', 'listKeys'],
    judge(_, event) {
      if (!isSuccess(event.answer)) return undefined
      const seen = new Set<string>()
      const twice = entriesOf(event).find(({ id }) => seen.size === seen.add(id).size)
      return hold(!twice, 'each id once', `${twice?.id} twice`)
    },
  }),
  ...listings.flatMap(newestListed),
  rule({
    id: 'landing-page-name-listed',
    requirement: 'LANDING-PAGE-LISTED-SAME',
    anchor: 'landing-page-fields',
    operations: ['listLandingPages'],
    judge({ pages, creating }, event, { lag }) {
      const at = spanOf(event)
      for (const { id, item } of entriesOf(event)) {
        const { changed, name } = pages.get(id) ?? {}
        const shown = field(item, 'business_name')
        if (!changed || name === undefined || typeof shown !== 'string' || isSameTrimmed(shown, name))
          continue
        if (!isBefore(changed, at, lag)) continue
        if (creating.some((one) => isSameTrimmed(one.name, shown) && mayFall(one, changed, at))) continue
        return {
          expected: `business_name of ${id}: ${show(name)}`,
          actual: show(shown),
          because: [changed.by],
        }
      }
      return isSuccess(event.answer) || undefined
    },
  }),
]
