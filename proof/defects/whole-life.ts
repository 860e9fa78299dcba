/** §2, §5.3: ids, keys and answers that go wrong only now and then, or after something was deleted. */
import type { Organization } from '#mocks/core/organization.ts'
import type { Key } from '#mocks/core/resources.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { type Fields, rewrite, rewriteSuccess } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const isLiving = ({ deleted }: Key) => !deleted

/** Every so many-th call. */
function everyNth(n: number): () => boolean {
  let count = 0
  return () => ++count % n === 0
}

/** Answers some creations with the id of the one before, by the same credentials. */
function repeatedIds(operation: 'createTask' | 'createDocument', member: string, n: number): Mutation {
  const repeats = everyNth(n)
  const last = new Map<string | null, unknown>()
  return rewriteSuccess(({ body }, { request }) => {
    const created = (body as Record<string, Fields>)[member] as Fields
    const caller = request.headers.get('authorization')
    if (repeats() && last.has(caller)) created.id = last.get(caller)
    last.set(caller, created.id)
  }, operation)
}

/** Gives some new rows of a kind another id. */
const otherIds =
  (kind: string, idOf: (org: Organization, usual: () => string) => string) => (org: Organization) => {
    const newId = org.newId.bind(org)
    org.newId = (wanted) => (wanted === kind ? idOf(org, () => newId(wanted)) : newId(wanted))
  }

export const wholeLife: readonly Defect[] = [
  {
    id: 'task-id-repeated-sometimes',
    title: 'Every ninth task gets the id of the task before it.',
    breaks: ['TASK-UNIQUE'],
    mutate: () => repeatedIds('createTask', 'task', 9),
  },
  {
    id: 'doc-id-repeated-sometimes',
    title: 'Every fifth document gets the id of the document before it.',
    breaks: ['DOC-UNIQUE'],
    mutate: () => repeatedIds('createDocument', 'item', 5),
  },
  {
    id: 'key-id-counts-living',
    title: 'The id of a new key is the number of keys that exist, so it repeats after a deletion.',
    breaks: ['KEY-ID-UNIQUE'],
    mutate: () => ({
      onOrganization: otherIds('key', (org) => `key_${org.keys.newest(Infinity, isLiving).length + 1}`),
    }),
  },
  {
    id: 'key-secret-reused',
    title: 'A new key gets the secret of the key that was deleted last.',
    breaks: ['KEY-UNIQUE'],
    mutate() {
      const freed: string[] = []
      return combine(
        {
          onOrganization(org) {
            const newSecret = org.newSecret.bind(org)
            org.newSecret = () => freed.pop() ?? newSecret()
          },
        },
        after('deleteKey', ({ org, id }) => {
          const key = org.keys.get(id)
          if (key) freed.push(key.secret)
        }),
      )
    },
  },
  {
    id: 'key-returns',
    title: 'Deleting a key makes the key valid again that was deleted before it.',
    breaks: ['KEY-STAYS-DEAD'],
    mutate() {
      let before: Key | undefined
      return handle('deleteKey', (call, usual) => {
        const answer = usual(call)
        const key = call.org.keys.get(call.id)
        if (key === before) return answer
        if (before) before.deleted = false
        before = key
        return answer
      })
    },
  },
  {
    id: 'key-delete-newest-only',
    title: 'Only the newest key can be deleted; for any other, the answer is a success without effect.',
    breaks: ['KEY-DELETED-DEAD'],
    mutate: () =>
      handle('deleteKey', (call, usual) =>
        call.org.keys.newest(1, isLiving)[0]?.id === call.id ? usual(call) : { ok: true },
      ),
  },
  {
    id: 'key-deletes-namesakes',
    title: 'Deleting a key deletes every key of the same name.',
    breaks: ['KEY-DELETE-ONE'],
    mutate: () =>
      after('deleteKey', ({ org, id }) => {
        const name = org.keys.get(id)?.name
        for (const key of org.keys.newest(Infinity, (one) => one.name === name)) key.deleted = true
      }),
  },
  {
    id: 'key-replaces-namesake',
    title: 'A new key replaces the key of the same name.',
    breaks: ['KEY-NAMESAKE'],
    mutate: () =>
      handle('createKey', (call, usual) => {
        for (const key of call.org.keys.newest(Infinity, ({ name }) => name === call.body.name))
          key.deleted = true
        return usual(call)
      }),
  },
  {
    id: 'org-id-changes-sometimes',
    title: 'Every 50th answer of whoami comes from a replica that gives the organization another id.',
    breaks: ['AUTH-STABLE-ORGANIZATION'],
    mutate() {
      const isReplica = everyNth(50)
      return rewriteSuccess(({ body }) => {
        const { org } = body as { org: Fields }
        if (isReplica()) org.id = `replica-${org.id}`
      }, 'whoami')
    },
  },
  {
    id: 'limit-sometimes-fraction',
    title: 'Every 150th request is answered 429 with a Retry-After of 0.5 s.',
    breaks: ['LIMIT-RETRY-AFTER'],
    mutate() {
      const limits = everyNth(150)
      return rewrite((reply, { request }) => {
        if (request.method !== 'GET' || !request.headers.has('authorization') || !limits()) return
        if (reply.status >= 300) return
        reply.status = 429
        reply.body = { error: 'rate_limited', message: 'Too many requests.' }
        reply.headers.set('retry-after', '0.5')
      })
    },
  },
]
