/** §2 Document. */
import { z } from 'zod'
import { identifier } from './values.ts'

export const newDocument = z.object({
  title: z.string().min(1),
  kind: z.string().optional(),
  content_md: z.string().optional().describe('Markdown.'),
  summary: z.string().optional(),
  folder_id: z.string().optional(),
})

export const documentFilter = z.object({
  folder_id: z.string().optional().describe('Documents of this folder.'),
  all: z.literal('1').optional().describe('`1`: documents of every folder.'),
})

/** A document. A list may leave out `content_md` and `summary`. */
export const document = z.looseObject({
  id: identifier,
  title: z.string(),
  kind: z.string().nullish(),
  content_md: z.string().nullish(),
  summary: z.string().nullish(),
  folder_id: identifier.nullish(),
})

export const documentList = z.looseObject({ items: z.array(document) })
export const documentDetail = z.looseObject({ item: document })
