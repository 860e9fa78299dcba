/** What answers teach about documents and landing pages. */
import { field, idOf } from '#traffic/exchange.ts'
import { type Answered, isSuccess } from '../event.ts'
import { factOf, identified, isBefore, isEmpty, spanOf, textAt } from '../matching.ts'
import type { Document, Fact, Organization } from '../state.ts'

const names = ['title', 'content_md', 'summary', 'folder_id'] as const

/** The texts that a body or an item shows. */
function fieldsOf(value: unknown, by: number): Document['fields'] {
  const fields: Record<string, Fact<string>> = {}
  for (const name of names) {
    const fact = factOf(textAt(value, name), by)
    if (fact && !isEmpty(fact.value)) fields[name] = fact
  }
  return fields
}

export function learnCreatedDocument(org: Organization, event: Answered): void {
  const id = idOf(field(event.answer.json, 'item', 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  // An empty text may be a folder of that name.
  const isUnfiled =
    (field(event.body, 'folder_id') ?? null) === null &&
    isEmpty(field(event.answer.json, 'item', 'folder_id'))
  org.documents.set(id, { born: spanOf(event), fields: fieldsOf(event.body, event.id), isUnfiled })
}

export function learnDocument(org: Organization, { id: by, resource: id, answer }: Answered): void {
  const item = field(answer.json, 'item')
  if (!isSuccess(answer) || id === undefined || idOf(field(item, 'id')) !== id) return
  const known = org.documents.get(id)
  org.documents.set(id, { ...known, fields: { ...fieldsOf(item, by), ...known?.fields } })
}

export function learnDocumentList(org: Organization, { id: by, answer }: Answered): void {
  for (const { id, item } of identified(answer.json)) {
    const title = factOf(textAt(item, 'title'), by)
    if (title && !org.documents.has(id)) org.documents.set(id, { fields: { title } })
  }
}

/** A later creation may be answered with the same page. */
export function learnCreatedPage(org: Organization, event: Answered): void {
  const { json } = event.answer
  const id = idOf(field(json, 'id'))
  if (!isSuccess(event.answer) || id === undefined) return
  const known = org.pages.get(id)
  const changed = spanOf(event)
  const isLast = !known || isBefore(known.changed, changed)
  const name = isLast ? textAt(json, 'business_name') : undefined
  org.pages.set(id, { born: known?.born ?? changed, changed, name })
}
