/** §2 Task, §4 Tasks: creating, reading and listing tasks; no credit is spent here. */
import { field } from '#traffic/exchange.ts'
import { listWith } from '../evidence/late-effects.ts'
import { newTask, readBack } from '../evidence/resources.ts'
import { assumePresent, expectListed, expectSame, expectThat, itemIn } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import {
  keepsEnds,
  keepsLongText,
  keepsTexts,
  listing,
  refusesUnknownId,
  task,
  writes,
} from './stored-resources.ts'
import { isSameTrimmed, texts } from './texts.ts'

export const tasks: Requirement[] = [
  must('TASK-LISTED', '§4', 'listTasks', listing)
    .states('The list contains a created task.')
    .check(async (t) => {
      const { id } = await newTask(t)
      expectListed(await listWith(t, 'listTasks', id), id, 'new task')
    }),

  must('TASK-LISTED-SAME', '§2', 'listTasks', listing)
    .states('The list shows a task with the text it was created with.')
    .check(async (t) => {
      const text = texts.LINES.replace('{mark}', `  ${t.name('Task')} Grüße `)
      const { id, exchange } = await newTask(t, text)
      const wanted = assumePresent(field(exchange.json, 'task', 'text'), 'the text of the new task')
      const list = await listWith(t, 'listTasks', id)
      const item = assumePresent(itemIn(list, id), 'the new task in the list')
      if (!isSameTrimmed(field(item, 'text'), wanted)) expectSame(field(item, 'text'), wanted, 'text', list)
    }),

  must('TASK-NEW-UNFINISHED', '§3.1', 'getTask', writes)
    .states('A task that never ran is not finished.')
    .check(async (t) => {
      const { id } = await newTask(t)
      const { exchange } = await readBack(t, 'getTask', id)
      const finished = field(exchange.json, 'finished')
      expectThat(finished !== true, 'finished: false', 'finished: true', exchange)
    }),

  ...keepsTexts(task),
  keepsEnds(task),
  keepsLongText(task, 'TASK-TEXT-LONG', '§2, §4'),
  refusesUnknownId('TASK-UNKNOWN', 'getTask', task),
  refusesUnknownId('RUN-UNKNOWN', 'runTask', task, { alone: true, quiet: true }),
]
