/** §2 Document, §4 Documents. */

import { briefAnswer, type Exchange, hasSuccessStatus } from '#traffic/exchange.ts'
import { NotExercised } from '../client/check-errors.ts'
import { createDocumentWithWrongField } from '../fixtures/bad-input.ts'
import { swapCase } from '../fixtures/key-use.ts'
import { pollListForItem } from '../fixtures/late-effects.ts'
import {
  assumeUniqueCreation,
  createDocument,
  initialDocumentList,
  listAllDocuments,
  readResource,
  sharedDocument,
} from '../fixtures/resources.ts'
import { documentFieldTexts, longText } from '../fixtures/texts.ts'
import { assumePositiveControl } from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent, expectAccepted, findItem } from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import type { RequirementId } from '../model/requirement-id.ts'
import {
  areFieldsKeptWithWhitespace,
  declareLongTextKeptRequirement,
  declareTextsKeptRequirements,
  declareUnknownIdRequirement,
  declareWhitespaceKeptRequirement,
  documentKindDefinition,
  isTrimmedFieldKept,
  mayBeRefusedForLength,
  newestInListCheckTraits,
  writingCheckTraits,
} from './resource-kinds.ts'

/** The creation of a document with every text field. */
const createdInFull = (t: TestContext) =>
  t.evidence('created in full', () => {
    const body = {
      title: t.name(documentFieldTexts.title),
      content_md: `# ${t.name('Content')}\n\nText.`,
      summary: t.name(documentFieldTexts.summary),
    }
    return t.call('createDocument', { body })
  })

/** Requirements on the answers to valid requests that create documents. */
export const documentCreationRequirements: Requirement[] = [
  must('DOC-FIELDS-ACCEPTED', '§2, §4', 'createDocument', writingCheckTraits)
    .tests('document-input', 'create-document')
    .states('A document can be created with content_md and summary in addition to its title.')
    .judged(async (t) => {
      await assumePositiveControl(t, 'createDocument')
      return [await createdInFull(t)]
    }, 'exchange'),

  must('DOC-ANSWER-TITLE', '§2, §4', 'createDocument', writingCheckTraits)
    .tests('document-item', 'create-document')
    .states('The createDocument response contains the title that was sent.')
    .judged(sharedDocument),

  declareLongTextKeptRequirement(documentKindDefinition, 'DOC-CONTENT-LONG', '§4'),

  should('DOC-TITLE-SPACES', '§4', 'createDocument', writingCheckTraits)
    .tests('texts-kept', 'create-document')
    .states('The title and the summary of a document keep leading and trailing spaces.')
    .judged(async (t) => {
      if (await areFieldsKeptWithWhitespace(t, documentKindDefinition, 'title', 'summary')) return undefined
      await assumePositiveControl(t, 'createDocument')
      const body = { title: `  ${t.name('Document')} `, summary: ` ${t.name('Summary')}\n` }
      const { id } = assumeUniqueCreation(t, await t.call('createDocument', { body }))
      return [(await readResource(t, 'getDocument', id)).exchange]
    }),

  // SHOULD, because the field is optional: ignoring a wrong value is not forbidden.
  should('INPUT-WRONG-CONTENT-createDocument', '§2, §7', 'createDocument', writingCheckTraits)
    .tests('document-input', 'create-document', 'error-invalid-request', 'status-400', 'status-422')
    .states(
      'createDocument with an object for content_md is rejected as bad input: 400 invalid_request, or 422.',
    )
    .judged(async (t) => {
      await assumePositiveControl(t, 'createDocument')
      return [(await createDocumentWithWrongField(t, 'content_md')).answer]
    }, 'exchange'),
]

/** A document created with every text field, read by id. */
const fullDocument = (t: TestContext) =>
  t.evidence('full document', async () => {
    const exchange = await createdInFull(t)
    const { id } = assumeUniqueCreation(t, exchange)
    await readResource(t, 'getDocument', id)
    return readResource(t, 'getDocument', id)
  })

