/** §2, §4: lists that are cut at the wrong end, and items with the same id. */
import { rewriteField } from '../mutations/reply.ts'
import type { Defect } from './defect.ts'

/** A list that shows only the oldest items: more than the seed has, fewer than a run of the suite creates. */
const cut = (operation: 'listTasks' | 'listDocuments', most: number, breaks: string[]): Defect => ({
  id: `${operation === 'listTasks' ? 'task' : 'doc'}-list-of-the-oldest`,
  title: `${operation} shows only the oldest ${most} items.`,
  breaks,
  mutate: () =>
    rewriteField('items', (items) => (Array.isArray(items) ? items.slice(-most) : items), operation),
})

export const lists: readonly Defect[] = [
  {
    id: 'list-late',
    title: 'A new task is not in the first list after it was created.',
    breaks: ['LIST-PROMPT'],
    mutate() {
      const seen = new Set<unknown>()
      const isKnown = ({ id }: { id: unknown }) => seen.has(id) || !seen.add(id)
      return rewriteField(
        'items',
        (items) => (Array.isArray(items) ? items.filter(isKnown) : items),
        'listTasks',
      )
    },
  },
  cut('listTasks', 33, ['TASK-LISTED-LAST']),
  cut('listDocuments', 28, ['DOC-LISTED-LAST']),
  {
    id: 'notification-same-id',
    title: 'The two newest notifications are listed with one id.',
    breaks: ['LIST-IDS-UNIQUE'],
    mutate: () =>
      rewriteField(
        'items',
        (items) =>
          Array.isArray(items) && items.length > 2
            ? [...items.slice(0, -1), { ...items.at(-1), id: items.at(-2).id }]
            : items,
        'listNotifications',
      ),
  },
]
