/** §2 Document, §4 Documents: what is said of documents that were created. */
import { field, idOf } from '#traffic/exchange.ts'
import { isSuccess } from '../event.ts'
import { brief, identified, intervalOf, isBefore, isEmpty, isSameTrimmed, show, textAt } from '../matching.ts'
import type { Document, Organization } from '../state.ts'
import { asTold, ofEach, type Rule, required, rule } from '../violation.ts'

/** The fields that come back as they were sent; each with its requirement. */
const kept = {
  title: 'DOC-KEEPS-TITLE',
  content_md: 'DOC-KEEPS-CONTENT_MD',
  summary: 'DOC-KEEPS-SUMMARY',
  folder_id: 'DOC-ANSWER-FIELDS',
} as const

const keeps = (name: keyof typeof kept): Rule =>
  rule(`document-${name}-kept`, kept[name], 'get-document', ['getDocument']).judge(
    ({ documents }, { resource, answer }) => {
      const fact = documents.get(resource ?? '')?.fields[name]
      const shown = field(answer.json, 'item', name)
      if (!isSuccess(answer) || !fact || idOf(field(answer.json, 'item', 'id')) !== resource) return undefined
      if (name === 'folder_id' && isEmpty(shown)) return undefined
      return asTold(textOf(shown), fact.value, `item.${name}`, fact.by)
    },
  )

/** Shorter texts may be equal by chance. */
const telling = 8

/** A number stands for an id that was sent as a text. */
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** How languages write that there is nothing, where it was meant to be left out. */
const nothings = new Set(['null', 'undefined', 'None', 'nil', 'NULL', '<nil>', 'NaN', '[object Object]'])

export const documents: readonly Rule[] = [
  rule('document-identity', 'DOC-READABLE', 'get-document', ['getDocument']).judge(
    (_, { resource, answer }) => {
      const shown = idOf(field(answer.json, 'item', 'id'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      return required(shown === resource, `item.id: ${resource}`, shown)
    },
  ),
  rule('document-answered', 'DOC-ANSWER-TITLE', 'create-document', ['createDocument']).judge(
    (_, { body, answer }) => {
      const [sent, shown] = [field(body, 'title'), field(answer.json, 'item', 'title')]
      if (!isSuccess(answer) || typeof sent !== 'string') return undefined
      return asTold(shown, sent, 'item.title')
    },
  ),
  rule('document-answered-whole', 'DOC-ANSWER-FIELDS', 'document-item', ['createDocument']).judge(
    (_, event) =>
      ofEach(isSuccess(event.answer) ? ['content_md', 'summary', 'folder_id'] : [], event, (name) => {
        const [sent, shown] = [field(event.body, name), textOf(field(event.answer.json, 'item', name))]
        if (typeof sent !== 'string' || isEmpty(sent) || isEmpty(shown)) return undefined
        return asTold(shown, sent, `item.${name}`)
      }),
  ),
  rule('document-answered-apart', 'DOC-ANSWER-FIELDS', 'document-item', [
    'createDocument',
    'getDocument',
  ]).judge(({ documents }, { body, resource = '', operation, answer }, { organizations }) => {
    const own = documents.get(resource)
    const isNew = operation === 'createDocument'
    if (!isSuccess(answer) || !(isNew || own?.born)) return undefined
    const fields = Object.values(own?.fields ?? {}).map(({ value }) => value)
    const given: readonly unknown[] = isNew ? Object.values(Object(body)) : fields
    for (const name of ['content_md', 'summary'] as const) {
      const sent = isNew ? field(body, name) : own?.fields[name]?.value
      const shown = textAt(answer.json, 'item', name)
      if (shown === undefined || !isEmpty(sent)) continue
      if (nothings.has(shown))
        return { expected: `no ${name}: none was sent`, actual: show(shown), because: [] }
      if (shown.trim().length < telling) continue
      // A service may make it from what was sent.
      if (given.some((text) => typeof text === 'string' && text.includes(shown.trim()))) continue
      const other = [...organizations.values()]
        .flatMap((org) => [...org.documents.values()])
        .find(
          ({ born, fields }) => born?.by === fields[name]?.by && isSameTrimmed(fields[name]?.value, shown),
        )
      if (other?.born)
        return { expected: `no ${name}: none was sent`, actual: show(shown), because: [other.born.by] }
    }
    return true
  }),
  rule('document-id-new', 'DOC-UNIQUE', 'ids', ['createDocument'], { once: true }).judge(
    ({ documents }, { answer }) => {
      const id = idOf(field(answer.json, 'item', 'id'))
      if (!isSuccess(answer) || id === undefined) return undefined
      const born = documents.get(id)?.born
      return required(!born, 'a new id for each document', `${id} twice`, born?.by)
    },
  ),
  rule('document-stays', 'DOC-READABLE', 'get-document', ['getDocument']).judge(({ documents }, event) => {
    const born = documents.get(event.resource ?? '')?.born
    if (!born || !isBefore(born, intervalOf(event))) return undefined
    return required(event.answer.status !== 404, 'the created document', brief(event.answer), born.by)
  }),
  ...(['title', 'content_md', 'summary', 'folder_id'] as const).map(keeps),
  rule('document-title-listed', 'DOC-LISTED-SAME', 'document-item', ['listDocuments']).judge(
    ({ documents }, event) =>
      ofEach(identified(event.answer.json), event, ({ id, item }) => {
        const title = documents.get(id)?.fields.title
        return title && asTold(field(item, 'title'), title.value, `title of ${id}`, title.by)
      }),
  ),
  rule('document-listed-apart', 'DOC-ANSWER-FIELDS', 'document-item', ['listDocuments']).judge(
    ({ documents }, event) => {
      const shown = identified(event.answer.json).flatMap(({ id, item }) =>
        (['content_md', 'summary'] as const).map((name) => ({
          ...{ name: `${name} of ${id}`, sent: documents.get(id)?.fields[name] },
          text: textAt(item, name)?.trim() ?? '',
        })),
      )
      return ofEach(shown, event, ({ name, sent, text }) => {
        // A list may show a part of it.
        if (!sent || text.length < telling || sent.value.includes(text)) return undefined
        const other = [...documents.values()]
          .flatMap(({ fields }) => Object.values(fields))
          .find(({ value }) => isSameTrimmed(value, text))
        return other && required(false, `${name}: ${show(sent.value)}`, show(text), sent.by, other.by)
      })
    },
  ),
  rule('document-filed', 'DOC-FOLDER-ONLY', 'list-documents', ['listDocuments']).judge(
    ({ documents }, event) => {
      const { query, answer } = event
      const wanted = query?.folder_id
      // An empty one may name no folder.
      if (!wanted || query?.all !== undefined || !isSuccess(answer)) return undefined
      return ofEach(identified(answer.json), event, ({ id }) => {
        const document = documents.get(id)
        if (!document?.born) return undefined
        const folder = document.fields.folder_id
        const isThere = folder ? folder.value === wanted : isChosen(documents, document, wanted)
        return required(isThere, `documents of the folder ${wanted}`, `the document ${id}`, document.born.by)
      })
    },
  ),
]

/**
 * Whether a service may have chosen the folder of a document that was sent without one: not if others that were sent
 * without one are in none, and requests have named the folder.
 */
function isChosen(documents: Organization['documents'], { isUnfiled }: Document, folder: string): boolean {
  const all = [...documents.values()]
  const isNamed = all.some(({ fields }) => fields.folder_id?.value === folder)
  return !isUnfiled && !(isNamed && all.some((one) => one.isUnfiled))
}
