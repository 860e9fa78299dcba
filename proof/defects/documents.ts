/** §2 Document, §4 Documents: documents that are lost, damaged or listed in the wrong place. */
import { escapeRegExp } from '#contract/input/pattern.ts'
import type { AnswerOf } from '#contract/operation.ts'
import type { Document } from '#mocks/core/resources.ts'
import { viewDocument, viewDocumentInList } from '#mocks/handlers/views.ts'
import { combineMutations } from '../mutations/mutation.ts'
import { showTaskOfBusyAgent } from '../mutations/organizations.ts'
import {
  changeField,
  changeItems,
  createEveryNthCallPredicate,
  replaceAnswersWithError,
} from '../mutations/reply.ts'
import {
  callAfterHandling,
  changeAnswer,
  changeRequestBody,
  refuseRequests,
  replaceHandler,
  showCreationsLate,
} from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'
import {
  createTwice,
  isAtMostOneSecond,
  listOnlyOfSameKey,
  omitCreationsFromLists,
  reuseIds,
  textCorruptions,
  wrapAroundIds,
} from './tasks.ts'

const asNull = (text: unknown) => (text === 'null' ? null : text)
const zeroAsNull = (text: unknown) => (text === '0' ? null : text)

type IsListed = (document: Document, folder: string | undefined) => boolean

/** Lists other documents for a folder or for none, or for all=1. */
const listing = (isListed: IsListed, isInAll: IsListed = () => true) =>
  replaceHandler('listDocuments', ({ org, query: { all, folder_id } }) => {
    const isMeant = all ? isInAll : isListed
    return { items: org.documents.newest(Infinity, (one) => isMeant(one, folder_id)).map(viewDocumentInList) }
  })

const inFolder: IsListed = (document, folder) => document.folder_id === (folder ?? null)

/** Refuses lists with a parameter. */
const refusing = (parameter: 'all' | 'folder_id', status: number, error: string) =>
  replaceAnswersWithError(
    (reply, { request }) => reply.status < 300 && new URL(request.url).searchParams.has(parameter),
    [status, error],
    'listDocuments',
  )

/** Cuts the content of documents after so many characters when they are read. */
const contentCut = (length: number) =>
  changeField('getDocument', 'item.content_md', (content) =>
    content ? String(content).slice(0, length) : content,
  )

/** Cuts a field of every document after so many characters when it is created. */
const cutAfter = (name: 'title' | 'summary', length: number) =>
  changeRequestBody('createDocument', (body) => ({ ...body, [name]: body[name]?.slice(0, length) }))

