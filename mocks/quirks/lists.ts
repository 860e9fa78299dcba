/** Lists in other lengths and orders (§4). Lengths stand before orders: they keep the newest items. */
import type { SeededRandom } from '../core/random.ts'
import { shuffled } from './draws.ts'
import type { Quirk } from './quirk.ts'
import { rewriteBody } from './rewrites.ts'

/** Changes every list of these operations, which comes with the newest item first. */
const eachList = (change: (list: readonly unknown[], random: SeededRandom) => readonly unknown[]) =>
  rewriteBody(
    (body, random) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          Array.isArray(value) ? change(value, random) : value,
        ]),
      ),
    'listKeys',
    'listTasks',
    'listDocuments',
    'listNotifications',
    'listLandingPages',
    'listLeads',
    'listCampaigns',
    'getBilling',
  )

const capped = (id: string, title: string, most: number, share: number): Quirk => ({
  id,
  title,
  allowed: '#list-contents: the length is open, above one.',
  group: 'list length',
  share,
  rewrite: eachList((list) => list.slice(0, most)),
})

const order = { allowed: '#list-contents: the order is open.', group: 'list order', scope: 'answer' } as const

export const lists: readonly Quirk[] = [
  capped('lists-capped-at-40', 'Lists show 40 items.', 40, 0.4),
  capped('lists-capped', 'Lists show three items.', 3, 0.1),
  capped('lists-newest-only', 'Lists show the newest item alone.', 1, 0.1),
  {
    id: 'lists-oldest-first',
    title: 'Lists begin with the oldest item.',
    ...order,
    share: 0.2,
    rewrite: eachList((list) => list.toReversed()),
  },
  {
    id: 'lists-shuffled',
    title: 'Lists have no order.',
    ...order,
    share: 0.6,
    rewrite: eachList((list, random) => shuffled(random, list)),
  },
]
