/** §5.3, §5.5: keys that are created, deleted and created again, on routes that each keep keys of their own. */
import type { OperationId } from '#contract/operation.ts'
import type { Key } from '#mocks/core/resources.ts'
import { operationOf } from '../mutations/matching.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { after, authorize, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const routes = [
  'listTasks',
  'createTask',
  'getTask',
  'listDocuments',
  'getDocument',
  'createDocument',
  'listNotifications',
  'listLandingPages',
] as const satisfies OperationId[]

const bearerOf = (header = '') => header.slice('Bearer '.length)

/** A route that goes on accepting the keys it has seen, by a cache that no deletion clears. */
const remembers = (operation: OperationId): Defect => ({
  id: `key-deleted-opens-${operation}`,
  title: `${operation} accepts a deleted key.`,
  breaks: ['KEY-DELETED-DEAD'],
  mutate: () =>
    authorize(operation, (request, tenants) => {
      const key = tenants.ownerOf(bearerOf(request.header('authorization')))?.keys
      const gone = key?.newest(Infinity, ({ deleted, secret }) => {
        return deleted && secret === bearerOf(request.header('authorization'))
      })[0]
      const org = gone && tenants.ownerOf(gone.secret)
      return org && { ...tenants.tenant(tenants.nameOf(org) ?? ''), credential: gone.secret, key: gone }
    }),
})

/** A route that knows only the keys that existed when the service started. */
const knowsFirst = (operation: OperationId): Defect => ({
  id: `key-new-refused-by-${operation}`,
  title: `${operation} knows only the keys that existed when the service started.`,
  breaks: ['KEY-WORKS'],
  mutate: () => ({
    rules: (rules) => ({
      ...rules,
      authenticate(request, auth, tenants) {
        const caller = rules.authenticate(request, auth, tenants)
        const isNew = caller?.key !== undefined && caller.key.name !== 'First key'
        return isNew && operationOf(request.method, request.path) === operation ? undefined : caller
      },
    }),
  }),
})

/** The keys of the API that exist, newest first; the first key of an organization is not one of them. */
const living = (call: { org: { keys: { newest(n: number, of: (key: Key) => boolean): Key[] } } }) =>
  call.org.keys.newest(Infinity, ({ deleted, name }) => !deleted && name !== 'First key')

const deletesOthers = (id: string, title: string, which: (others: Key[], gone: Key) => Key[]): Defect => ({
  id,
  title,
  breaks: ['KEY-DELETE-ONE'],
  mutate: (): Mutation =>
    after('deleteKey', (call) => {
      const gone = call.org.keys.get(call.id)
      if (gone) for (const key of which(living(call), gone)) key.deleted = true
    }),
})

export const keyLife: readonly Defect[] = [
  ...routes.map(remembers),
  ...routes.map(knowsFirst),
  deletesOthers('key-deletes-older', 'Deleting a key deletes all older ones.', (others, gone) =>
    others.filter(({ created_at, id }) => created_at <= gone.created_at && id !== gone.id),
  ),
  deletesOthers('key-deletes-newest', 'Deleting a key deletes the newest one too.', ([newest]) =>
    newest ? [newest] : [],
  ),
  {
    id: 'key-works-once',
    title: 'A created key is accepted once.',
    breaks: ['KEY-WORKS'],
    mutate() {
      const used = new Set<Key>()
      return {
        rules: (rules) => ({
          ...rules,
          authenticate(request, auth, tenants) {
            const caller = rules.authenticate(request, auth, tenants)
            const { key } = caller ?? {}
            if (!key || key.name === 'First key') return caller
            const isFirst = !used.has(key)
            used.add(key)
            return isFirst ? caller : undefined
          },
        }),
      }
    },
  },
  {
    id: 'key-namesake-revives',
    title: 'A new key makes a deleted key of the same name valid again.',
    breaks: ['KEY-STAYS-DEAD'],
    mutate: () =>
      after('createKey', ({ org, body }) => {
        for (const key of org.keys.newest(Infinity, ({ name }) => name === body.name).slice(1))
          key.deleted = false
      }),
  },
  {
    id: 'key-delete-toggles',
    title: 'Deleting a deleted key makes it valid again.',
    breaks: ['KEY-STAYS-DEAD'],
    mutate: () =>
      handle('deleteKey', (call, usual) => {
        const key = call.org.keys.get(call.id)
        if (!key?.deleted) return usual(call)
        key.deleted = false
        return { ok: true }
      }),
  },
  {
    id: 'key-secret-of-four',
    title: 'The secrets of new keys repeat after four.',
    breaks: ['KEY-UNIQUE'],
    mutate() {
      const known: string[] = []
      return {
        onOrganization(org) {
          const newSecret = org.newSecret.bind(org)
          let count = 0
          org.newSecret = () => {
            const secret = known[++count % 4] ?? newSecret()
            known[count % 4] = secret
            return secret
          }
        },
      }
    },
  },
  {
    id: 'key-listed-twice-after-deletion',
    title: 'After a deletion, the list shows the newest key twice.',
    breaks: ['LIST-IDS-UNIQUE'],
    mutate() {
      let hasDeleted = false
      return combine(
        after('deleteKey', () => {
          hasDeleted = true
        }),
        handle('listKeys', (call, usual) => {
          const answer = usual(call)
          return 'keys' in answer && hasDeleted
            ? { keys: [...answer.keys.slice(0, 1), ...answer.keys] }
            : answer
        }),
      )
    },
  },
]
