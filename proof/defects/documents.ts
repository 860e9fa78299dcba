/** §2 Document, §4 Documents: documents that are lost, damaged or listed in the wrong place. */

import { fail } from '#mocks/core/failure.ts'
import type { Document } from '#mocks/core/resources.ts'
import { viewDocument, viewDocumentItem } from '#mocks/handlers/views.ts'
import { rewriteField, rewriteSuccess } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'
import { damages } from './texts.ts'

const texts = damages.map(
  ({ name, description, damage }): Defect => ({
    id: `doc-text-${name.toLowerCase()}`,
    title: `The content of a document ${description}.`,
    breaks: [`DOC-TEXT-${name}`],
    mutate: () =>
      handle('createDocument', (call, usual) => {
        const { content_md } = call.body
        return usual(
          content_md === undefined
            ? call
            : { ...call, body: { ...call.body, content_md: damage(content_md) } },
        )
      }),
  }),
)

/** Lists other documents than those requested. */
const listing = (
  id: string,
  title: string,
  breaks: string[],
  matches: (document: Document, query: { folder_id?: string | undefined; all?: '1' | undefined }) => boolean,
): Defect => ({
  id,
  title,
  breaks,
  mutate: () =>
    handle('listDocuments', ({ org, query }) => ({
      items: org.documents.newest(Infinity, (document) => matches(document, query)).map(viewDocumentItem),
    })),
})

/** Refuses lists with a query. */
const refusing = (
  id: string,
  title: string,
  breaks: string[],
  query: 'all' | 'folder_id',
  status: number,
  error: string,
): Defect => ({
  id,
  title,
  breaks,
  mutate: () =>
    rewriteSuccess((reply, { request }) => {
      if (!new URL(request.url).searchParams.has(query)) return
      reply.status = status
      reply.body = { error, message: 'No such query.' }
    }, 'listDocuments'),
})

const inFolder = (document: Document, folder: string | undefined) => document.folder_id === (folder ?? null)

