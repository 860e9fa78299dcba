/** §4: a list shows at least its newest entry, and each entry once. */

import type { OperationId } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import { refusals } from '../creations.ts'
import { type Answered, isSuccess } from '../event.ts'
import {
  type Item,
  identified,
  intervalOf,
  isBefore,
  isSameTrimmed,
  mayFall,
  telling,
  textAt,
} from '../matching.ts'
import type { Fact, Interval, Key, Organization, State } from '../state.ts'
import { asTold, ofEach, type Rule, required, rule } from '../violation.ts'

/** The last that was certainly created before a request, and after all others; undefined: there is none. */
function newestBefore(
  things: readonly Made[],
  at: Interval,
): (Made & { readonly born: Interval }) | undefined {
  let newest: (Made & { readonly born: Interval }) | undefined
  for (const thing of things) {
    const { born } = thing
    if (!born) continue
    if (!isBefore(born, at)) return undefined
    if (!newest || newest.born.from.place < born.from.place) newest = { ...thing, born }
  }
  const isAfter = (one: Interval) =>
    newest !== undefined && (one === newest.born || isBefore(one, newest.born))
  return things.every(({ born }) => !born || isAfter(born)) ? newest : undefined
}

/** Something that a list may show. */
interface Made {
  readonly id: string | undefined
  readonly born?: Interval | undefined
  /** It may be gone. */
  readonly isDoubtful?: boolean
}

/**
 * The newest thing is listed: at once as a SHOULD (LIST-PROMPT) unless told otherwise, and once the time that a list may
 * take is over as its requirement says. `shows`: what was made and would be shown; undefined: the answer cannot be judged.
 */
const newest = (
  name: string,
  requirement: string,
  anchor: string,
  [operation, create]: readonly [list: OperationId, create: OperationId],
  promptly = true,
) => ({
  shows(things: (org: Organization, event: Answered, state: State) => readonly Made[] | undefined): Rule[] {
    const listed = (id: string, violated: string, isPrompt: boolean) =>
      rule(id, violated, anchor, [operation], { others: true }).judge((org, event, state) => {
        const made = isSuccess(event.answer) ? things(org, event, state) : undefined
        const at = intervalOf(event)
        const { id, born, isDoubtful } = newestBefore(made ?? [], at) ?? {}
        if (!born || id === undefined || isDoubtful || isBefore(born, at, state.consistency) === isPrompt)
          return undefined
        if (org.creating.some((one) => one.operation === create && mayFall(one, born, at))) return undefined
        const entries = entriesOf(event)
        // Which fields a landing page has in the list is not published.
        if (entries.length < listOf(event).length) return undefined
        const isListed = entries.some((one) => one.id === id)
        return required(
          isListed,
          `the new ${name.replaceAll('-', ' ')} ${id}`,
          `${entries.length} others`,
          born.by,
        )
      })
    const late = listed(`${name}-listed`, requirement, false)
    return promptly ? [late, listed(`${name}-listed-promptly`, 'LIST-PROMPT', true)] : [late]
  },
})

const bornIn = <T extends { readonly born?: Interval | undefined }>(
  things: ReadonlyMap<string, T>,
  isMeant: (one: T) => boolean = () => true,
): readonly Made[] => [...things].filter(([, one]) => isMeant(one)).map(([id, { born }]) => ({ id, born }))

/** Keys that exist: a deleted one may stay in the list, and is then its newest entry. */
function keysIn(org: Organization, event: Answered, { consistency }: State): Made[] {
  const listed = entriesOf(event)
  const isGone = ({ id, deleted }: Key) =>
    deleted && isBefore(deleted, intervalOf(event), consistency) && !listed.some((one) => one.id === id)
  return [...org.keys.values()]
    .filter((key) => !isGone(key))
    .map(({ id, born, deletions }) => ({ id, born, isDoubtful: deletions.length > 0 }))
}

const ofDocuments = ['listDocuments', 'createDocument'] as const
const ofPages = ['listLandingPages', 'createLandingPage'] as const

const newestListed: readonly Rule[] = [
  ...newest('task', 'TASK-LISTED', 'list-contents', ['listTasks', 'createTask']).shows(({ tasks }) =>
    bornIn(tasks),
  ),
  ...newest('document', 'DOC-ALL', 'list-contents', ofDocuments).shows(({ documents }, { query }) =>
    query?.all === '1' ? bornIn(documents) : undefined,
  ),
  ...newest('filed-document', 'DOC-FOLDER', 'list-documents', ofDocuments, false).shows(
    ({ documents }, { query }) => {
      const folder = query?.all === undefined ? query?.folder_id : undefined
      return folder === undefined
        ? undefined
        : bornIn(documents, ({ fields }) => fields.folder_id?.value === folder)
    },
  ),
  ...newest('unfiled-document', 'DOC-UNFILED', 'list-documents', ofDocuments, false).shows(
    ({ documents }, { query = {} }) =>
      Object.keys(query).length === 0 ? bornIn(documents, ({ isUnfiled }) => isUnfiled === true) : undefined,
  ),
  ...newest('key', 'KEY-LISTED', 'list-keys', ['listKeys', 'createKey']).shows(keysIn),
  ...newest('landing-page', 'LANDING-PAGE-LISTED', 'list-landing-pages', ofPages).shows(({ pages }) =>
    bornIn(pages),
  ),
]