/** Deliberate defects of documents that are lost, damaged or listed wrongly. */
export const documentDefects: readonly Defect[] = [
  ...defectForEach(textCorruptions, ([name, description, damage]) => [
    `DOC-TEXT-${name} doc-text-${name.toLowerCase()}: The content of a document ${description}.`,
    changeRequestBody('createDocument', ({ content_md, ...body }) =>
      content_md === undefined ? body : { ...body, content_md: damage(content_md) },
    ),
  ]),
  ...defectsOfTable({
    'DOC-CONTENT-LONG doc-content-cut: The content of a document is cut after 10,000 characters.': () =>
      contentCut(10_000),
    'DOC-CONTENT-LONG doc-content-cut-late: The content of a document is cut after 80,000 characters.': () =>
      contentCut(80_000),
    'DOC-CONTENT-LONG doc-content-column: The content of a document is cut after 65,535 characters.': () =>
      contentCut(65_535),
    'DOC-KEEPS-CONTENT_MD doc-content-dropped: A document is read back without its content.': () =>
      changeField('getDocument', 'item.content_md', null),
    'DOC-TEXT-MARKUP doc-text-scripts: Scripts are removed from the content of a document.': () =>
      changeField('getDocument', 'item.content_md', (content) =>
        content ? String(content).replace(/<script>.*?<\/script>/g, '') : content,
      ),
    'DOC-TEXT-MARKUP doc-text-unescaped: Backslash and n in the content of a document become a line end.':
      () =>
        changeField('getDocument', 'item.content_md', (content) =>
          content ? String(content).replaceAll('\\n', '\n') : content,
        ),
    'DOC-TEXT-LINES doc-text-bullets: List items in the content of a document begin with an asterisk, not a hyphen.':
      () =>
        changeField('getDocument', 'item.content_md', (content) =>
          content ? String(content).replace(/^- /gm, '* ') : content,
        ),
    'DOC-ANSWER-FIELDS doc-content-printed: A content that was not sent is read back as the text undefined.':
      () => changeField('getDocument', 'item.content_md', (content) => content ?? 'undefined'),
    'ACCEPTS-createDocument doc-title-taken: A document with the title of another one is refused with 409 invalid_request.':
      () =>
        refuseRequests('createDocument', 'conflict', ({ org, body: { title } }) =>
          org.documents.newest(Infinity, (document) => document.title === title).at(0),
        ),
    'DOC-ANSWER-TITLE doc-title-cut: The title of a document is cut after 255 characters.': () =>
      cutAfter('title', 255),
    'DOC-ANSWER-TITLE doc-title-cut-long: The title of a document is cut after 1,000 characters.': () =>
      cutAfter('title', 1_000),
    'DOC-ALL doc-unlisted-beside-other-work: A created document is in no list; the agent is busy with a task of its own.':
      () => {
        const created = new Set<Document>()
        return combineMutations(
          showTaskOfBusyAgent(),
          callAfterHandling('createDocument', ({ org }) => {
            for (const one of org.documents.newest(1)) created.add(one)
          }),
          listing(
            (document, folder) => !created.has(document) && inFolder(document, folder),
            (document) => !created.has(document),
          ),
        )
      },
    'DOC-ANSWER-FIELDS doc-summary-cut: The summary of a document is cut after 1,000 characters.': () =>
      cutAfter('summary', 1_000),
    'DOC-KEEPS-SUMMARY doc-summary-column: The summary of a document is cut after 65,535 characters.': () =>
      cutAfter('summary', 65_535),
    'DOC-KEEPS-SUMMARY doc-summary-zero: A summary that reads 0 is stored as null.': () =>
      changeField(['createDocument', 'getDocument'], 'item.summary', zeroAsNull),
    'DOC-KEEPS-SUMMARY doc-summary-null: A summary that reads null is stored as null.': () =>
      changeField(['createDocument', 'getDocument'], 'item.summary', (text) =>
        text === 'null' ? null : text,
      ),
    'DOC-KEEPS-CONTENT_MD doc-content-zero: A content that reads 0 is stored as null.': () =>
      changeField(['createDocument', 'getDocument'], 'item.content_md', zeroAsNull),
    'ACCEPTS-createDocument doc-title-zero: A title that reads 0 is refused as missing.': () =>
      refuseRequests('createDocument', 'invalid', ({ body }) => body.title === '0'),
    'DOC-KEEPS-SUMMARY doc-summary-dropped: A document is read back without its summary.': () =>
      changeField('getDocument', 'item.summary', undefined),
    'DOC-KEEPS-SUMMARY doc-summary-as-content: The summary of a document without content becomes its content.':
      () =>
        changeRequestBody('createDocument', ({ content_md, summary, ...body }) => ({
          ...body,
          ...(content_md ? { content_md, summary } : { content_md: summary }),
        })),
    'DOC-TITLE-SPACES doc-title-trimmed: The title of a document loses the spaces around it.': () =>
      changeField('getDocument', 'item.title', (title) => String(title).trim()),
    'SHAPE-createDocument SHAPE-listDocuments doc-title-null: A title that reads null is shown as null.':
      () =>
        combineMutations(
          changeField(['createDocument', 'getDocument'], 'item.title', asNull),
          changeField('listDocuments', 'items.*.title', asNull),
        ),
    'DOC-ALL doc-list-of-the-key: listDocuments shows only the documents that the same key has created.':
      () => listOnlyOfSameKey('createDocument', 'item', 'listDocuments'),
    'DOC-KEEPS-TITLE doc-title-slash: A slash in a title becomes a hyphen.': () =>
      changeField('getDocument', 'item.title', (title) => String(title).replaceAll('/', '-')),
    'DOC-KEEPS-TITLE doc-title-backslashes-halved: Two backslashes in a title become one.': () =>
      changeField('getDocument', 'item.title', (title) => String(title).replaceAll('\\\\', '\\')),
    'DOC-KEEPS-TITLE doc-title-plain: A title loses the signs of Markdown.': () =>
      changeField('getDocument', 'item.title', (title) => String(title).replace(/[*_`#]/g, '')),
    'DOC-KEEPS-TITLE doc-title-formula: A title that begins like a formula gets an apostrophe before it.':
      () => changeField('getDocument', 'item.title', (title) => String(title).replace(/^\s*(?=[=+@-])/, "'")),
    'DOC-KEEPS-TITLE doc-title-ascii: A title keeps only ASCII characters.': () =>
      changeField('getDocument', 'item.title', (title) => String(title).replace(/[^ -~]/g, '?')),
    'DOC-ANSWER-TITLE doc-title-answered-otherwise: The answer that creates a document has another title.':
      () => changeField('createDocument', 'item.title', 'Untitled'),
    'DOC-ANSWER-FIELDS document-answered-with-title: The response to createDocument shows the title in the place of the summary.':
      () =>
        changeField('createDocument', 'item.summary', (summary, item) =>
          summary === null ? null : item.title,
        ),
    'DOC-ANSWER-FIELDS document-list-exchanged: The list shows the content of a document as its summary, and the other way round.':
      () =>
        changeAnswer('listDocuments', ({ items }, { org }) => ({
          items: items.map((item) => {
            const { content_md, summary } = org.documents.get(String(item.id)) ?? {}
            return { ...item, content_md: summary, summary: content_md }
          }),
        })),
    'DOC-LISTED-SAME doc-title-listed-otherwise: The list cuts titles after ten characters.': () =>
      changeField('listDocuments', 'items.*.title', (title) => String(title).slice(0, 10)),
    'DOC-FIELDS-ACCEPTED doc-title-unquoted: A title with an apostrophe is answered 500.': () =>
      refuseRequests('createDocument', 'internal_error', ({ body }) => body.title.includes("'")),
    'DOC-FIELDS-ACCEPTED doc-fields-refused: A document with a summary is refused.': () =>
      refuseRequests('createDocument', 'invalid', ({ body }) => body.summary !== undefined),
    'DOC-READABLE doc-lost: A created document is not found.': () =>
      refuseRequests('getDocument', 'not_found'),
    'DOC-READABLE doc-replaces-namesake: A document is not found any more once another one has its title.':
      () =>
        refuseRequests('getDocument', 'not_found', ({ org, id }) => {
          const title = org.documents.get(id)?.title
          return org.documents.newest(1, (one) => one.title === title)[0]?.id !== id
        }),
    'DOC-READABLE doc-other-id: A document is read back with another id.': () =>
      changeField('getDocument', 'item.id', (id) => `document:${id}`),
    'DOC-READABLE doc-first-of-all: Every read of a document returns the newest one.': () =>
      changeAnswer('getDocument', (_, { org }) => {
        const [newest] = org.documents.newest(1)
        return newest && { item: viewDocument(newest) }
      }),
    'DOC-ODD-ID doc-id-of-a-task: Reading a document by the id of a task is answered 500.': () =>
      refuseRequests('getDocument', 'internal_error', ({ org, id }) => org.tasks.get(String(id))),
    'DOC-UNKNOWN ISOLATION-GET-DOCUMENT doc-unknown-empty: An unknown document is answered as bad input.':
      () => refuseRequests('getDocument', 'invalid', ({ org, id }) => !org.documents.get(id)),
    'DOC-FOLDER doc-folder-list-kept: The list of a folder stays as it was when it was first read.': () => {
      const known = new Map<string, AnswerOf<'listDocuments'>>()
      return changeAnswer('listDocuments', (answer, { org, query }) => {
        if (query.folder_id === undefined || query.all === '1') return undefined
        const place = `${org.id} ${query.folder_id}`
        known.set(place, known.get(place) ?? answer)
        return known.get(place)
      })
    },
    'DOC-CREATED-ONCE doc-created-twice: Each creation of a document makes two of the same title.': () =>
      createTwice('createDocument'),
    'DOC-KEEPS-CONTENT_MD doc-filed-empty: A document in a folder is read back without its content.': () =>
      changeAnswer('getDocument', ({ item }) =>
        item.folder_id ? { item: { ...item, content_md: null } } : {},
      ),
    'DOC-KEEPS-SUMMARY doc-summary-overwritten: The summary of a document is another one 1.5 s after its creation.':
      () =>
        changeAnswer('getDocument', ({ item }, { org, id, now }) => {
          const created = org.documents.get(id)?.created_at ?? now
          return item.summary && now > created + 1_500 ? { item: { ...item, summary: 'A summary' } } : {}
        }),
    'DOC-UNIQUE doc-same-id: All documents that are created in the same second have the same id.': () =>
      reuseIds('createDocument', 'item', isAtMostOneSecond),
    'DOC-UNIQUE doc-id-repeated-sometimes: Every fifth document gets the id of the document before it.': () =>
      reuseIds('createDocument', 'item', createEveryNthCallPredicate(5)),
    'DOC-UNIQUE doc-id-wraps: The ids of documents start again after twelve.': () =>
      wrapAroundIds('document', 12),
    'DOC-LISTED-LAST doc-list-of-the-oldest: listDocuments shows only the oldest 50 items.': () =>
      changeItems('listDocuments', (list) => list.slice(-50)),
    'DOC-ALL doc-ninth-unlisted: The ninth document is in no list.': () =>
      omitCreationsFromLists('createDocument', 'item', 'listDocuments', (place) => place === 8),
    'DOC-ALL late-document: A new document is listed after 3 s.': () =>
      showCreationsLate('listDocuments', 3_000),
    'DOC-ALL doc-all-refused: all=1 is refused as bad input.': () => refusing('all', 400, 'invalid_request'),
    'DOC-ALL doc-all-without-unfiled: all=1 lists only documents in folders.': () =>
      listing(inFolder, (one) => one.folder_id !== null),
    'DOC-ALL-FILED doc-all-ignored: all=1 is ignored.': () => listing(inFolder, inFolder),
    'DOC-UNFILED DOC-UNFILED-ONLY doc-unfiled-hidden: Without a query only documents in folders are listed.':
      () => listing((one, folder) => (folder ? inFolder(one, folder) : one.folder_id !== null)),
    'DOC-UNFILED-ONLY doc-unfiled-everything: Without a query everything is listed.': () =>
      listing((one, folder) => folder === undefined || inFolder(one, folder)),
    'DOC-FOLDER doc-folder-empty: folder_id lists nothing.': () =>
      listing((one, folder) => folder === undefined && one.folder_id === null),
    'DOC-FOLDER-ONLY doc-folder-ignored: folder_id is ignored: everything is listed.': () =>
      listing((one, folder) => folder !== undefined || one.folder_id === null),
    'DOC-FOLDER doc-folder-encoded: folder_id is compared as it is encoded in the query.': () =>
      listing((one, folder) => inFolder(one, folder && encodeURIComponent(folder))),
    'DOC-FOLDER DOC-ANSWER-FIELDS doc-folder-decoded: A folder_id in a body is decoded as if it stood in a query.':
      () =>
        changeRequestBody('createDocument', ({ folder_id, ...body }) => ({
          ...body,
          ...(typeof folder_id === 'string' && {
            folder_id: folder_id.replaceAll('+', ' ').replace('%41', 'A'),
          }),
        })),
    'DOC-ANSWER-FIELDS doc-folder-narrow: Characters beyond 16 bits are stored as ? in a folder_id.': () =>
      changeField(['createDocument', 'getDocument', 'listDocuments'], 'item.folder_id', (folder) =>
        typeof folder === 'string' ? folder.replace(/[\u{10000}-\u{10ffff}]/gu, '?') : folder,
      ),
    'DOC-FOLDER-ONLY doc-folder-case: folder_id is compared without regard to case.': () =>
      listing((one, folder) => (one.folder_id ?? undefined)?.toLowerCase() === folder?.toLowerCase()),
    'DOC-FOLDER-ONLY doc-folder-like: In folder_id, % stands for any characters.': () =>
      listing((one, folder) => {
        if (folder === undefined) return one.folder_id === null
        const pattern = folder.split('%').map(escapeRegExp).join('.*')
        return new RegExp(`^${pattern}$`, 's').test(one.folder_id ?? '')
      }),
    'QUERY-TWICE-listDocuments DOC-FOLDER DOC-FOLDER-ONLY doc-filed-lazy: A list that shows a document in a folder is answered 500.':
      () =>
        replaceAnswersWithError(
          ({ body }) => [Object(body).items].flat().some((one) => Object(one).folder_id),
          [500, 'internal_error'],
          'listDocuments',
        ),
    'QUERY-TWICE-listDocuments QUERY-MALFORMED-listDocuments DOC-FOLDER DOC-FOLDER-ONLY doc-folder-fails: folder_id is answered 500.':
      () => refusing('folder_id', 500, 'internal_error'),
  }),
]
