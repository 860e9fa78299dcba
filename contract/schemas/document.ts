/** §2 Document. */
import { z } from 'zod'
import { emptyOrIdentifier, identifier } from './values.ts'

/** Body of createDocument (§4 Documents). */
export const newDocument = z.object({
  title: z.string().min(1),
  kind: z.string().optional(),
  content_md: z.string().optional().describe('Markdown.'),
  summary: z.string().optional(),
  folder_id: z.string().optional(),
})

/** Query of listDocuments (§4 Documents). */
export const documentFilter = z.object({
  folder_id: z.string().optional().describe('Only documents in this folder.'),
  all: z.literal('1').optional().describe('`1`: documents in every folder and outside folders.'),
})

/** A document (§2 Document). A list may omit `content_md` and `summary`. */
export const document = z.looseObject({
  id: identifier,
  title: z.string(),
  kind: z.string().nullish(),
  content_md: z.string().nullish(),
  summary: z.string().nullish(),
  folder_id: emptyOrIdentifier.optional(),
})

/** Response of listDocuments. */
export const documentList = z.looseObject({ items: z.array(document) })
/** Response of getDocument and createDocument. */
export const documentDetail = z.looseObject({ item: document })