/** True if an unknown folder is refused, in a body or as a filter. */
const isFolderRefused = ({ status }: Exchange) => [400, 404, 409, 422].includes(status)

/**
 * A document in a new folder, and others in folders with similar names. Not exercised if unknown folders are refused.
 */
const filedDocument = (t: TestContext) =>
  t.evidence('filed document', async () => {
    const file = (folder_id: string) =>
      t.call('createDocument', {
        body: {
          title: t.name('Document'),
          content_md: '---\ntitle: x\n---\nText.',
          summary: t.name('Summary'),
          folder_id,
        },
      })
    const name = t.name('Folder & é 🚀 a+b%41')
    let folder_id = longText(name, 100).trim()
    // The list of a folder may be kept as it was read first.
    if (t.run.wants('DOC-FOLDER')) await t.call('listDocuments', { query: { folder_id } })
    let exchange = await file(folder_id)
    if (isFolderRefused(exchange)) {
      folder_id = name.replace(/[^a-z0-9-]+/gi, '-')
      exchange = await file(folder_id)
    }
    if (isFolderRefused(exchange))
      throw new NotExercised(`an unknown folder is refused (${briefAnswer(exchange)})`, undefined, exchange)
    // A comparison may ignore case, stop at the end of the shorter name, or read % as any characters.
    const alike = [swapCase(folder_id), `${folder_id}-2`, folder_id.replaceAll('%', '-')]
    if (t.run.isFor('DOC-FOLDER-ONLY')) for (const other of alike) if (other !== folder_id) await file(other)
    return { id: assumeUniqueCreation(t, exchange).id, folder_id }
  })

/** The list of the filed document's folder, before that document is looked for in it. */
const folderList = (t: TestContext) =>
  t.evidence('folder list', async () => {
    const { folder_id } = await filedDocument(t)
    return t.call('listDocuments', { query: { folder_id } })
  })

/** A document in a folder and then one without, with the list of all documents after each: lists may be capped. */
const listedDocuments = (t: TestContext) =>
  t.evidence('listed documents', async () => {
    const all = () => listAllDocuments(t)
    await initialDocumentList(t)
    const filed = await filedDocument(t).catch(() => undefined)
    const first = filed && (await all())
    const filedList = first && hasSuccessStatus(first) ? await listAllWith(t, filed.id, first) : first
    const document = await createDocument(t)
    const isRead = t.run.wants('DOC-UNFILED') || t.run.wants('DOC-UNFILED-ONLY')
    const unfiledList = isRead ? await t.call('listDocuments') : undefined
    return { ...document, filedList, unfiledList, list: await all() }
  })

/** Polls the list of all documents until it contains `id`. `known`: the list right after the document's creation. */
const listAllWith = (t: TestContext, id: string, known: Exchange | undefined) =>
  pollListForItem(t, 'listDocuments', id, { query: { all: '1' } }, known)

/** The list of all documents with the new one. Continues only if it is there. */
async function listWithNew(t: TestContext): Promise<Exchange> {
  const { id, list } = await listedDocuments(t)
  const shown = await listAllWith(t, id, list)
  assumeListed(shown, id)
  return shown
}

/** Continues only if a list contains the document `id`. */
const assumeListed = (list: Exchange, id: string) =>
  assumePresent(findItem(list, id), 'the document in the list')

/** Requires the filter to be accepted; refusing an unknown folder is legitimate. */
async function expectFiltered(t: TestContext, list: Exchange): Promise<void> {
  await assumePositiveControl(t, 'listDocuments')
  if (isFolderRefused(list))
    throw new NotExercised(`the folder is refused as a filter (${briefAnswer(list)})`, undefined, list)
  expectAccepted(list)
}

/** A document with a summary as long as contents are, read by its id; empty if the summary is refused as too long. */
async function longSummaryRead(t: TestContext): Promise<Exchange[]> {
  const body = { title: t.name('Document'), summary: longText(t.name('Summary')) }
  const exchange = await t.call('createDocument', { body })
  if (mayBeRefusedForLength(exchange)) return []
  return [(await readResource(t, 'getDocument', assumeUniqueCreation(t, exchange).id)).exchange]
}

