/** §4 Documents. */

import { fail } from '../core/failure.ts'
import type { Document } from '../core/resources.ts'
import type { Handlers } from './handler.ts'
import { longestList } from './limits.ts'
import { viewDocument, viewDocumentItem } from './views.ts'

/** Handlers of §4 Documents. */
export const documents: Pick<Handlers, 'listDocuments' | 'getDocument' | 'createDocument'> = {
  listDocuments({ org, query }) {
    const folder = query.folder_id ?? null
    const matches = (document: Document) => query.all === '1' || document.folder_id === folder
    return { items: org.documents.newest(longestList, matches).map(viewDocumentItem) }
  },

  getDocument({ org, id }) {
    const document = org.documents.get(id)
    return document
      ? { item: viewDocument(document) }
      : fail('not_found', 'No such document in this organization.')
  },

  createDocument({ org, body, now }) {
    const document = org.documents.append({
      id: org.newId('document'),
      title: body.title,
      kind: body.kind ?? null,
      content_md: body.content_md ?? null,
      summary: body.summary ?? null,
      folder_id: body.folder_id ?? null,
      created_at: now,
    })
    return { item: viewDocument(document) }
  },
}
