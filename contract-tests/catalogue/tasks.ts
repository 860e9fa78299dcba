/** §2 Task, §4 Tasks: creating, reading and listing tasks; no credit is spent here. */

import type { Exchange } from '#traffic/exchange.ts'
import { pollListForItem } from '../fixtures/late-effects.ts'
import { createTask } from '../fixtures/resources.ts'
import { fragileTexts } from '../fixtures/texts.ts'
import {
  assumePositiveControl,
  assumeSharedResourceRead,
  sendPositiveControl,
} from '../fixtures/valid-requests.ts'
import type { TestContext } from '../harness/context.ts'
import { assumePresent, findItem } from '../harness/expect.ts'
import { must, type Requirement } from '../harness/requirement.ts'
import {
  createResourceWithForeignFields,
  declareLongTextKeptRequirement,
  declareTextsKeptRequirements,
  declareUnknownIdRequirement,
  declareWhitespaceKeptRequirement,
  newestInListCheckTraits,
  taskKindDefinition,
  writingCheckTraits,
} from './resource-kinds.ts'

/** A task with a text of several lines, and a list after its creation; the list was read before it, too. */
const listedTask = (t: TestContext) =>
  t.evidence('listed task', async () => {
    await assumePositiveControl(t, 'listTasks')
    const made = await createTask(t, fragileTexts.LINES.replace('{tag}', `  ${t.name('Task')} Grüße `))
    return { ...made, list: await pollListForItem(t, 'listTasks', made.id) }
  })

/** A list with the new task. Continues only if it contains the task. */
async function listWithNew(t: TestContext): Promise<Exchange> {
  const { id, list } = await listedTask(t)
  assumePresent(findItem(list, id), 'the new task in the list')
  return list
}

/** The creation of a task that never ran, and the task read by its id. */
async function newTaskRead(t: TestContext): Promise<Exchange[]> {
  await assumeSharedResourceRead(t, 'getTask')
  return [await sendPositiveControl(t, 'createTask'), await sendPositiveControl(t, 'getTask')]
}

/** Traits of checks of tasks that never ran, which somebody else may run. */
const repeated = { ...writingCheckTraits, retryOnViolation: true } as const

/** Requirements on creating, reading and listing tasks. */
export const taskRequirements: Requirement[] = [
  must('TASK-LISTED', '§4', 'listTasks', newestInListCheckTraits)
    .tests('list-contents', 'list-tasks', 'create-task')
    .explains('TASK-LISTED-LAST', 'TASK-CREATED-ONCE', 'RUN-LISTED', 'RUN-LISTED-RUNNING', 'LIST-PROMPT')
    .states('The list contains a created task.')
    .judged(listWithNew),

  must('TASK-LISTED-SAME', '§2', 'listTasks', newestInListCheckTraits)
    .tests('task-fields', 'list-contents', 'list-tasks', 'create-task')
    .states('The list shows a task with the text it was created with.')
    .judged(listWithNew),

  must('TASK-CREATED-ONCE', '§4', 'createTask', newestInListCheckTraits)
    .tests('create-task')
    .states('createTask creates one task.')
    .judged(async (t) => [await listWithNew(t)]),

  must('TASK-NEW-UNFINISHED', '§3.1', 'getTask', repeated)
    .tests('task-finished', 'finished-stays')
    .states('A task that never ran is not finished.')
    .judged(async (t) => [
      ...(await newTaskRead(t)),
      ...(await createResourceWithForeignFields(t, taskKindDefinition)),
    ]),

  must('TASK-NEW-IDLE', '§3', 'createTask', repeated)
    .tests('status-in-progress')
    .states('A task that never ran is not in_progress.')
    .judged(newTaskRead),

  ...declareTextsKeptRequirements(taskKindDefinition),
  declareWhitespaceKeptRequirement(taskKindDefinition),
  declareLongTextKeptRequirement(taskKindDefinition, 'TASK-TEXT-LONG', '§2, §4'),
  declareUnknownIdRequirement('TASK-UNKNOWN', 'getTask', taskKindDefinition),
  declareUnknownIdRequirement('RUN-UNKNOWN', 'runTask', taskKindDefinition, { retryOnViolation: true }),
]
