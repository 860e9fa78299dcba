/** Notifications: they come, are listed, and are marked as read, once or again. */
import type { Draw, Move } from '../draw.ts'
import type { Ref, Step } from '../step.ts'

const list = (d: Draw) => d.call('listNotifications')
const mark = (d: Draw, of: Ref | string) => d.call('readNotification', { of })

export const notifications: readonly Move[] = [
  { id: 'list notifications', weight: 1, draw: (d) => [list(d)] },
  {
    id: 'new notifications',
    weight: 1.5,
    draw: (d) => [
      ...Array.from({ length: d.times(6) }, () => d.state('unread_notification')).flat(),
      list(d),
    ],
  },
  {
    id: 'many notifications',
    weight: 0.15,
    draw(d) {
      const many = () => Array.from({ length: 5 + d.random.below(40) }, () => d.state('unread_notification'))
      return [list(d), ...many().flat(), list(d), ...d.state('unread_notification'), list(d)]
    },
  },
  {
    id: 'mark as read',
    weight: 3,
    draw(d) {
      const unread = d.inventory.notifications(d.tenant, true)
      const marked = Array.from({ length: Math.min(d.times(5), unread.length) }, () => d.random.pick(unread))
      return [...marked.map((one) => mark(d, one as Ref)), list(d)]
    },
  },
  {
    id: 'mark again',
    weight: 1,
    draw(d): readonly Step[] {
      const one = d.random.pick(d.inventory.notifications(d.tenant, d.random.chance(0.5)))
      if (!one) return []
      return [list(d), ...Array.from({ length: d.times(4) }, () => mark(d, one)), list(d)]
    },
  },
  { id: 'mark unknown', weight: 0.3, draw: (d) => [mark(d, 'no-such-notification')] },
]
