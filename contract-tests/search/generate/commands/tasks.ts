/** Tasks and documents: made, read and listed, in folders and outside, of the same name; and what must be refused between good requests. */

import type { OperationId } from '#contract/operation.ts'
import type { CallStep } from '../../step.ts'
import {
  builderForTenant,
  type Command,
  declareSearchCommand,
  repeatDraw,
  type StepBuilder,
} from '../generator.ts'
import type { KnownResource } from '../inventory.ts'
import { drawBadBody, drawConfusableName, drawName, drawText } from '../texts.ts'

/** A request that creates a task; now and then with the text of an existing one. */
export function createTaskCall(gen: StepBuilder): CallStep {
  const known = gen.random.withProbability(0.5)
    ? gen.inventory.resources
    : gen.inventory.resources.filter(({ runs }) => runs > 0)
  const namesake = gen.random.withProbability(0.25) ? gen.random.pick(known.slice(-8)) : undefined
  return gen.call('createTask', { body: { text: namesake?.name ?? drawText(gen.random, 'Task') } })
}

/** Commands of the search that create, read and list tasks. */
export const taskCommands: readonly Command[] = [
  declareSearchCommand('new tasks', 3, (gen) => repeatDraw(gen.repetitions(4), () => createTaskCall(gen))),
  declareSearchCommand('namesakes', 1, (gen) => {
    const body = { text: gen.pickResource('task')?.name ?? drawText(gen.random, 'Task') }
    return repeatDraw(gen.repetitions(6), () => gen.call('createTask', { body }))
  }),
  declareSearchCommand('many tasks', 0.4, (gen) =>
    repeatDraw(2 + gen.random.below(3), () =>
      gen.burst(repeatDraw(gen.capabilities.maxConcurrency, () => createTaskCall(gen))),
    ),
  ),
  declareSearchCommand('read tasks', 2, (gen) =>
    repeatDraw(gen.repetitions(3), () => gen.pickResource('task')).flatMap((task) =>
      task ? gen.call('getTask', { target: { createdBy: task.createdBy } }) : [],
    ),
  ),
  declareSearchCommand('list tasks', 1, (gen) => [gen.call('listTasks')]),
  declareSearchCommand('whoami', 1, (gen) => [gen.call('whoami')]),
]

/** A folder of the organization, of the other one, or a new one. */
const drawFolder = (gen: StepBuilder) => {
  const owner = gen.random.withProbability(0.25) ? gen.random.pick(gen.capabilities.tenants) : gen.tenant
  const known = gen.random.withProbability(0.7)
    ? gen.random.pick(gen.inventory.foldersOfCase(owner ?? gen.tenant))
    : undefined
  if (known && gen.random.withProbability(0.15)) return drawConfusableName(gen.random, known)
  return known ?? `folder ${gen.random.below(1_000)} {tag}`
}

/** The name of a resource, or a confusingly similar one. */
const sameOrConfusableName = (gen: StepBuilder, { name }: KnownResource) =>
  (gen.random.withProbability(0.2) ? drawConfusableName(gen.random, name) : name).slice(0, 150)

const drawTitle = (gen: StepBuilder) => drawText(gen.random, 'Document').slice(0, 150)

/** A request that creates a document. */
export function createDocumentCall(gen: StepBuilder, title = drawName(gen.random, 'Document')): CallStep {
  const namesake = gen.random.withProbability(0.25)
    ? gen.random.pick(gen.inventory.resources.slice(-8))
    : undefined
  return gen.call('createDocument', {
    body: {
      title: namesake ? sameOrConfusableName(gen, namesake) : title,
      ...(gen.random.withProbability(0.8) ? { content_md: drawText(gen.random, 'Content') } : {}),
      ...(gen.random.withProbability(0.3) ? { summary: drawText(gen.random, 'Summary') } : {}),
      ...(gen.random.withProbability(0.5)
        ? { folder_id: gen.random.withProbability(0.1) ? '' : drawFolder(gen) }
        : {}),
    },
  })
}

const read = (gen: StepBuilder) => {
  const document = gen.pickResource('document')
  return document ? [gen.call('getDocument', { target: { createdBy: document.createdBy } })] : []
}

