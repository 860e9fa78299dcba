/** §4: lists are as complete at the end of a run, when much was created, as at its beginning. Judged last. */
import { newDocument, newTask } from '../evidence/resources.ts'
import { field, idOf } from '../exchange.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectThat, needAccepted, needItems } from '../words.ts'

const traits = { writes: true, alone: true, quiet: true } as const

export const later: Requirement[] = [
  probe(
    'TASK-LISTED-LAST',
    'MUST',
    '§4',
    'listTasks',
    'The newest task is in the list also when there are many.',
    async (kit) => {
      const { id } = await newTask(kit)
      const list = needAccepted(await kit.call('listTasks'))
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
    async (kit) => {
      const { id } = await newDocument(kit)
      const list = needAccepted(await kit.call('listDocuments', { query: { all: '1' } }))
      const listed = needItems(list)
      const found = listed.some((item) => idOf(field(item, 'id')) === id)
      expectThat(found, `the new document ${id} in items`, `${listed.length} other items`, list)
    },
    traits,
  ),
]
