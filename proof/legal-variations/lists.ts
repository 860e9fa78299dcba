/** Lists in other orders and lengths. */

import { viewDocument } from '#mocks/handlers/views.ts'
import { combine } from '../mutations/mutation.ts'
import { type Fields, rewriteSuccess } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Variation } from './variation.ts'

const lists = [
  'listKeys',
  'listTasks',
  'listDocuments',
  'listNotifications',
  'listLandingPages',
  'listLeads',
] as const

/** Changes every list, which comes with the newest item first. */
const eachList = (change: (list: unknown[]) => unknown[]) => () =>
  rewriteSuccess(
    ({ body }) => {
      for (const [name, value] of Object.entries(body as Fields))
        if (Array.isArray(value)) (body as Fields)[name] = change(value)
    },
    ...lists,
  )

const order = '#list-contents: the order is open.'

export const listing: readonly Variation[] = [
  {
    id: 'lists-oldest-first',
    title: 'Lists begin with the oldest item.',
    allowed: order,
    group: 'lists',
    mutate: eachList((list) => list.toReversed()),
  },
  {
    id: 'lists-shuffled',
    title: 'Lists have no order.',
    allowed: order,
    group: 'lists',
    mutate: eachList((list) =>
      list
        .map((item, i) => [(i * 7_919 + list.length * 31) % 101, item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item),
    ),
  },
  {
    id: 'lists-capped',
    title: 'Lists show three items.',
    allowed: '#list-contents: the length is open, above one.',
    group: 'lists',
    mutate: eachList((list) => list.slice(0, 3)),
  },
  {
    id: 'lists-newest-only',
    title: 'Lists show the newest item alone.',
    allowed: '#list-contents: the length is open, above one.',
    group: 'lists',
    mutate: eachList((list) => list.slice(0, 1)),
  },
  {
    id: 'documents-listed-whole',
    title: 'The list of documents tells content and summary too.',
    allowed: '#document-item: lists may omit both, or not.',
    mutate: () =>
      handle('listDocuments', (call, usual) => {
        const answer = usual(call)
        if (!('items' in answer)) return answer
        const whole = answer.items.map((item) => {
          const document = call.org.documents.get(String(item.id))
          return document ? viewDocument(document) : item
        })
        return { items: whole }
      }),
  },
  {
    id: 'notified-of-everything',
    title: 'Whatever is created brings a notification.',
    allowed: '#notification-other-fields: what causes one is open.',
    mutate: () =>
      combine(
        ...(['createTask', 'createDocument', 'createKey'] as const).map((operation) =>
          after(operation, ({ org, now }) => void org.notify('created', 'Created', operation, null, now)),
        ),
      ),
  },
]