export const documents: readonly Defect[] = [
  ...texts,
  {
    id: 'doc-content-cut',
    title: 'The content of a document is cut after 10,000 characters.',
    breaks: ['DOC-CONTENT-LONG'],
    mutate: () =>
      rewriteField(
        'item.content_md',
        (content) => (content ? String(content).slice(0, 10_000) : content),
        'getDocument',
      ),
  },
  {
    id: 'doc-content-column',
    title: 'The content of a document is cut after 65,535 characters.',
    breaks: ['DOC-CONTENT-LONG'],
    mutate: () =>
      rewriteField(
        'item.content_md',
        (content) => (content ? String(content).slice(0, 65_535) : content),
        'getDocument',
      ),
  },
  {
    id: 'doc-title-trimmed',
    title: 'The title of a document loses the spaces around it.',
    breaks: ['DOC-TITLE-SPACES'],
    mutate: () => rewriteField('item.title', (title) => String(title).trim(), 'getDocument'),
  },
  {
    id: 'doc-first-of-all',
    title: 'Every read of a document returns the newest one.',
    breaks: ['DOC-READABLE'],
    mutate: () =>
      handle('getDocument', (call, usual) => {
        const [newest] = call.org.documents.newest(1)
        const answer = usual(call)
        return 'item' in answer && newest ? { item: viewDocument(newest) } : answer
      }),
  },
  refusing('doc-all-refused', 'all=1 is refused as bad input.', ['DOC-ALL'], 'all', 400, 'invalid_request'),
  refusing(
    'doc-folder-fails',
    'folder_id is answered 500.',
    ['DOC-FOLDER', 'DOC-FOLDER-ONLY'],
    'folder_id',
    500,
    'internal_error',
  ),
  {
    id: 'doc-lost',
    title: 'A created document is not found.',
    breaks: ['DOC-READABLE'],
    mutate: () => handle('getDocument', () => fail('not_found')),
  },
  {
    id: 'doc-other-id',
    title: 'A document is read back with another id.',
    breaks: ['DOC-READABLE'],
    mutate: () => rewriteField('item.id', (id) => `document:${id}`, 'getDocument'),
  },
  {
    id: 'doc-title-ascii',
    title: 'A title keeps only ASCII characters.',
    breaks: ['DOC-KEEPS-TITLE'],
    mutate: () => rewriteField('item.title', (title) => String(title).replace(/[^ -~]/g, '?'), 'getDocument'),
  },
  {
    id: 'doc-title-answered-otherwise',
    title: 'The answer that creates a document has another title.',
    breaks: ['DOC-ANSWER-TITLE'],
    mutate: () => rewriteField('item.title', () => 'Untitled', 'createDocument'),
  },
  {
    id: 'doc-title-listed-otherwise',
    title: 'The list cuts titles after ten characters.',
    breaks: ['DOC-LISTED-SAME'],
    mutate: () => rewriteField('items.*.title', (title) => String(title).slice(0, 10), 'listDocuments'),
  },
  {
    id: 'doc-content-dropped',
    title: 'A document is read back without its content.',
    breaks: [
      'DOC-KEEPS-CONTENT_MD',
      'DOC-TEXT-UNICODE',
      'DOC-TEXT-SPACES',
      'DOC-TEXT-LINES',
      'DOC-TEXT-MARKUP',
      'DOC-CONTENT-LONG',
    ],
    mutate: () => rewriteField('item.content_md', () => null, 'getDocument'),
  },
  {
    id: 'doc-summary-dropped',
    title: 'A document is read back without its summary.',
    breaks: ['DOC-KEEPS-SUMMARY'],
    mutate: () => rewriteField('item.summary', () => undefined, 'getDocument'),
  },
  {
    id: 'doc-fields-refused',
    title: 'A document with a summary is refused.',
    breaks: ['DOC-FIELDS-ACCEPTED'],
    mutate: () =>
      handle('createDocument', (call, usual) =>
        call.body.summary === undefined ? usual(call) : fail('invalid'),
      ),
  },
  {
    id: 'doc-same-id',
    title: 'All documents that are created in the same second have the same id.',
    breaks: ['DOC-UNIQUE'],
    mutate: () =>
      handle('createDocument', (call, usual) => {
        const [newest] = call.org.documents.newest(1)
        if (!newest || Math.abs(call.now - newest.created_at) > 1_000) return usual(call)
        return { item: { ...viewDocument(newest), title: call.body.title } }
      }),
  },
  {
    id: 'doc-unknown-empty',
    title: 'An unknown document is answered as bad input.',
    breaks: ['DOC-UNKNOWN', 'ISOLATION-GET-DOCUMENT'],
    mutate: () =>
      handle('getDocument', (call, usual) =>
        call.org.documents.get(call.id) ? usual(call) : (fail('invalid') as never),
      ),
  },
  listing(
    'doc-all-without-unfiled',
    'all=1 lists only documents in folders.',
    ['DOC-ALL'],
    (one, { all, folder_id }) => (all ? one.folder_id !== null : inFolder(one, folder_id)),
  ),
  listing('doc-all-ignored', 'all=1 is ignored.', ['DOC-ALL-FILED'], (one, { folder_id }) =>
    inFolder(one, folder_id),
  ),
  listing(
    'doc-unfiled-hidden',
    'Without a query only documents in folders are listed.',
    ['DOC-UNFILED'],
    (one, { all, folder_id }) =>
      all === '1' || (folder_id ? inFolder(one, folder_id) : one.folder_id !== null),
  ),
  listing(
    'doc-folder-empty',
    'folder_id lists nothing.',
    ['DOC-FOLDER'],
    (one, { all, folder_id }) => all === '1' || (folder_id === undefined && one.folder_id === null),
  ),
  listing(
    'doc-folder-ignored',
    'folder_id is ignored: everything is listed.',
    ['DOC-FOLDER-ONLY'],
    (one, { all, folder_id }) => all === '1' || folder_id !== undefined || one.folder_id === null,
  ),
]
