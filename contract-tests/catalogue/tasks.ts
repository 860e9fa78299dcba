/** §2 Task, §4 Tasks: creating, reading and listing; no credit is spent here. */
import type { OperationId } from '#contract/operation.ts'
import { askUnknown } from '../evidence/ids.ts'
import { newTask, sharedTask } from '../evidence/resources.ts'
import { brief, type Exchange, field, idOf, items } from '../exchange.ts'
import { NotExercised, Violation } from '../finding.ts'
import { probe, type Requirement } from '../requirement.ts'
import { expectRefused, expectSame, expectThat, need, needAccepted, refusals } from '../words.ts'
import { longText, oddIds, texts } from './texts.ts'

const writes = { writes: true } as const

/** The task with an id in a list answer. */
export function taskIn(list: Exchange, id: string): unknown {
  return items(list).find((item) => idOf(field(item, 'id')) === id)
}

/** Judges that an operation refuses an id that nobody has. */
export function unknownId(
  id: string,
  operation: OperationId,
  section: string,
  what: string,
  known: (kit: Parameters<typeof sharedTask>[0]) => Promise<{ id: string }>,
): Requirement {
  return probe(
    id,
    'MUST',
    section,
    operation,
    `${operation} of an unknown ${what} is answered 404 not_found.`,
    async (kit) => {
      const exchange = await askUnknown((await known(kit)).id, (unknown) =>
        kit.call(operation, { id: unknown }),
      )
      expectRefused(exchange, refusals.notFound)
    },
    writes,
  )
}

const readBack = Object.entries(texts).map(([name, text]) =>
  probe(
    `TASK-TEXT-${name}`,
    'MUST',
    '§2, §4',
    'createTask',
    `The text of a task is kept to the character: ${name.toLowerCase()}.`,
    async (kit) => {
      const wanted = text.replace('{mark}', kit.name('Task'))
      const { id, exchange } = await newTask(kit, wanted)
      expectSame(field(exchange.json, 'task', 'text'), wanted, 'task.text', exchange)
      const read = needAccepted(await kit.call('getTask', { id }))
      expectSame(field(read.json, 'task', 'text'), wanted, 'task.text', read)
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
    async (kit) => {
      const { id } = await sharedTask(kit)
      const read = await kit.call('getTask', { id })
      if (read.status === 404) throw new Violation('the created task', brief(read), read)
      expectSame(idOf(field(needAccepted(read).json, 'task', 'id')), id, 'task.id', read)
    },
    writes,
  ),

  probe(
    'TASK-LISTED',
    'MUST',
    '§4',
    'listTasks',
    'A created task is in the list.',
    async (kit) => {
      const { id } = await newTask(kit)
      const list = needAccepted(await kit.call('listTasks'))
      expectThat(
        taskIn(list, id) !== undefined,
        `the new task ${id} in items`,
        `${items(list).length} other items`,
        list,
      )
    },
    writes,
  ),

  probe(
    'TASK-LISTED-SAME',
    'MUST',
    '§2',
    'listTasks',
    'The list gives a task the text that it was created with.',
    async (kit) => {
      const { id, text } = await newTask(kit)
      const list = needAccepted(await kit.call('listTasks'))
      expectSame(field(need(taskIn(list, id), 'the new task in the list'), 'text'), text, 'text', list)
    },
    writes,
  ),

  probe(
    'TASK-UNIQUE',
    'MUST',
    '§2',
    'createTask',
    'Each created task has an id of its own.',
    async (kit) => {
      const [a, b] = [await newTask(kit), await newTask(kit)]
      expectThat(a.id !== b.id, 'two ids', `${a.id} twice`, a.exchange, b.exchange)
    },
    writes,
  ),

  probe(
    'TASK-NEW-UNFINISHED',
    'MUST',
    '§3.1',
    'getTask',
    'A task that never ran is not finished.',
    async (kit) => {
      const { id } = await newTask(kit)
      const read = needAccepted(await kit.call('getTask', { id }))
      const finished = field(read.json, 'finished')
      expectThat(finished !== true, 'finished: false', 'finished: true', read)
    },
    writes,
  ),

  ...readBack,

  probe(
    'TASK-TEXT-LONG',
    'MUST',
    '§2, §4',
    'createTask',
    'A long text that is accepted is kept whole.',
    async (kit) => {
      const wanted = longText(kit.name('Task'))
      const exchange = await kit.call('createTask', { body: { text: wanted } })
      if (exchange.status === 400 || exchange.status === 413 || exchange.status === 422)
        throw new NotExercised('a text of 20,000 characters is refused')
      const id = need(idOf(field(needAccepted(exchange).json, 'task', 'id')), 'task.id')
      const read = needAccepted(await kit.call('getTask', { id }))
      const text = field(read.json, 'task', 'text')
      expectThat(
        text === wanted,
        `all ${wanted.length} characters`,
        typeof text === 'string' ? `${text.length} characters` : 'no text',
        read,
      )
    },
    writes,
  ),

  unknownId('TASK-UNKNOWN', 'getTask', '§7', 'task', sharedTask),
  unknownId('RUN-UNKNOWN', 'runTask', '§7', 'task', sharedTask),

  probe(
    'TASK-ODD-ID',
    'MUST',
    '§7',
    'getTask',
    'An odd id, percent-encoded, is answered as unknown or as bad input.',
    async (kit) => {
      for (const id of oddIds) {
        expectRefused(await kit.call('getTask', { id }), { ...refusals.notFound, ...refusals.badInput })
      }
    },
  ),
]
