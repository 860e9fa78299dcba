/** §2 Document, §4 Documents: what answers show of created documents. */
import { idAsText, valueAtPath } from '#traffic/exchange.ts'
import { type AnsweredRequest, isSuccess } from '../event.ts'
import {
  effectInterval,
  hasEndedBefore,
  isBlank,
  isSameTrimmed,
  itemsWithIds,
  quotedJson,
  statusAndCode,
  stringAt,
} from '../matching.ts'
import type { KnownDocument, KnownOrganization } from '../state.ts'
import {
  declareModelRule,
  judgeEachItem,
  judgeFact,
  judgeSameText,
  type ModelRule,
  type RuleJudgement,
} from '../violation.ts'
import { judgeText } from './texts.ts'

/** Fields that are returned as sent, with their requirements. */
const storedFields = {
  title: 'DOC-KEEPS-TITLE',
  content_md: 'DOC-KEEPS-CONTENT_MD',
  summary: 'DOC-KEEPS-SUMMARY',
  folder_id: 'DOC-ANSWER-FIELDS',
} as const

const keeps = (name: keyof typeof storedFields): ModelRule =>
  declareModelRule(`document-${name}-kept`, storedFields[name], 'get-document', ['getDocument']).judge(
    ({ documents }, { resource, answer }) => {
      const fact = documents.get(resource ?? '')?.fields[name]
      const shown = valueAtPath(answer.json, 'item', name)
      if (!isSuccess(answer) || !fact || idAsText(valueAtPath(answer.json, 'item', 'id')) !== resource)
        return undefined
      if (name === 'folder_id' && isBlank(shown)) return undefined
      return name === 'content_md'
        ? judgeText(shown, fact.value, 'item.content_md', contentAsSent, fact.eventId)
        : judgeSameText(textOf(shown), fact.value, `item.${name}`, fact.eventId)
    },
  )

const contentAsSent = { prefix: 'DOC', otherwise: storedFields.content_md } as const

/** Minimum length of a text that is not part of another by chance. */
const minDistinctiveLength = 8

/** A value as it is compared: a number as text, since an id that was sent as a text may be shown as a number. */
const textOf = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** Texts for a missing value in various languages, sent by mistake. */
const nullLikeTexts = new Set(['null', 'undefined', 'None', 'nil', 'NULL', '<nil>', 'NaN', '[object Object]'])

