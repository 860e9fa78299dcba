/** §2 Document, §4 Documents: which fields a document may be created with, and that every answer tells the same. */

import { field } from '#traffic/exchange.ts'
import { NotExercised } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { created, readBack, sharedDocument } from '../evidence/resources.ts'
import { expectAccepted, expectRefused, expectSame, expectThat, need, refusals } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'
import { longText } from './texts.ts'

const writes = { writes: true } as const

export const documentAnswers: Requirement[] = [
  probe(
    'DOC-FIELDS-ACCEPTED',
    'MUST',
    '§2, §4',
    'createDocument',
    'A document may be created with content_md and summary beside its title.',
    async (t) => {
      await twin(t, 'createDocument')
      const body = {
        title: t.name('Document'),
        content_md: `# ${t.name('Content')}\n\nText.`,
        summary: t.name('Summary'),
      }
      expectAccepted(await t.call('createDocument', { body }))
    },
    writes,
  ),

  probe(
    'DOC-ANSWER-TITLE',
    'MUST',
    '§2, §4',
    'createDocument',
    'The answer to its creation gives a document the title that it was created with.',
    async (t) => {
      const { title, exchange } = await sharedDocument(t)
      expectSame(field(exchange.json, 'item', 'title'), title, 'item.title', exchange)
    },
    writes,
  ),

  probe(
    'DOC-CONTENT-LONG',
    'MUST',
    '§4',
    'createDocument',
    'A long content that is accepted is kept whole.',
    async (t) => {
      const content_md = longText(t.name('Content'))
      const exchange = await t.call('createDocument', { body: { title: t.name('Document'), content_md } })
      if ([400, 413, 422].includes(exchange.status))
        throw new NotExercised('a content of 20,000 characters is refused')
      const read = await readBack(t, 'getDocument', created(t, exchange).id)
      const kept = field(read.item, 'content_md')
      const told = typeof kept === 'string' ? `${kept.length} characters` : 'no content'
      expectThat(kept === content_md, `all ${content_md.length} characters`, told, read.exchange)
    },
    writes,
  ),

  probe(
    'DOC-TITLE-SPACES',
    'SHOULD',
    '§4',
    'createDocument',
    'The title and the summary of a document keep the spaces around them.',
    async (t) => {
      await twin(t, 'createDocument')
      const body = { title: `  ${t.name('Document')} `, summary: ` ${t.name('Summary')}\n` }
      const { id } = created(t, await t.call('createDocument', { body }))
      const { item, exchange } = await readBack(t, 'getDocument', id)
      expectSame(need(field(item, 'title'), 'item.title'), body.title, 'item.title', exchange)
      expectSame(need(field(item, 'summary'), 'item.summary'), body.summary, 'item.summary', exchange)
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
    async (t) => {
      await twin(t, 'createDocument')
      const body = { title: t.name('Document'), content_md: { not: 'a string' } }
      expectRefused(await t.call('createDocument', { body }), refusals.badInput)
    },
    writes,
  ),
]
