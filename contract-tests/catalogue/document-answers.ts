/** §2 Document, §4 Documents: the fields a document may be created with, and the fields in responses. */

import { field } from '#traffic/exchange.ts'
import { created, readBack, sharedDocument } from '../evidence/resources.ts'
import { assumePositiveControl } from '../evidence/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent, expectAccepted, expectRefused, expectSame, refusals } from '../harness/expect.ts'
import { must, type Requirement, should } from '../harness/requirement.ts'
import { document } from './resource-kinds.ts'
import { writes } from './stored-resources.ts'
import { isKeptInWhole, isSameInWhole, keepsLongText } from './stored-texts.ts'
import { fieldTexts } from './texts.ts'

/** The creation of a document with every text field. */
export const createdInFull = (t: TestContext) =>
  t.evidence('created in full', () => {
    const body = {
      title: t.name(fieldTexts.title),
      content_md: `# ${t.name('Content')}\n\nText.`,
      summary: t.name(fieldTexts.summary),
    }
    return t.call('createDocument', { body })
  })

export const documentAnswers: Requirement[] = [
  must('DOC-FIELDS-ACCEPTED', '§2, §4', 'createDocument', writes)
    .states('A document can be created with content_md and summary in addition to its title.')
    .check(async (t) => {
      if (await isKeptInWhole(t, document, 'title')) return
      await assumePositiveControl(t, 'createDocument')
      expectAccepted(await createdInFull(t))
    }),

  must('DOC-ANSWER-TITLE', '§2, §4', 'createDocument', writes)
    .states('The createDocument response contains the title that was sent.')
    .judged(sharedDocument),

  keepsLongText(document, 'DOC-CONTENT-LONG', '§4'),

  should('DOC-TITLE-SPACES', '§4', 'createDocument', writes)
    .states('The title and the summary of a document keep leading and trailing spaces.')
    .check(async (t) => {
      if (await isSameInWhole(t, document, 'title', 'summary')) return
      await assumePositiveControl(t, 'createDocument')
      const body = { title: `  ${t.name('Document')} `, summary: ` ${t.name('Summary')}\n` }
      const { id } = created(t, await t.call('createDocument', { body }))
      const { item, exchange } = await readBack(t, 'getDocument', id)
      expectSame(assumePresent(field(item, 'title'), 'item.title'), body.title, 'item.title', exchange)
      expectSame(
        assumePresent(field(item, 'summary'), 'item.summary'),
        body.summary,
        'item.summary',
        exchange,
      )
    }),

  // SHOULD, because the field is optional: ignoring a wrong value is not forbidden.
  should('INPUT-WRONG-CONTENT-createDocument', '§2, §7', 'createDocument', writes)
    .states(
      'createDocument with an object for content_md is rejected as bad input: 400 invalid_request, or 422.',
    )
    .check(async (t) => {
      await assumePositiveControl(t, 'createDocument')
      const body = { title: t.name('Document'), content_md: { not: 'a string' } }
      expectRefused(await t.call('createDocument', { body }), refusals.badInput)
    }),
]