const listName = ({ operation }: Answered) => (operation === 'listKeys' ? 'keys' : 'items')

/** The entries of a list that have an id. */
const entriesOf = (event: Answered): readonly Item[] => identified(event.answer.json, listName(event))

/** All entries of a list. */
function listOf(event: Answered): readonly unknown[] {
  const list = field(event.answer.json, listName(event))
  return Array.isArray(list) ? list : []
}

/** Nothing is listed that has the text of something created, and that nobody has created or listed before. */
const createdOnce = (
  requirement: string,
  anchor: string,
  [operation, create]: readonly [list: OperationId, create: OperationId],
  name: string,
  /** What is known of an entry. */
  seenIn: (
    org: Organization,
    id: string,
  ) => { readonly born?: Interval | undefined; readonly text?: Fact<string> | undefined } | undefined,
): Rule =>
  rule(`${create}-once`, requirement, anchor, [operation], { others: true }).judge((org, event) => {
    const at = intervalOf(event)
    return ofEach(entriesOf(event), event, ({ id, item }) => {
      const shown = textAt(item, name)?.trim() ?? ''
      const seen = seenIn(org, id)
      const twin = seen?.born || shown.length < telling ? undefined : org.named.get(`${create} ${shown}`)
      if (!twin || twin.born.by >= (seen?.text?.by ?? Number.POSITIVE_INFINITY)) return undefined
      const isOpen = org.creating.some((one) => isSameTrimmed(one.name, shown) && mayFall(one, one, at))
      return isOpen
        ? undefined
        : required(false, `nothing else with the ${name} of ${twin.id}`, id, twin.born.by)
    })
  })

/** What a refused creation would have created is not listed, unless it was asked for again. */
const notCreated = (
  kind: 'TASK' | 'DOCUMENT' | 'KEY' | 'LANDING-PAGE',
  [operation, create]: readonly [list: OperationId, create: OperationId],
  name: string,
): Rule[] =>
  refusals
    .filter(([status]) => kind !== 'KEY' || status === 401)
    .map(([status, prefix, anchor]) =>
      rule(`not-created-${status}-${kind.toLowerCase()}`, `${prefix}-${kind}`, anchor, [operation], {
        others: true,
      }).judge((_, event, { refused, organizations }) => {
        const isAskedAgain = (shown: string) =>
          [...organizations.values()].some(
            ({ named, creating }) =>
              named.has(`${create} ${shown}`) || creating.some((one) => isSameTrimmed(one.name, shown)),
          )
        const isTried = refused.keys().some((one) => one.startsWith(`${status} ${create} `))
        return ofEach(isTried ? entriesOf(event) : undefined, event, ({ id, item }) => {
          const shown = textAt(item, name)?.trim() ?? ''
          const by = refused.get(`${status} ${create} ${shown}`)
          if (by === undefined || isAskedAgain(shown)) return undefined
          return required(false, `nothing that was refused with ${status}`, `${id} with its ${name}`, by)
        })
      }),
    )

export const lists: readonly Rule[] = [
  ...notCreated('TASK', ['listTasks', 'createTask'], 'text'),
  ...notCreated('DOCUMENT', ofDocuments, 'title'),
  ...notCreated('KEY', ['listKeys', 'createKey'], 'name'),
  ...notCreated('LANDING-PAGE', ofPages, 'business_name'),
  createdOnce('TASK-CREATED-ONCE', 'create-task', ['listTasks', 'createTask'], 'text', ({ tasks }, id) =>
    tasks.get(id),
  ),
  createdOnce('DOC-CREATED-ONCE', 'create-document', ofDocuments, 'title', ({ documents }, id) => {
    const seen = documents.get(id)
    return seen && { born: seen.born, text: seen.fields.title }
  }),
  rule('listed-once', 'LIST-IDS-UNIQUE', 'ids', [
    'listTasks',
    'listDocuments',
    'listNotifications',
    'listKeys',
  ]).judge((_, event) => {
    if (!isSuccess(event.answer)) return undefined
    const seen = new Set<string>()
    const twice = entriesOf(event).find(({ id }) => seen.size === seen.add(id).size)
    return required(!twice, 'each id once', `${twice?.id} twice`)
  }),
  ...newestListed,
  rule('landing-page-name-listed', 'LANDING-PAGE-LISTED-SAME', 'landing-page-fields', [
    'listLandingPages',
  ]).judge(({ pages, creating }, event, { consistency }) => {
    const at = intervalOf(event)
    return ofEach(entriesOf(event), event, ({ id, item }) => {
      const { changed, name } = pages.get(id) ?? {}
      const shown = field(item, 'business_name')
      if (!changed || typeof shown !== 'string' || !isBefore(changed, at, consistency)) return undefined
      if (creating.some((one) => isSameTrimmed(one.name, shown) && mayFall(one, changed, at)))
        return undefined
      return asTold(shown, name, `business_name of ${id}`, changed.by)
    })
  }),
]
