/** The lists of §4, and which of the things that were made each of them shows. */
import type { OperationId } from '#contract/operation.ts'
import type { Answered } from '../event.ts'
import { type Item, identified, isBefore, spanOf } from '../matching.ts'
import type { Document, Key, Organization, Span, State } from '../state.ts'

/** Something that a list may show. */
export interface Made {
  readonly id: string | undefined
  readonly born?: Span | undefined
  /** It may be gone. */
  readonly isDoubtful?: boolean
}

/** A list, and which entries one of its answers can be asked for. */
export interface Listing {
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

export const listings: readonly Listing[] = [
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
export const entriesOf = ({ operation, answer }: Answered): readonly Item[] =>
  identified(answer.json, operation === 'listKeys' ? 'keys' : 'items')
