/** §2 Document, §4 Documents: which fields a document may be created with, and that every answer tells the same. */
import { twin } from '../evidence/calls.ts'
import { sharedDocument } from '../evidence/resources.ts'
import { field } from '../exchange.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectAccepted, expectRefused, expectSame, refusals } from '../words.ts'

const writes = { writes: true } as const

export const documentAnswers: Requirement[] = [
  probe(
    'DOC-FIELDS-ACCEPTED',
    'MUST',
    '§2, §4',
    'createDocument',
    'A document may be created with content_md and summary beside its title.',
    async (kit) => {
      await twin(kit, 'createDocument')
      const body = {
        title: kit.name('Document'),
        content_md: `# ${kit.name('Content')}\n\nText.`,
        summary: kit.name('Summary'),
      }
      expectAccepted(await kit.call('createDocument', { body }))
    },
    writes,
  ),

  probe(
    'DOC-ANSWER-TITLE',
    'MUST',
    '§2, §4',
    'createDocument',
    'The answer to its creation gives a document the title that it was created with.',
    async (kit) => {
      const { title, exchange } = await sharedDocument(kit)
      expectSame(field(exchange.json, 'item', 'title'), title, 'item.title', exchange)
    },
    writes,
  ),

  // A field that may be left out: to ignore what it holds is unwise, not forbidden.
  probe(
    'INPUT-WRONG-CONTENT-createDocument',
    'SHOULD',
    '§2, §7',
    'createDocument',
    'createDocument with an object for content_md is refused as bad input: 400 invalid_request, or 422.',
    async (kit) => {
      await twin(kit, 'createDocument')
      const body = { title: kit.name('Document'), content_md: { not: 'a string' } }
      expectRefused(await kit.call('createDocument', { body }), refusals.badInput)
    },
    writes,
  ),
]
