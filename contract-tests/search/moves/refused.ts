/** Requests that must be refused, between good ones, and a good one right after. */
import type { OperationId } from '#contract/operation.ts'
import { type Move, many, move } from '../draw.ts'
import { drawBadBody } from '../random.ts'
import { newDocument, newTask } from './tasks.ts'

const ids = [
  ['getTask', 'task'],
  ['runTask', 'task'],
  ['getDocument', 'document'],
] as const

/** Free routes that need a key and no id. */
const keyRoutes = [
  ...['whoami', 'listTasks', 'createTask'],
  ...['listDocuments', 'createDocument', 'listNotifications'],
] as OperationId[]

export const refused: readonly Move[] = [
  move('bad tasks', 1, (d) => [
    ...many(d.times(4), () => d.call('createTask', { body: drawBadBody(d.random, 'text') })),
    newTask(d),
  ]),
  move('bad documents', 1, (d) => [
    ...many(d.times(4), () => d.call('createDocument', { body: drawBadBody(d.random, 'title') })),
    newDocument(d),
  ]),
  move('corrected documents', 1, (d) => {
    const good = newDocument(d)
    const body = { ...(good.body as object), [d.random.pick(['content_md', 'folder_id']) ?? '']: 7 }
    return [newDocument(d), d.call('createDocument', { as: good.as, body }), good]
  }),
  move('unknown ids', 1, (d) => {
    const [operation, kind] = d.random.pick(ids) ?? ids[0]
    const known = d.thing(kind)
    const unknown = () => d.call(operation, { of: 'no-such-id' })
    const read = operation === 'runTask' ? 'getTask' : operation
    const good = known ? [d.call(read, { of: { made: known.made } })] : []
    return [...many(d.times(4), unknown), ...good]
  }),
  move('no credentials', 0.7, (d) => [
    ...many(d.times(4), () =>
      d.call(d.random.pick(keyRoutes) ?? 'whoami', {
        as: d.random.pick(['none', 'invalid'] as const) ?? 'none',
      }),
    ),
    d.call(d.random.pick(['listTasks', 'whoami', 'listDocuments'] as const) ?? 'listTasks'),
  ]),
]
