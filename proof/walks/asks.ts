/** The requests that a walk draws, from what it has seen. */

import type { SeededRandom } from '#mocks/core/random.ts'
import { field, idOf } from '#traffic/exchange.ts'
import type { Ask } from './world.ts'

/** Ids that a walk has seen of one organization, and keys that it has created. */
interface Seen {
  readonly tasks: string[]
  readonly documents: string[]
  readonly notifications: string[]
  readonly keys: { id: string | undefined; by: number; secret: string }[]
}

export const nothingSeen = (): Seen => ({ tasks: [], documents: [], notifications: [], keys: [] })

/** `other`: what was seen of the other organization. */
type Draw = (seen: Seen, random: SeededRandom, text: string, other: Seen) => Omit<Ask, 'tenant'> | undefined

/** One of the last of a list, mostly. */
function one<T>(list: readonly T[], random: SeededRandom): T | undefined {
  const near = random.fraction() < 0.8 ? list.slice(-4) : list
  return near[Math.floor(random.fraction() * near.length)]
}

const of =
  (kind: 'tasks' | 'documents' | 'notifications', operation: Ask['operation']): Draw =>
  (seen, random) => ({
    operation,
    resource: random.fraction() < 0.03 ? `no-such-${random.word()}` : (one(seen[kind], random) ?? 'none'),
  })

/** What belongs to the other organization. */
const foreign =
  (kind: 'tasks' | 'documents' | 'notifications', operation: Ask['operation']): Draw =>
  (_, random, text, other) =>
    of(kind, operation)(other, random, text, other)

const folders = ['f1', 'f2']

const documentBody: Draw = (_, random, text) => ({
  operation: 'createDocument',
  body: {
    title: `Title ${text}`,
    ...(random.fraction() < 0.5 ? { content_md: ` # ${text} \n\n` } : {}),
    ...(random.fraction() < 0.3 ? { summary: `Summary ${text}` } : {}),
    ...(random.fraction() < 0.4 ? { folder_id: one(folders, random) } : {}),
  },
})

const reads = ['listLeads', 'listCampaigns', 'getInsights', 'getWallet', 'getBilling'] as const

/** Each with its weight. */
const draws: readonly (readonly [number, Draw])[] = [
  [8, () => ({ operation: 'whoami' })],
  [8, (_, __, text) => ({ operation: 'createTask', body: { text: ` Task ${text} ` } })],
  [1, () => ({ operation: 'createTask', body: { text: 7 } })],
  [7, () => ({ operation: 'listTasks' })],
  [14, of('tasks', 'getTask')],
  [9, of('tasks', 'runTask')],
  [4, documentBody],
  [6, of('documents', 'getDocument')],
  [3, () => ({ operation: 'listDocuments', query: { all: '1' } })],
  [2, (_, random) => ({ operation: 'listDocuments', query: { folder_id: one(folders, random) ?? '' } })],
  [1, () => ({ operation: 'listDocuments' })],
  [5, () => ({ operation: 'listNotifications' })],
  [4, of('notifications', 'readNotification')],
  [2, () => ({ operation: 'generateCreative', body: { prompt: 'A poster.' } })],
  [2, (_, __, text) => ({ operation: 'createKey', body: { name: ` Key ${text}` } })],
  [2, () => ({ operation: 'listKeys' })],
  [2, ({ keys }, random) => ({ operation: 'deleteKey', resource: one(keys, random)?.id ?? 'none' })],
  [3, ({ keys }, random) => ({ operation: 'whoami', created: one(keys, random) })],
  [2, (_, __, text) => ({ operation: 'createLandingPage', body: { business_name: `Site ${text} ` } })],
  [2, () => ({ operation: 'listLandingPages' })],
  [2, (_, random) => ({ operation: one(reads, random) ?? 'listLeads' })],
  [1, foreign('tasks', 'getTask')],
  [1, foreign('tasks', 'runTask')],
  [1, foreign('documents', 'getDocument')],
  [1, foreign('notifications', 'readNotification')],
  [1, (_, random, __, { keys }) => ({ operation: 'deleteKey', resource: one(keys, random)?.id ?? 'none' })],
]

const total = draws.reduce((sum, [weight]) => sum + weight, 0)

/** Draws a request. */
export function drawAsk(seen: Seen, random: SeededRandom, text: string, other: Seen): Omit<Ask, 'tenant'> {
  let lot = random.fraction() * total
  for (const [weight, draw] of draws) {
    lot -= weight
    if (lot < 0) return draw(seen, random, text, other) ?? { operation: 'whoami' }
  }
  return { operation: 'whoami' }
}

/** Adds what an answer shows. `by`: the number of the request. */
export function see(seen: Seen, { operation }: Pick<Ask, 'operation'>, by: number, json: unknown): void {
  const add = (list: string[], value: unknown) => {
    const id = idOf(field(value, 'id'))
    if (id !== undefined && !list.includes(id)) list.push(id)
  }
  if (operation === 'createTask') add(seen.tasks, field(json, 'task'))
  if (operation === 'createDocument') add(seen.documents, field(json, 'item'))
  const list = field(json, 'items')
  const lists = {
    listTasks: seen.tasks,
    listDocuments: seen.documents,
    listNotifications: seen.notifications,
  }
  const into = Object.hasOwn(lists, operation) ? lists[operation as keyof typeof lists] : undefined
  if (into && Array.isArray(list)) for (const item of list) add(into, item)
  const secret = field(json, 'secret')
  if (operation === 'createKey' && typeof secret === 'string')
    seen.keys.push({ id: idOf(field(json, 'key', 'id')) ?? idOf(field(json, 'id')), by, secret })
}
