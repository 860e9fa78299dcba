/** §4: lists are as complete at the end of a run, when much was created, as at its beginning. Judged last. */

import { field, idOf } from '#traffic/exchange.ts'
import { newDocument, newTask } from '../evidence/resources.ts'
import { expectThat, needAccepted, needItems } from '../harness/expect.ts'
import { probe, type Requirement } from '../harness/requirement.ts'

const traits = { writes: true, alone: true, quiet: true } as const

export const later: Requirement[] = [
  probe(
    'TASK-LISTED-LAST',
    'MUST',
    '§4',
    'listTasks',
    'The newest task is in the list also when there are many.',
    async (t) => {
      const { id } = await newTask(t)
      const list = needAccepted(await t.call('listTasks'))
      const listed = needItems(list)
      const found = listed.some((item) => idOf(field(item, 'id')) === id)
      expectThat(found, `the new task ${id} in items`, `${listed.length} other items`, list)
    },
    traits,
  ),

  probe(
    'DOC-LISTED-LAST',
    'MUST',
    '§4',
    'listDocuments',
    'The newest document is in the list with all=1 also when there are many.',
    async (t) => {
      const { id } = await newDocument(t)
      const list = needAccepted(await t.call('listDocuments', { query: { all: '1' } }))
      const listed = needItems(list)
      const found = listed.some((item) => idOf(field(item, 'id')) === id)
      expectThat(found, `the new document ${id} in items`, `${listed.length} other items`, list)
    },
    traits,
  ),
]