/** Rules on what answers show of created documents. */
export const documentRules: readonly ModelRule[] = [
  declareModelRule('document-identity', 'DOC-READABLE', 'get-document', ['getDocument']).judge(
    (_, { resource, answer }) => {
      const shown = idAsText(valueAtPath(answer.json, 'item', 'id'))
      if (!isSuccess(answer) || shown === undefined) return undefined
      return judgeFact(shown === resource, `item.id: ${resource}`, shown)
    },
  ),
  declareModelRule('document-answered', 'DOC-ANSWER-TITLE', 'create-document', ['createDocument']).judge(
    (_, { body, answer }) => {
      const [sent, shown] = [valueAtPath(body, 'title'), valueAtPath(answer.json, 'item', 'title')]
      if (!isSuccess(answer) || typeof sent !== 'string') return undefined
      return judgeSameText(shown, sent, 'item.title')
    },
  ),
  declareModelRule('document-answered-whole', 'DOC-ANSWER-FIELDS', 'document-item', ['createDocument']).judge(
    (_, event) =>
      judgeEachItem(isSuccess(event.answer) ? ['content_md', 'summary', 'folder_id'] : [], event, (name) => {
        const [sent, shown] = [
          valueAtPath(event.body, name),
          textOf(valueAtPath(event.answer.json, 'item', name)),
        ]
        if (typeof sent !== 'string' || isBlank(sent) || isBlank(shown)) return undefined
        return judgeSameText(shown, sent, `item.${name}`)
      }),
  ),
  declareModelRule('document-answered-apart', 'DOC-ANSWER-FIELDS', 'document-item', [
    'createDocument',
    'getDocument',
  ]).judge(({ documents }, { body, resource = '', operation, answer }, { organizations }) => {
    const own = documents.get(resource)
    const isNew = operation === 'createDocument'
    if (!isSuccess(answer) || !(isNew || own?.created)) return undefined
    const fields = Object.values(own?.fields ?? {}).map(({ value }) => value)
    const given: readonly unknown[] = isNew ? Object.values(Object(body)) : fields
    for (const name of ['content_md', 'summary'] as const) {
      const sent = isNew ? valueAtPath(body, name) : own?.fields[name]?.value
      const shown = stringAt(answer.json, 'item', name)
      if (shown === undefined || !isBlank(sent)) continue
      if (nullLikeTexts.has(shown))
        return { expected: `no ${name}: none was sent`, actual: quotedJson(shown), evidence: [] }
      if (shown.trim().length < minDistinctiveLength) continue
      // Services may derive it from the sent fields.
      if (given.some((text) => typeof text === 'string' && text.includes(shown.trim()))) continue
      const other = [...organizations.values()]
        .flatMap((org) => [...org.documents.values()])
        .find(
          ({ created, fields }) =>
            created?.eventId === fields[name]?.eventId && isSameTrimmed(fields[name]?.value, shown),
        )
      if (other?.created)
        return {
          expected: `no ${name}: none was sent`,
          actual: quotedJson(shown),
          evidence: [other.created.eventId],
        }
    }
    return true
  }),
  declareModelRule('document-id-new', 'DOC-UNIQUE', 'ids', ['createDocument'], {
    oneSightSuffices: true,
  }).judge(({ documents }, { answer }) => {
    const id = idAsText(valueAtPath(answer.json, 'item', 'id'))
    if (!isSuccess(answer) || id === undefined) return undefined
    const born = documents.get(id)?.created
    return judgeFact(!born, 'a new id for each document', `${id} twice`, born?.eventId)
  }),
  declareModelRule('document-stays', 'DOC-READABLE', 'get-document', ['getDocument']).judge(
    ({ documents }, event) => {
      const born = documents.get(event.resource ?? '')?.created
      if (!born || !hasEndedBefore(born, effectInterval(event))) return undefined
      return judgeFact(
        event.answer.status !== 404,
        'the created document',
        statusAndCode(event.answer),
        born.eventId,
      )
    },
  ),
  declareModelRule('listed-document-stays', 'DOC-READABLE', 'error-not-found', ['getDocument'], {
    attributableToOthers: true,
  }).judge(({ documents }, { resource, answer }) => {
    const { fields, created } = documents.get(resource ?? '') ?? {}
    if (!fields?.title || created) return undefined
    const { eventId } = fields.title
    return judgeFact(answer.status !== 404, 'the document that was shown', statusAndCode(answer), eventId)
  }),
  ...(['title', 'content_md', 'summary', 'folder_id'] as const).map(keeps),
  declareModelRule('document-title-listed', 'DOC-LISTED-SAME', 'document-item', ['listDocuments']).judge(
    ({ documents }, event) =>
      judgeEachItem(itemsWithIds(event.answer.json), event, ({ id, item }) => {
        const title = documents.get(id)?.fields.title
        return (
          title && judgeSameText(valueAtPath(item, 'title'), title.value, `title of ${id}`, title.eventId)
        )
      }),
  ),
  declareModelRule('document-listed-apart', 'DOC-ANSWER-FIELDS', 'document-item', ['listDocuments']).judge(
    ({ documents }, event) => {
      const shown = itemsWithIds(event.answer.json).flatMap(({ id, item }) =>
        (['content_md', 'summary'] as const).map((name) => ({
          ...{ name: `${name} of ${id}`, sent: documents.get(id)?.fields[name] },
          text: stringAt(item, name)?.trim() ?? '',
        })),
      )
      return judgeEachItem(shown, event, ({ name, sent, text }) => {
        // Lists may show a part of the text.
        if (!sent || text.length < minDistinctiveLength || sent.value.includes(text)) return undefined
        const other = [...documents.values()]
          .flatMap(({ fields }) => Object.values(fields))
          .find(({ value }) => isSameTrimmed(value, text))
        return (
          other &&
          judgeFact(
            false,
            `${name}: ${quotedJson(sent.value)}`,
            quotedJson(text),
            sent.eventId,
            other.eventId,
          )
        )
      })
    },
  ),
  declareModelRule('document-filed', 'DOC-FOLDER-ONLY', 'list-documents', ['listDocuments']).judge(
    ({ documents }, event) => {
      const { query, answer } = event
      const wanted = query?.folder_id
      // An empty id may mean no folder.
      if (!wanted || query?.all !== undefined || !isSuccess(answer)) return undefined
      return eachListedCreation(documents, event, (document, id, created) => {
        const folder = document.fields.folder_id
        const isThere = folder ? folder.value === wanted : isServiceChosenFolder(documents, document, wanted)
        return judgeFact(isThere, `documents of the folder ${wanted}`, `the document ${id}`, created)
      })
    },
  ),
  declareModelRule('document-unfiled', 'DOC-UNFILED-ONLY', 'list-documents', ['listDocuments']).judge(
    ({ documents }, event) => {
      if (Object.keys(event.query ?? {}).length > 0 || !isSuccess(event.answer)) return undefined
      return eachListedCreation(documents, event, ({ fields }, id, created) => {
        const folder = fields.folder_id?.value
        const shown = `the document ${id} of the folder ${folder}`
        return judgeFact(!folder, 'documents without a folder', shown, created)
      })
    },
  ),
]

/** Judges each listed document whose creation was observed. `created`: the id of the event that created it. */
function eachListedCreation(
  documents: KnownOrganization['documents'],
  event: AnsweredRequest,
  judge: (document: KnownDocument, id: string, created: number) => RuleJudgement,
): RuleJudgement {
  return judgeEachItem(itemsWithIds(event.answer.json), event, ({ id }) => {
    const document = documents.get(id)
    return document?.created && judge(document, id, document.created.eventId)
  })
}

/**
 * True if the service may have put a document into a folder of its own choice: not if requests have named the folder
 * while other documents stay outside folders.
 */
function isServiceChosenFolder(
  documents: KnownOrganization['documents'],
  { isOutsideFolders }: KnownDocument,
  folder: string,
): boolean {
  const all = [...documents.values()]
  const isNamed = all.some(({ fields }) => fields.folder_id?.value === folder)
  return !isOutsideFolders && !(isNamed && all.some((one) => one.isOutsideFolders))
}
