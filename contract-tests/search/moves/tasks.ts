/** Tasks and documents: made, read and listed, in folders and outside, of the same name; and what must be refused between good requests. */

import type { OperationId } from '#contract/operation.ts'
import { type Draw, drawFor, type Move, many, move } from '../draw.ts'
import type { Thing } from '../inventory.ts'
import { drawBadBody, drawName, drawText, lookalike } from '../random.ts'
import type { CallStep } from '../step.ts'

/** A request that creates a task; now and then with the text of another one, which may have run. */
export function newTask(d: Draw): CallStep {
  const known = d.random.chance(0.5) ? d.inventory.things : d.inventory.things.filter(({ runs }) => runs > 0)
  const namesake = d.random.chance(0.25) ? d.random.pick(known.slice(-8)) : undefined
  return d.call('createTask', { body: { text: namesake?.name ?? drawText(d.random, 'Task') } })
}

export const tasks: readonly Move[] = [
  move('new tasks', 3, (d) => many(d.times(4), () => newTask(d))),
  move('namesakes', 1, (d) => {
    const body = { text: d.thing('task')?.name ?? drawText(d.random, 'Task') }
    return many(d.times(6), () => d.call('createTask', { body }))
  }),
  move('many tasks', 0.4, (d) =>
    many(2 + d.random.below(3), () => d.burst(many(d.offers.clients, () => newTask(d)))),
  ),
  move('read tasks', 2, (d) =>
    many(d.times(3), () => d.thing('task')).flatMap((task) =>
      task ? d.call('getTask', { of: { made: task.made } }) : [],
    ),
  ),
  move('list tasks', 1, (d) => [d.call('listTasks')]),
  move('whoami', 1, (d) => [d.call('whoami')]),
]

/** A folder of the organization, of the other one, or a new one. */
const folder = (d: Draw) => {
  const owner = d.random.chance(0.25) ? d.random.pick(d.offers.tenants) : d.tenant
  const known = d.random.chance(0.7) ? d.random.pick(d.inventory.folders(owner ?? d.tenant)) : undefined
  if (known && d.random.chance(0.15)) return lookalike(d.random, known)
  return known ?? `folder ${d.random.below(1_000)} {tag}`
}

/** The name of something, or one that is easily taken for it. */
const nameLike = (d: Draw, { name }: Thing) =>
  (d.random.chance(0.2) ? lookalike(d.random, name) : name).slice(0, 150)

const titleOf = (d: Draw) => drawText(d.random, 'Document').slice(0, 150)

/** A request that creates a document. */
export function newDocument(d: Draw, title = drawName(d.random, 'Document')): CallStep {
  const namesake = d.random.chance(0.25) ? d.random.pick(d.inventory.things.slice(-8)) : undefined
  return d.call('createDocument', {
    body: {
      title: namesake ? nameLike(d, namesake) : title,
      ...(d.random.chance(0.8) ? { content_md: drawText(d.random, 'Content') } : {}),
      ...(d.random.chance(0.3) ? { summary: drawText(d.random, 'Summary') } : {}),
      ...(d.random.chance(0.5) ? { folder_id: d.random.chance(0.1) ? '' : folder(d) } : {}),
    },
  })
}

const read = (d: Draw) => {
  const document = d.thing('document')
  return document ? [d.call('getDocument', { of: { made: document.made } })] : []
}

export const documents: readonly Move[] = [
  move('new documents', 3, (d) => many(d.times(5), () => newDocument(d))),
  move('many documents', 0.4, (d) =>
    many(2 + d.random.below(3), () => d.burst(many(d.offers.clients, () => newDocument(d)))),
  ),
  move('one folder', 1, (d) => {
    const folder_id = folder(d)
    const other = d.random.chance(0.4) ? d.random.pick(d.offers.tenants) : undefined
    return [
      ...many(2 + d.times(7), () =>
        d.call('createDocument', { body: { title: titleOf(d), content_md: 'Content {tag}', folder_id } }),
      ),
      d.call('listDocuments', { query: { folder_id } }),
      ...(other && other !== d.tenant
        ? [drawFor(other, d).call('listDocuments', { as: 'key', query: { folder_id } })]
        : []),
    ]
  }),
  move('beside a folder', 1, (d) => {
    const folder_id = folder(d)
    const list = () => d.call('listDocuments', { as: 'key', query: { folder_id } })
    const body = { title: titleOf(d), content_md: 'Content {tag}' }
    return [list(), ...many(d.times(3), () => d.call('createDocument', { body })), list()]
  }),
  move('many folders', 1, (d) =>
    many(2 + d.times(6), () =>
      d.call('createDocument', {
        body: { title: titleOf(d), folder_id: `folder ${d.random.below(1_000)} {tag}` },
      }),
    ),
  ),
  move('same title', 1.5, (d) => {
    const known = d.thing('document')
    const title = known ? nameLike(d, known) : titleOf(d)
    const filed = known?.folder === undefined ? {} : { folder_id: known.folder }
    return many(d.times(4), () => [
      ...(known && d.random.chance(0.5) ? [d.call('getDocument', { of: { made: known.made } })] : []),
      d.call('createDocument', { body: { title, content_md: drawText(d.random, 'Content'), ...filed } }),
    ]).flat()
  }),
  move('read documents', 2, (d) => many(d.times(3), () => read(d)).flat()),
  move('list documents', 2, (d) => {
    const folder_id = d.thing('document', (one) => one.folder !== undefined)?.folder
    const query = d.random.pick([undefined, { all: '1' }, folder_id ? { folder_id } : { all: '1' }])
    return [d.call('listDocuments', query ? { query } : {})]
  }),
]

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
