/** §2 Document, §4 Documents. */
import { newDocument, sharedDocument } from '../evidence/resources.ts'
import { brief, type Exchange, field, idOf, isAccepted, items } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import type { Kit } from '../kit.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectSame, expectThat, need, needAccepted } from '../words.ts'
import { unknownId } from './tasks.ts'
import { texts } from './texts.ts'

const writes = { writes: true } as const

/** Whether a list holds the document of an id. */
function holds(list: Exchange, id: string): boolean {
  return items(list).some((item) => idOf(field(item, 'id')) === id)
}

/** A document with every field that its creation may say, read back by id. */
const fullDocument = (kit: Kit) =>
  kit.evidence('full document', async () => {
    const fields = {
      title: kit.name('Document'),
      content_md: `# ${kit.name('Content')}\n\nText.`,
      summary: kit.name('Summary'),
    }
    const { id } = await newDocument(kit, fields)
    return { fields, read: needAccepted(await kit.call('getDocument', { id })) }
  })

/** A document in a folder, where the service takes folders that it was not told of before. */
const filedDocument = (kit: Kit) =>
  kit.evidence('filed document', async () => {
    const folder_id = kit.name('folder').replace(/[^a-z0-9-]+/gi, '-')
    const title = kit.name('Document')
    const exchange = await kit.call('createDocument', { body: { title, folder_id } })
    if ([400, 404, 409, 422].includes(exchange.status))
      throw new NotExercised(`an unknown folder is refused (${brief(exchange)})`)
    const id = need(idOf(field(needAccepted(exchange).json, 'item', 'id')), 'item.id')
    return { id, folder_id }
  })

const readBack = Object.entries(texts).map(([name, text]) =>
  probe(
    `DOC-TEXT-${name}`,
    'MUST',
    '§2, §4',
    'createDocument',
    `The content of a document is kept to the character: ${name.toLowerCase()}.`,
    async (kit) => {
      const wanted = text.replace('{mark}', kit.name('Content'))
      const { id } = await newDocument(kit, { content_md: wanted })
      const read = needAccepted(await kit.call('getDocument', { id }))
      expectSame(field(read.json, 'item', 'content_md'), wanted, 'item.content_md', read)
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
    async (kit) => {
      const { fields, read } = await fullDocument(kit)
      expectSame(field(read.json, 'item', name), fields[name], `item.${name}`, read)
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
    async (kit) => {
      const { id } = await sharedDocument(kit)
      const read = await kit.call('getDocument', { id })
      if (read.status === 404) throw new Violation('the created document', brief(read), read)
      expectSame(idOf(field(needAccepted(read).json, 'item', 'id')), id, 'item.id', read)
    },
    writes,
  ),

  ...fieldsKept,
  ...readBack,

  probe(
    'DOC-UNIQUE',
    'MUST',
    '§2',
    'createDocument',
    'Each created document has an id of its own.',
    async (kit) => {
      const [a, b] = [await newDocument(kit), await newDocument(kit)]
      expectThat(a.id !== b.id, 'two ids', `${a.id} twice`, a.exchange, b.exchange)
    },
    writes,
  ),

  probe(
    'DOC-ALL',
    'MUST',
    '§4',
    'listDocuments',
    'A created document is in the list with all=1.',
    async (kit) => {
      const { id } = await newDocument(kit)
      const list = needAccepted(await kit.call('listDocuments', { query: { all: '1' } }))
      expectThat(
        holds(list, id),
        `the new document ${id} in items`,
        `${items(list).length} other items`,
        list,
      )
    },
    writes,
  ),

  probe(
    'DOC-ALL-FILED',
    'SHOULD',
    '§4',
    'listDocuments',
    'A document in a folder is in the list with all=1.',
    async (kit) => {
      const { id } = await filedDocument(kit)
      const list = needAccepted(await kit.call('listDocuments', { query: { all: '1' } }))
      expectThat(
        holds(list, id),
        `the filed document ${id} in items`,
        `${items(list).length} other items`,
        list,
      )
    },
    writes,
  ),

  probe(
    'DOC-UNFILED',
    'SHOULD',
    '§4',
    'listDocuments',
    'Without a query, a document without a folder is listed.',
    async (kit) => {
      const { id } = await newDocument(kit)
      const list = needAccepted(await kit.call('listDocuments'))
      expectThat(
        holds(list, id),
        `the new document ${id} in items`,
        `${items(list).length} other items`,
        list,
      )
    },
    writes,
  ),

  probe(
    'DOC-FOLDER',
    'SHOULD',
    '§4',
    'listDocuments',
    'folder_id lists the documents of that folder.',
    async (kit) => {
      const { id, folder_id } = await filedDocument(kit)
      const list = await kit.call('listDocuments', { query: { folder_id } })
      if (!isAccepted(list)) throw new NotExercised(`the folder is refused as a filter (${brief(list)})`)
      expectThat(
        holds(list, id),
        `the filed document ${id} in items`,
        `${items(list).length} other items`,
        list,
      )
    },
    writes,
  ),

  probe(
    'DOC-FOLDER-ONLY',
    'SHOULD',
    '§4',
    'listDocuments',
    'folder_id lists no document of elsewhere.',
    async (kit) => {
      const [{ folder_id }, elsewhere] = [await filedDocument(kit), await newDocument(kit)]
      const list = await kit.call('listDocuments', { query: { folder_id } })
      if (!isAccepted(list)) throw new NotExercised(`the folder is refused as a filter (${brief(list)})`)
      expectThat(
        !holds(list, elsewhere.id),
        `items without ${elsewhere.id}, which is in no folder`,
        'it is among them',
        list,
      )
    },
    writes,
  ),

  unknownId('DOC-UNKNOWN', 'getDocument', '§7', 'document', sharedDocument),
]
