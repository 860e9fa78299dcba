/** §4: a list shows at least its newest entry, and each entry once. */

import type { OperationId } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import { type Item, identified, isBefore, isSameTrimmed, mayFall, spanOf } from '../matching.ts'
import type { Document, Key, Organization, Span, State } from '../state.ts'
import { asTold, hold, ofEach, type Rule, rule } from '../violation.ts'

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
  const listed = (id: string, required: string, isPrompt: boolean) =>
    rule(id, required, anchor, [operation], { others: true }).judge((org, event, state) =>
      judge(org, event, state, isPrompt),
    )
  const late = listed(`${name}-listed`, requirement, false)
  return promptly ? [late, listed(`${name}-listed-promptly`, 'LIST-PROMPT', true)] : [late]
}

/** Something that a list may show. */
interface Made {
  readonly id: string | undefined
  readonly born?: Span | undefined
  /** It may be gone. */
  readonly isDoubtful?: boolean
}

/** A list, and which entries one of its answers can be asked for. */
interface Listing {
  /** What it lists, as ids of rules and reports name it. */
  readonly name: string
  readonly operation: OperationId
  readonly create: OperationId
  readonly requirement: string
  readonly anchor: string
  /** It is new in the list at once, as a SHOULD (LIST-PROMPT). */
  readonly promptly?: true
  /** What was made and would be shown; undefined: the answer cannot be judged. */
  things(org: Organization, event: Answered, state: State): readonly Made[] | undefined
}

const documentsOf = ({ documents }: Organization, isMeant: (document: Document) => boolean) =>
  [...documents].filter(([, one]) => isMeant(one)).map(([id, { born }]) => ({ id, born }))

/** Keys that exist: a deleted one may stay in the list, and is then its newest entry. */
function keysIn(org: Organization, event: Answered, { lag }: State): Made[] {
  const listed = entriesOf(event)
  const isGone = ({ id, deleted }: Key) =>
    deleted && isBefore(deleted, spanOf(event), lag) && !listed.some((one) => one.id === id)
  return [...org.keys.values()]
    .filter((key) => !isGone(key))
    .map(({ id, born, deletions }) => ({ id, born, isDoubtful: deletions.length > 0 }))
}

const listings: readonly Listing[] = [
  {
    name: 'task',
    operation: 'listTasks',
    create: 'createTask',
    requirement: 'TASK-LISTED',
    anchor: 'list-contents',
    promptly: true,
    things: ({ tasks }) => [...tasks].map(([id, { born }]) => ({ id, born })),
  },
  {
    name: 'document',
    operation: 'listDocuments',
    create: 'createDocument',
    requirement: 'DOC-ALL',
    anchor: 'list-contents',
    promptly: true,
    things: (org, { query }) => (query?.all === '1' ? documentsOf(org, () => true) : undefined),
  },
  {
    name: 'filed-document',
    operation: 'listDocuments',
    create: 'createDocument',
    requirement: 'DOC-FOLDER',
    anchor: 'list-documents',
    things(org, { query }) {
      const folder = query?.all === undefined ? query?.folder_id : undefined
      return folder === undefined
        ? undefined
        : documentsOf(org, ({ fields }) => fields.folder_id?.value === folder)
    },
  },
  {
    name: 'unfiled-document',
    operation: 'listDocuments',
    create: 'createDocument',
    requirement: 'DOC-UNFILED',
    anchor: 'list-documents',
    things: (org, { query }) =>
      Object.keys(query ?? {}).length === 0
        ? documentsOf(org, ({ isUnfiled }) => isUnfiled === true)
        : undefined,
  },
  {
    name: 'key',
    operation: 'listKeys',
    create: 'createKey',
    requirement: 'KEY-LISTED',
    anchor: 'list-keys',
    promptly: true,
    things: keysIn,
  },
  {
    name: 'landing-page',
    operation: 'listLandingPages',
    create: 'createLandingPage',
    requirement: 'LANDING-PAGE-LISTED',
    anchor: 'list-landing-pages',
    promptly: true,
    things: ({ pages }) => [...pages].map(([id, { born }]) => ({ id, born })),
  },
]

/** The entries of a list. */
const entriesOf = ({ operation, answer }: Answered): readonly Item[] =>
  identified(answer.json, operation === 'listKeys' ? 'keys' : 'items')

export const lists: readonly Rule[] = [
  rule('listed-once', 'LIST-IDS-UNIQUE', 'ids', [
    'listTasks',
    'listDocuments',
    'listNotifications',
    'listKeys',
  ]).judge((_, event) => {
    if (!isSuccess(event.answer)) return undefined
    const seen = new Set<string>()
    const twice = entriesOf(event).find(({ id }) => seen.size === seen.add(id).size)
    return hold(!twice, 'each id once', `${twice?.id} twice`)
  }),
  ...listings.flatMap(newestListed),
  rule('landing-page-name-listed', 'LANDING-PAGE-LISTED-SAME', 'landing-page-fields', [
    'listLandingPages',
  ]).judge(({ pages, creating }, event, { lag }) => {
    const at = spanOf(event)
    return ofEach(entriesOf(event), event, ({ id, item }) => {
      const { changed, name } = pages.get(id) ?? {}
      const shown = field(item, 'business_name')
      if (!changed || typeof shown !== 'string' || !isBefore(changed, at, lag)) return undefined
      if (creating.some((one) => isSameTrimmed(one.name, shown) && mayFall(one, changed, at)))
        return undefined
      return asTold(shown, name, `business_name of ${id}`, changed.by)
    })
  }),
]
