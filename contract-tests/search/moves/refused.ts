/** Requests that must be refused, between good ones, and a good one right after. */
import type { Draw, Move } from '../draw.ts'
import type { CallStep } from '../step.ts'
import { drawBadBody } from '../texts.ts'
import { newDocument } from './documents.ts'
import { newTask } from './tasks.ts'

const unknown = (d: Draw): CallStep =>
  d.call(d.random.pick(['getTask', 'runTask', 'getDocument'] as const) ?? 'getTask', { of: 'no-such-id' })

export const refused: readonly Move[] = [
  {
    id: 'bad tasks',
    weight: 1,
    draw: (d) => [
      ...Array.from({ length: d.times(4) }, () =>
        d.call('createTask', { body: drawBadBody(d.random, 'text') }),
      ),
      newTask(d),
    ],
  },
  {
    id: 'bad documents',
    weight: 1,
    draw: (d) => [
      ...Array.from({ length: d.times(4) }, () =>
        d.call('createDocument', { body: drawBadBody(d.random, 'title') }),
      ),
      newDocument(d),
    ],
  },
  {
    id: 'corrected documents',
    weight: 1,
    draw(d) {
      const good = newDocument(d)
      const body = { ...(good.body as object), [d.random.pick(['content_md', 'folder_id']) ?? '']: 7 }
      return [newDocument(d), d.call('createDocument', { as: good.as, body }), good]
    },
  },
  {
    id: 'unknown ids',
    weight: 1,
    draw: (d) => Array.from({ length: d.times(3) }, () => unknown(d)),
  },
  {
    id: 'no credentials',
    weight: 0.7,
    draw: (d) => [
      ...Array.from({ length: d.times(4) }, () =>
        d.call(d.random.pick(['whoami', 'listTasks', 'createTask'] as const) ?? 'whoami', {
          as: d.random.pick(['none', 'invalid'] as const) ?? 'none',
        }),
      ),
      d.call(d.random.pick(['listTasks', 'whoami', 'listDocuments'] as const) ?? 'listTasks'),
    ],
  },
]