const fieldsKept = (['title', 'content_md', 'summary'] as const).map((name) =>
  must(`DOC-KEEPS-${name.toUpperCase()}` as RequirementId, '§2, §4', 'getDocument', writingCheckTraits)
    .tests('texts-kept', 'document-input', 'document-item', 'get-document')
    .explains(...(name === 'content_md' ? (['ODD-TEXT-KEPT-createDocument'] as const) : []))
    .states(`A document read by id has the ${name} it was created with.`)
    .judged(async (t) => {
      if (!(await isTrimmedFieldKept(t, documentKindDefinition, name)))
        return [(await fullDocument(t)).exchange]
      return name === 'summary' ? longSummaryRead(t) : []
    }),
)

/** Requirements that documents keep their texts, are listed and can be read. */
export const documentRequirements: Requirement[] = [
  ...fieldsKept,
  ...declareTextsKeptRequirements(documentKindDefinition),
  declareWhitespaceKeptRequirement(documentKindDefinition),
  must('DOC-ALL', '§4', 'listDocuments', newestInListCheckTraits)
    .tests('list-contents', 'list-documents')
    .explains(
      'DOC-LISTED-LAST',
      'DOC-ALL-FILED',
      'DOC-UNFILED',
      'DOC-FOLDER',
      'LIST-PROMPT',
      'ACCEPTS-listDocuments',
    )
    .states('With all=1, the list contains a created document.')
    .judged(listWithNew),

  must('DOC-LISTED-SAME', '§2', 'listDocuments', newestInListCheckTraits)
    .tests('document-item')
    .states('The list shows a document with the title it was created with.')
    .judged(listWithNew),

  must('DOC-CREATED-ONCE', '§4', 'createDocument', newestInListCheckTraits)
    .tests('create-document')
    .states('createDocument creates one document.')
    .judged(async (t) => [await listWithNew(t)]),

  must('DOC-ALL-FILED', '§4', 'listDocuments', newestInListCheckTraits)
    .tests('list-documents')
    .states('With all=1, the list contains documents in folders.')
    .judged(async (t) => {
      const { filedList } = await listedDocuments(t)
      const { id } = await filedDocument(t)
      assumeListed(await listAllWith(t, id, filedList), id)
    }),

  should('DOC-UNFILED', '§4', 'listDocuments', newestInListCheckTraits)
    .tests('list-documents')
    .states('Without a query, the list contains documents without a folder.')
    .judged(async (t) => {
      const { id, unfiledList } = await listedDocuments(t)
      assumeListed(await pollListForItem(t, 'listDocuments', id, {}, unfiledList), id)
    }),

  should('DOC-UNFILED-ONLY', '§4', 'listDocuments', newestInListCheckTraits)
    .tests('list-documents')
    .states('Without a query, the list contains no documents in folders.')
    .judged(async (t) => {
      await filedDocument(t)
      const { unfiledList } = await listedDocuments(t)
      return unfiledList ? [unfiledList] : []
    }),

  should('DOC-FOLDER', '§4', 'listDocuments', newestInListCheckTraits)
    .tests('list-documents')
    .explains('QUERY-TWICE-listDocuments', 'QUERY-MALFORMED-listDocuments')
    .states('With folder_id, the list contains the documents of that folder.')
    .judged(async (t) => {
      const { id, folder_id } = await filedDocument(t)
      const list = await folderList(t)
      await expectFiltered(t, list)
      assumeListed(await pollListForItem(t, 'listDocuments', id, { query: { folder_id } }, list), id)
    }),

  should('DOC-FOLDER-ONLY', '§4', 'listDocuments', newestInListCheckTraits)
    .tests('list-documents')
    .states('With folder_id, the list contains no documents from outside that folder.')
    .judged(async (t) => {
      await filedDocument(t)
      await listedDocuments(t)
      const list = await folderList(t)
      await expectFiltered(t, list)
      return [list]
    }),

  declareUnknownIdRequirement('DOC-UNKNOWN', 'getDocument', documentKindDefinition),
]
