/** §2 Task, §4 Tasks: creating, reading and listing; no credit is spent here. */
import type { OperationId } from '#contract/operation.ts'
import { brief, type Exchange, field, idOf, items } from '#traffic/exchange.ts'
import { NotExercised, Violation } from '../client/finding.ts'
import { twin } from '../evidence/calls.ts'
import { readCredits } from '../evidence/credits.ts'
import { askUnknown } from '../evidence/ids.ts'
import { created, newTask, readBack, sharedTask } from '../evidence/resources.ts'
import type { TestContext } from '../harness/context.ts'
import { createdId } from '../harness/created.ts'
import {
  expectAccepted,
  expectRefused,
  expectSame,
  expectThat,
  need,
  needAccepted,
  needItems,
  refusals,
} from '../harness/expect.ts'
import { type Probe, probe, type Requirement } from '../harness/requirement.ts'
import { longText, texts } from './texts.ts'

const writes = { writes: true } as const

/** Alone, since a list may be capped: what was just created must be the newest. */
const listed = { ...writes, alone: true, quiet: true } as const

/** The task with an id in a list answer. */
export function taskIn(list: Exchange, id: string): unknown {
  return needItems(list).find((item) => idOf(field(item, 'id')) === id)
}

/** Judges that an operation refuses an id that nobody has; one that somebody has is read before. */
export function unknownId(
  id: string,
  operation: OperationId,
  section: string,
  what: 'task' | 'document',
  known: (t: TestContext) => Promise<{ id: string }>,
  more: Partial<Probe> = {},
): Requirement {
  return probe(
    id,
    'MUST',
    section,
    operation,
    `${operation} of an unknown ${what} is answered 404 not_found.`,
    async (t) => {
      const { id } = await known(t)
      await readBack(t, what === 'task' ? 'getTask' : 'getDocument', id)
      const exchange = await askUnknown(id, (unknown) => t.call(operation, { id: unknown }))
      if (exchange.status === 402 && (await readCredits(t)) < 1)
        throw new NotExercised('there is no credit to run with, and that was said first')
      expectRefused(exchange, refusals.notFound)
    },
    { ...writes, ...more },
  )
}

const textsKept = Object.entries(texts).map(([name, text]) =>
  probe(
    `TASK-TEXT-${name}`,
    'MUST',
    '§2, §4',
    'createTask',
    `The text of a task is kept to the character: ${name.toLowerCase()}.`,
    async (t) => {
      const wanted = text.replace('{mark}', t.name('Task'))
      await twin(t, 'createTask')
      const answer = expectAccepted(await t.call('createTask', { body: { text: wanted } }))
      const { id, exchange } = created(t, answer)
      expectSame(field(exchange.json, 'task', 'text'), wanted, 'task.text', exchange)
      const read = await readBack(t, 'getTask', id)
      expectSame(field(read.item, 'text'), wanted, 'task.text', read.exchange)
    },
    writes,
  ),
)

export const tasks: Requirement[] = [
  probe(
    'TASK-READABLE',
    'MUST',
    '§4',
    'getTask',
    'A created task is read back by its id, with that id.',
    async (t) => {
      for (const { id } of [await sharedTask(t), await newTask(t)]) {
        const read = await t.call('getTask', { id })
        if (read.status === 404) throw new Violation('the created task', brief(read), read)
        expectSame(idOf(field(needAccepted(read).json, 'task', 'id')), id, 'task.id', read)
      }
    },
    writes,
  ),

  probe(
    'TASK-LISTED',
    'MUST',
    '§4',
    'listTasks',
    'A created task is in the list.',
    async (t) => {
      const { id } = await newTask(t)
      const list = needAccepted(await t.call('listTasks'))
      expectThat(
        taskIn(list, id) !== undefined,
        `the new task ${id} in items`,
        `${items(list).length} other items`,
        list,
      )
    },
    listed,
  ),

  probe(
    'TASK-LISTED-SAME',
    'MUST',
    '§2',
    'listTasks',
    'The list gives a task the text that it was created with.',
    async (t) => {
      const text = texts.LINES.replace('{mark}', `  ${t.name('Task')} Grüße `)
      const { id, exchange } = await newTask(t, text)
      const told = need(field(exchange.json, 'task', 'text'), 'the text of the new task')
      const list = needAccepted(await t.call('listTasks'))
      expectSame(field(need(taskIn(list, id), 'the new task in the list'), 'text'), told, 'text', list)
    },
    listed,
  ),

  probe(
    'TASK-UNIQUE',
    'MUST',
    '§2',
    'createTask',
    'Each created task has an id of its own.',
    async (t) => {
      const create = async () => needAccepted(await t.call('createTask', { body: { text: t.name('Task') } }))
      const [a, b] = [await create(), await create()]
      const [first, second] = [a, b].map((one) => need(createdId(one), 'task.id'))
      expectThat(first !== second, 'two ids', `${first} twice`, a, b)
    },
    writes,
  ),

  probe(
    'TASK-NEW-UNFINISHED',
    'MUST',
    '§3.1',
    'getTask',
    'A task that never ran is not finished.',
    async (t) => {
      const { id } = await newTask(t)
      const { exchange } = await readBack(t, 'getTask', id)
      const finished = field(exchange.json, 'finished')
      expectThat(finished !== true, 'finished: false', 'finished: true', exchange)
    },
    writes,
  ),

  ...textsKept,

  probe(
    'TASK-TEXT-LONG',
    'MUST',
    '§2, §4',
    'createTask',
    'A long text that is accepted is kept whole.',
    async (t) => {
      const wanted = longText(t.name('Task'))
      const exchange = await t.call('createTask', { body: { text: wanted } })
      if (exchange.status === 400 || exchange.status === 413 || exchange.status === 422)
        throw new NotExercised('a text of 20,000 characters is refused')
      const { id } = created(t, exchange)
      const read = await readBack(t, 'getTask', id)
      const text = field(read.item, 'text')
      expectThat(
        text === wanted,
        `all ${wanted.length} characters`,
        typeof text === 'string' ? `${text.length} characters` : 'no text',
        read.exchange,
      )
    },
    writes,
  ),

  unknownId('TASK-UNKNOWN', 'getTask', '§7', 'task', sharedTask),
  unknownId('RUN-UNKNOWN', 'runTask', '§7', 'task', sharedTask, { alone: true, quiet: true }),
]