/** Commands of the search that create, read and list documents. */
export const documentCommands: readonly Command[] = [
  declareSearchCommand('new documents', 3, (gen) =>
    repeatDraw(gen.repetitions(5), () => createDocumentCall(gen)),
  ),
  declareSearchCommand('many documents', 0.4, (gen) =>
    repeatDraw(2 + gen.random.below(3), () =>
      gen.burst(repeatDraw(gen.capabilities.maxConcurrency, () => createDocumentCall(gen))),
    ),
  ),
  declareSearchCommand('one folder', 1, (gen) => {
    const folder_id = drawFolder(gen)
    const other = gen.random.withProbability(0.4) ? gen.random.pick(gen.capabilities.tenants) : undefined
    return [
      ...repeatDraw(2 + gen.repetitions(7), () =>
        gen.call('createDocument', {
          body: { title: drawTitle(gen), content_md: 'Content {tag}', folder_id },
        }),
      ),
      gen.call('listDocuments', { query: { folder_id } }),
      ...(other && other !== gen.tenant
        ? [builderForTenant(other, gen).call('listDocuments', { credential: 'key', query: { folder_id } })]
        : []),
    ]
  }),
  declareSearchCommand('beside a folder', 1, (gen) => {
    const folder_id = drawFolder(gen)
    const list = () => gen.call('listDocuments', { credential: 'key', query: { folder_id } })
    const body = { title: drawTitle(gen), content_md: 'Content {tag}' }
    return [list(), ...repeatDraw(gen.repetitions(3), () => gen.call('createDocument', { body })), list()]
  }),
  declareSearchCommand('many folders', 1, (gen) =>
    repeatDraw(2 + gen.repetitions(6), () =>
      gen.call('createDocument', {
        body: { title: drawTitle(gen), folder_id: `folder ${gen.random.below(1_000)} {tag}` },
      }),
    ),
  ),
  declareSearchCommand('same title', 1.5, (gen) => {
    const known = gen.pickResource('document')
    const title = known ? sameOrConfusableName(gen, known) : drawTitle(gen)
    const filed = known?.folder === undefined ? {} : { folder_id: known.folder }
    return repeatDraw(gen.repetitions(4), () => [
      ...(known && gen.random.withProbability(0.5)
        ? [gen.call('getDocument', { target: { createdBy: known.createdBy } })]
        : []),
      gen.call('createDocument', { body: { title, content_md: drawText(gen.random, 'Content'), ...filed } }),
    ]).flat()
  }),
  declareSearchCommand('read documents', 2, (gen) => repeatDraw(gen.repetitions(3), () => read(gen)).flat()),
  declareSearchCommand('list documents', 2, (gen) => {
    const folder_id = gen.pickResource('document', (one) => one.folder !== undefined)?.folder
    const query = gen.random.pick([undefined, { all: '1' }, folder_id ? { folder_id } : { all: '1' }])
    return [gen.call('listDocuments', query ? { query } : {})]
  }),
]

const idOperations = [
  ['getTask', 'task'],
  ['runTask', 'task'],
  ['getDocument', 'document'],
] as const

/** Free routes that need a key and no id. */
const keyRoutes = [
  ...['whoami', 'listTasks', 'createTask'],
  ...['listDocuments', 'createDocument', 'listNotifications'],
] as OperationId[]

/** Commands of the search that send invalid bodies, which must be refused. */
export const invalidRequestCommands: readonly Command[] = [
  declareSearchCommand('bad tasks', 1, (gen) => [
    ...repeatDraw(gen.repetitions(4), () =>
      gen.call('createTask', { body: drawBadBody(gen.random, 'text') }),
    ),
    createTaskCall(gen),
  ]),
  declareSearchCommand('bad documents', 1, (gen) => [
    ...repeatDraw(gen.repetitions(4), () =>
      gen.call('createDocument', { body: drawBadBody(gen.random, 'title') }),
    ),
    createDocumentCall(gen),
  ]),
  declareSearchCommand('corrected documents', 1, (gen) => {
    const good = createDocumentCall(gen)
    const body = { ...(good.body as object), [gen.random.pick(['content_md', 'folder_id']) ?? '']: 7 }
    return [createDocumentCall(gen), gen.call('createDocument', { credential: good.credential, body }), good]
  }),
  declareSearchCommand('unknown ids', 1, (gen) => {
    const [operation, kind] = gen.random.pick(idOperations) ?? idOperations[0]
    const known = gen.pickResource(kind)
    const unknown = () => gen.call(operation, { target: 'no-such-id' })
    const read = operation === 'runTask' ? 'getTask' : operation
    const good = known ? [gen.call(read, { target: { createdBy: known.createdBy } })] : []
    return [...repeatDraw(gen.repetitions(4), unknown), ...good]
  }),
  declareSearchCommand('no credentials', 0.7, (gen) => [
    ...repeatDraw(gen.repetitions(4), () =>
      gen.call(gen.random.pick(keyRoutes) ?? 'whoami', {
        credential: gen.random.pick(['none', 'invalid'] as const) ?? 'none',
      }),
    ),
    gen.call(gen.random.pick(['listTasks', 'whoami', 'listDocuments'] as const) ?? 'listTasks'),
  ]),
]
