/** §2 Document, §4 Documents. */

import { brief, type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { created, newDocument, readBack, sharedDocument } from '../evidence/resources.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import { expectAccepted, expectSame, expectThat, need, needAccepted, needItems } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { unknownId } from './tasks.ts'
import { texts } from './texts.ts'

const writes = { writes: true } as const

/** Alone, since a list may be capped: what was just created must be the newest. */
const listed = { ...writes, alone: true, quiet: true } as const

/** The document of an id in a list; undefined where it is not there. */
function documentIn(list: Exchange, id: string): unknown {
  return needItems(list).find((item) => idOf(field(item, 'id')) === id)
}

/** Judges that a list holds a document. */
function expectHeld(list: Exchange, id: string, what: string): void {
  expectThat(
    documentIn(list, id) !== undefined,
    `the ${what} document ${id} in items`,
    `${items(list).length} other items`,
    list,
  )
}

/** A document with every field that its creation may say, read back by id. */
const fullDocument = (t: TestContext) =>
  t.evidence('full document', async () => {
    const fields = {
      title: t.name('Über 東京  🚀 e\u0301: “document” <b>&amp;'),
      content_md: `# ${t.name('Content')}\n\nText.`,
      summary: t.name('Über 東京  🚀 e\u0301: “summary” <b>&amp;\nsecond line'),
    }
    const { id } = await newDocument(t, fields)
    await readBack(t, 'getDocument', id)
    return { fields, read: await readBack(t, 'getDocument', id) }
  })

/** A document in a folder, where the service takes folders that it was not told of before. */
async function filedDocument(t: TestContext) {
  const folder_id = t.name('folder').replace(/[^a-z0-9-]+/gi, '-')
  const title = t.name('Document')
  const exchange = await t.call('createDocument', { body: { title, folder_id } })
  if ([400, 404, 409, 422].includes(exchange.status))
    throw new NotExercised(`an unknown folder is refused (${brief(exchange)})`)
  return { id: created(t, exchange).id, folder_id }
}

/** Goes on where the filter is taken; a folder that is not known may be refused, and nothing else may come of it. */
async function expectFiltered(t: TestContext, list: Exchange): Promise<void> {
  await twin(t, 'listDocuments')
  if ([400, 404, 409, 422].includes(list.status))
    throw new NotExercised(`the folder is refused as a filter (${brief(list)})`)
  expectAccepted(list)
}

const textsKept = Object.entries(texts).map(([name, text]) =>
  probe(
    `DOC-TEXT-${name}`,
    'MUST',
    '§2, §4',
    'createDocument',
    `The content of a document is kept to the character: ${name.toLowerCase()}.`,
    async (t) => {
      const wanted = text.replace('{mark}', t.name('Content'))
      await twin(t, 'createDocument')
      const body = { title: t.name('Document'), content_md: wanted }
      const { id } = created(t, expectAccepted(await t.call('createDocument', { body })))
      const read = await readBack(t, 'getDocument', id)
      expectSame(field(read.item, 'content_md'), wanted, 'item.content_md', read.exchange)
    },
    writes,
  ),
)

const fieldsKept = (['title', 'content_md', 'summary'] as const).map((name) =>
  probe(
    `DOC-KEEPS-${name.toUpperCase()}`,
    'MUST',
    '§2, §4',
    'getDocument',
    `A document read back by id has the ${name} that it was created with.`,
    async (t) => {
      const { fields, read } = await fullDocument(t)
      expectSame(field(read.item, name), fields[name], `item.${name}`, read.exchange)
    },
    writes,
  ),
)

export const documents: Requirement[] = [
  probe(
    'DOC-READABLE',
    'MUST',
    '§4',
    'getDocument',
    'A created document is read back by its id, with that id.',
    async (t) => {
      for (const { id } of [await sharedDocument(t), await newDocument(t)]) {
        const read = await t.call('getDocument', { id })
        if (read.status === 404) throw new Violation('the created document', brief(read), read)
        expectSame(idOf(field(needAccepted(read).json, 'item', 'id')), id, 'item.id', read)
      }
    },
    writes,
  ),

  ...fieldsKept,
  ...textsKept,

  probe(
    'DOC-UNIQUE',
    'MUST',
    '§2',
    'createDocument',
    'Each created document has an id of its own.',
    async (t) => {
      const create = async () =>
        needAccepted(await t.call('createDocument', { body: { title: t.name('Document') } }))
      const [a, b] = [await create(), await create()]
      const [first, second] = [a, b].map((one) => need(createdId(one), 'item.id'))
      expectThat(first !== second, 'two ids', `${first} twice`, a, b)
    },
    writes,
  ),

  probe(
    'DOC-ALL',
    'MUST',
    '§4',
    'listDocuments',
    'A created document is in the list with all=1.',
    async (t) => {
      const { id } = await newDocument(t)
      await twin(t, 'listDocuments')
      const list = expectAccepted(await t.call('listDocuments', { query: { all: '1' } }))
      expectHeld(list, id, 'new')
    },
    listed,
  ),

  probe(
    'DOC-LISTED-SAME',
    'MUST',
    '§2',
    'listDocuments',
    'The list gives a document the title that it was created with.',
    async (t) => {
      const { id, title } = await newDocument(t)
      const list = needAccepted(await t.call('listDocuments', { query: { all: '1' } }))
      const told = need(field(documentIn(list, id), 'title'), 'the title of the new document in the list')
      expectSame(told, title, 'title', list)
    },
    listed,
  ),

  probe(
    'DOC-ALL-FILED',
    'SHOULD',
    '§4',
    'listDocuments',
    'A document in a folder is in the list with all=1.',
    async (t) => {
      const { id } = await filedDocument(t)
      const list = needAccepted(await t.call('listDocuments', { query: { all: '1' } }))
      expectHeld(list, id, 'filed')
    },
    listed,
  ),

  probe(
    'DOC-UNFILED',
    'SHOULD',
    '§4',
    'listDocuments',
    'Without a query, a document without a folder is listed.',
    async (t) => {
      const { id } = await newDocument(t)
      const list = needAccepted(await t.call('listDocuments'))
      expectHeld(list, id, 'new')
    },
    listed,
  ),

  probe(
    'DOC-FOLDER',
    'SHOULD',
    '§4',
    'listDocuments',
    'folder_id lists the documents of that folder.',
    async (t) => {
      const { id, folder_id } = await filedDocument(t)
      const list = await t.call('listDocuments', { query: { folder_id } })
      await expectFiltered(t, list)
      expectHeld(list, id, 'filed')
    },
    listed,
  ),

  probe(
    'DOC-FOLDER-ONLY',
    'SHOULD',
    '§4',
    'listDocuments',
    'folder_id lists no document of elsewhere.',
    async (t) => {
      const [{ folder_id }, elsewhere] = [await filedDocument(t), await newDocument(t)]
      const list = await t.call('listDocuments', { query: { folder_id } })
      await expectFiltered(t, list)
      expectThat(
        documentIn(list, elsewhere.id) === undefined,
        `items without ${elsewhere.id}, which is in no folder`,
        'it is among them',
        list,
      )
    },
    listed,
  ),

  unknownId('DOC-UNKNOWN', 'getDocument', '§7', 'document', sharedDocument),
]
