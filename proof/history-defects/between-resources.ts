/** Defects that show only after something else was done in between: documents, keys and notifications. */
import { Failure } from '#mocks/core/failure.ts'
import type { Key } from '#mocks/core/resources.ts'
import { combine } from '../mutations/mutation.ts'
import { type Fields, rewriteSuccess } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { HistoryDefect } from './history-defect.ts'
import { isLiving, made, perOne } from './memory.ts'

const isRefused = (status: number) => status === 400 || status === 422

export const betweenResources: readonly HistoryDefect[] = [
  {
    id: 'key-delete-revives-last-but-one',
    title: 'Deleting the oldest of several keys makes the key valid again that was deleted before.',
    mutate() {
      const last = perOne(() => ({ key: undefined as Key | undefined }))
      return handle('deleteKey', (call, usual) => {
        const key = call.org.keys.get(call.id)
        const living = made(call.org).filter(isLiving)
        const isOldest = living.length >= 3 && living.at(-1) === key
        const answer = usual(call)
        const before = last(call.org)
        if (isOldest && before.key) before.key.deleted = false
        if (key?.deleted) before.key = key
        return answer
      })
    },
  },
  {
    id: 'key-delete-hits-newest',
    title: 'Deleting a key while three newer ones exist deletes the newest one too.',
    mutate: () =>
      handle('deleteKey', (call, usual) => {
        const living = made(call.org).filter(isLiving)
        const at = living.findIndex(({ id }) => id === call.id)
        const answer = usual(call)
        if (at >= 3 && living[0]) living[0].deleted = true
        return answer
      }),
  },
  {
    id: 'key-unknown-delete-hits-newest',
    title: 'Deleting an unknown key twice deletes the newest key.',
    mutate() {
      const misses = perOne(() => ({ n: 0 }))
      return after('deleteKey', ({ org, id }) => {
        const count = misses(org)
        count.n = org.keys.get(id) ? 0 : count.n + 1
        const [newest] = made(org).filter(isLiving)
        if (count.n >= 2 && newest) newest.deleted = true
      })
    },
  },
  {
    id: 'key-namesake-revives',
    title: 'Creating a key with the name of a deleted one makes the deleted one valid again.',
    plainRun: ['KEY-STAYS-DEAD'],
    mutate: () =>
      handle('createKey', (call, usual) => {
        for (const key of made(call.org)) if (key.name === call.body.name) key.deleted = false
        return usual(call)
      }),
  },
  {
    id: 'key-renamed-by-next',
    title: 'Creating a key after one was deleted gives the key created before the new name.',
    mutate() {
      const deleted = perOne(() => ({ on: false }))
      return combine(
        after('deleteKey', ({ org }) => {
          deleted(org).on = true
        }),
        after('createKey', ({ org, body }) => {
          const [, previous] = made(org)
          if (deleted(org).on && previous) Object.assign(previous, { name: body.name })
          deleted(org).on = false
        }),
      )
    },
  },
  {
    id: 'doc-corrected-gets-last-id',
    title:
      'A document whose title was refused with other fields before gets the id of the document before it.',
    mutate() {
      const refused = new Set<unknown>()
      const last = new Map<string | null, unknown>()
      const titleIn = (text: string) => {
        try {
          return JSON.parse(text).title
        } catch {
          return undefined
        }
      }
      return {
        async middleware({ request, operation }, next) {
          if (operation !== 'createDocument') return next(request)
          const caller = request.headers.get('authorization')
          const title = titleIn(await request.clone().text())
          const response = await next(request)
          if (isRefused(response.status) && typeof title === 'string') refused.add(title)
          if (response.status >= 300) return response
          const body = (await response.json()) as { item: Fields }
          if (refused.delete(title) && last.has(caller)) body.item.id = last.get(caller)
          last.set(caller, body.item.id)
          return Response.json(body, { status: response.status })
        },
      }
    },
  },
  {
    id: 'doc-folder-sticks',
    title: 'A document without a folder, created after its caller listed a folder, is filed in that folder.',
    mutate() {
      const listed = perOne(() => ({ folder: undefined as string | undefined }))
      return combine(
        after('listDocuments', ({ org, query }) => {
          listed(org).folder = query.all === '1' ? undefined : query.folder_id
        }),
        handle('createDocument', (call, usual) => {
          const { folder } = listed(call.org)
          const usedBefore = call.org.documents.newest(Infinity, (one) => one.folder_id === folder).length
          if (!folder || usedBefore < 2 || call.body.folder_id) return usual(call)
          return usual({ ...call, body: { ...call.body, folder_id: folder } })
        }),
      )
    },
  },
  {
    id: 'doc-namesake-shares-content',
    title: 'A document with the title of one that was read gets the content of that one.',
    mutate() {
      const read = new Set<string>()
      return combine(
        after('getDocument', ({ id }) => void read.add(id)),
        after('createDocument', ({ org, body }) => {
          const [document, ...older] = org.documents.newest(Infinity)
          const namesake = older.find((one) => one.title === body.title && read.has(one.id))
          if (document && namesake) Object.assign(document, { content_md: namesake.content_md })
        }),
      )
    },
  },
  {
    id: 'doc-read-after-missing-read',
    title: 'The read of a document just after an unknown one was read twice returns the newest document.',
    mutate() {
      const missed = perOne(() => ({ id: '', times: 0 }))
      return handle('getDocument', (call, usual) => {
        const last = missed(call.org)
        const answer = usual(call)
        const [newest] = call.org.documents.newest(1)
        if (answer instanceof Failure) {
          last.times = last.id === call.id ? last.times + 1 : 1
          last.id = call.id
          return answer
        }
        const isNext = last.times >= 2
        last.times = 0
        return isNext && newest ? usual({ ...call, id: newest.id }) : answer
      })
    },
  },
  {
    id: 'page-second-unlisted',
    title: 'A landing page with the business name of an earlier one is not listed.',
    mutate: () =>
      rewriteSuccess(({ body }) => {
        const answer = body as { items: Fields[] }
        const seen = new Set<unknown>()
        answer.items = answer.items
          .toReversed()
          .filter(({ business_name }) => !seen.has(business_name) && seen.add(business_name))
          .toReversed()
      }, 'listLandingPages'),
  },
]
