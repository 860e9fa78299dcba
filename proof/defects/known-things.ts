/** Defects that only the model sees: an answer contradicts what is known, where no check looks. */
import { rewriteField } from '../mutations/reply.ts'
import type { Defect } from './defect.ts'

export const knownThings: readonly Defect[] = [
  {
    id: 'task-answered-cut',
    title: 'The response to the 20th createTask shows the text without its last character.',
    breaks: ['TASK-ANSWER-TEXT'],
    mutate() {
      let count = 0
      return rewriteField(
        'task.text',
        (text) => (++count === 20 ? String(text).trim().slice(0, -1) : text),
        'createTask',
      )
    },
  },
  {
    id: 'task-born-in-progress',
    title: 'The response to createTask says in_progress.',
    breaks: ['TASK-NEW-IDLE'],
    mutate: () => rewriteField('task.status', () => 'in_progress', 'createTask'),
  },
  {
    id: 'notifications-none-listed',
    title: 'The list of notifications is empty, whatever unread says.',
    breaks: ['NOTIFICATION-LISTED'],
    mutate: () => rewriteField('items', () => [], 'listNotifications'),
  },
  {
    id: 'landing-page-renamed',
    title: 'The list of landing pages shows the name of each in capitals.',
    breaks: ['LANDING-PAGE-LISTED-SAME'],
    mutate: () =>
      rewriteField('items.*.business_name', (name) => String(name).toUpperCase(), 'listLandingPages'),
  },
  {
    id: 'document-answered-with-title',
    title: 'The response to createDocument shows the title in the place of the summary.',
    breaks: ['DOC-ANSWER-FIELDS'],
    mutate: () =>
      rewriteField(
        'item.summary',
        (summary, item) => (summary === null ? null : Reflect.get(item, 'title')),
        'createDocument',
      ),
  },
]
