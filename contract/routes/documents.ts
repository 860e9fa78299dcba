/** §4 Documents. */
import { both, route } from '../route.ts'
import { documentDetail, documentFilter, documentList, newDocument } from '../schemas/core.ts'

const shared = { section: '§4 Documents', set: 'core', auth: 'key', cost: 0 } as const

export const listDocuments = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/documents',
  summary: 'List documents: those outside folders, those of one folder, or all.',
  query: documentFilter,
  answer: both(documentList),
  failures: ['invalid'],
})

export const getDocument = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/documents/:id',
  summary: 'Get a document.',
  answer: both(documentDetail),
  failures: ['not_found'],
})

export const createDocument = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/documents',
  summary: 'Create a document.',
  body: newDocument,
  answer: both(documentDetail),
  failures: ['unreadable', 'invalid'],
})
