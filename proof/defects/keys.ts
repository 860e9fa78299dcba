/** §2 API key, §4 Identity and keys, §5.3, §5.5: keys that do not work, are reported wrongly, or live too long. */
import { setImmediate } from 'node:timers/promises'
import type { OperationId } from '#contract/operation.ts'
import { createKey, type Organization } from '#mocks/core/organization.ts'
import type { Key } from '#mocks/core/resources.ts'
import { type HandlerCall, viewKey } from '#mocks/handlers/views.ts'
import { isUndeletedKey, keysCreatedThroughApi } from '../history-defects/occasion.ts'
import { carriesCreatedKey, combineMutations, type Mutation, operationOf } from '../mutations/mutation.ts'
import { overrideMethod, overrideNewIds, withKnownOrganizations } from '../mutations/organizations.ts'
import {
  changeField,
  changeItems,
  type MutableJsonObject,
  rewriteErrors,
  rewriteSuccess,
} from '../mutations/reply.ts'
import {
  acceptCredentials,
  callAfterHandling,
  callBeforeHandling,
  changeAnswer,
  delayDeletion,
  refuseRequests,
  rejectCredentials,
  replaceHandler,
  showCreationsLate,
} from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'
import { createTwice } from './tasks.ts'

/** Routes that each keep keys of their own. */
const routes = [
  ...(['listTasks', 'createTask', 'getTask', 'listDocuments', 'getDocument', 'createDocument'] as const),
  ...(['listNotifications', 'listLandingPages'] as const),
]

/** Once a whoami is answered, saves its key as it was before, which undoes a deletion meanwhile. */
const writtenBack = () =>
  withKnownOrganizations((known) => ({
    async middleware({ request, operation }, next) {
      const secret = request.headers.get('authorization')?.slice('Bearer '.length)
      const keys = operation === 'whoami' ? [...known].flatMap((org) => org.keys.newest(Infinity)) : []
      const used = keys.find((key) => key.secret === secret && !key.deleted)
      const response = await next(request)
      await setImmediate(undefined)
      if (used) used.deleted = false
      return response
    },
  }))

const isInUse = (key: Key) => isUndeletedKey(key) && key.last_used_at !== null

/**
 * Creates a mutation (a change of a mock) by which creating a key invalidates older keys of its organization: only the
 * newest `most` stay valid.
 */
export const keepOnlyNewestKeys = (
  most: number,
  keysOf = ({ keys }: Organization) => keys.newest(Infinity),
) =>
  callAfterHandling('createKey', ({ org }) => {
    for (const key of keysOf(org).filter(isUndeletedKey).slice(most)) key.deleted = true
  })

/** A creation saves the keys that there were when it began and its own, which loses keys created meanwhile. */
const writtenOver = () =>
  withKnownOrganizations((known) => ({
    async middleware({ request, operation }, next) {
      if (operation !== 'createKey') return next(request)
      const keys = () => [...known].flatMap(keysCreatedThroughApi)
      const read = new Set(keys())
      await setImmediate(undefined)
      for (const key of keys()) if (!read.has(key)) key.deleted = true
      return next(request)
    },
  }))

/** A mutation of the list of keys: `row` changes each row, and `isShown` picks the keys that are shown. */
const listed = (
  row: (key: Key, org: Organization) => object = () => ({}),
  isShown: (key: Key) => boolean = isUndeletedKey,
) =>
  changeAnswer('listKeys', (_, { org }) => ({
    keys: org.keys.newest(Infinity, isShown).map((key) => ({ ...viewKey(key), ...row(key, org) })),
  }))

/** Creates keys that belong to an organization, or to none, with a secret of the service's choice. */
const creating = (
  ownerOf: (call: HandlerCall<'createKey'>) => Organization | undefined,
  secretOf: (org: Organization) => string = (org) => org.newSecret(),
) =>
  replaceHandler('createKey', (call) => {
    const key = createKey(call.org, call.body.name, secretOf(call.org), call.now)
    const owner = ownerOf(call)
    if (owner) call.tenants.admit(key, owner)
    return { key: viewKey(key), secret: key.secret }
  })

/** Deletes what was created with a key when the key is deleted. */
function cascading(): Mutation {
  const makers = new Map<unknown, string | null>()
  const gone = new Set<unknown>()
  const isGone = ({ id }: { readonly id: string }) => gone.has(makers.get(id))
  return combineMutations(
    rewriteSuccess(
      ({ body }, { request }) => {
        const { task, item } = body as Record<string, MutableJsonObject | undefined>
        makers.set((task ?? item)?.id, request.headers.get('authorization'))
      },
      'createTask',
      'createDocument',
    ),
    callAfterHandling('deleteKey', ({ org, id }) => void gone.add(`Bearer ${org.keys.get(id)?.secret}`)),
    refuseRequests('getTask', 'not_found', isGone),
    refuseRequests('getDocument', 'not_found', isGone),
  )
}

/** Deletes further keys when a key is deleted. */
const deletesToo = (which: (gone: Key, org: Organization) => readonly (Key | undefined)[]) =>
  callAfterHandling('deleteKey', ({ org, id }) => {
    const gone = org.keys.get(id)
    for (const key of gone ? which(gone, org) : []) if (key) key.deleted = true
  })

/** Creates a mutation (a change of a mock) that refuses some requests with keys created through the API. */
export const rejectCreatedKeys = (isMeant: (key: Key, operation: OperationId | null) => boolean) =>
  rejectCredentials(
    ({ method, path }, { key }) =>
      key !== undefined && key.name !== 'First key' && isMeant(key, operationOf(method, path)),
  )

/** Accepts deleted keys for an operation. */
const remembers = (operation: OperationId) =>
  acceptCredentials(operation, (request, tenants) => {
    const sent = request.header('authorization')?.slice('Bearer '.length) ?? ''
    const org = tenants.ownerOf(sent)
    const [key] = org?.keys.newest(Infinity, ({ deleted, secret }) => deleted && secret === sent) ?? []
    return org && key && { ...tenants.tenant(tenants.nameOf(org) ?? ''), credential: sent, key }
  })

/** Replaces the secrets of new keys. */
const secrets = (newSecret: (usual: () => string) => string) =>
  overrideMethod(
    (org: Organization) => org,
    'newSecret',
    (usual) => () => newSecret(usual),
  )

/** Deliberate defects of keys that do not work, are listed wrongly, or live too long. */
export const keyDefects: readonly Defect[] = [
  ...defectForEach([...routes, 'generateCreative'], (operation) => [
    `KEY-DELETED-DEAD key-deleted-opens-${operation}: ${operation} accepts a deleted key.`,
    remembers(operation),
  ]),
  ...defectForEach(routes, (operation) => [
    `KEY-WORKS key-new-refused-by-${operation}: ${operation} knows only the keys that existed when the service started.`,
    rejectCreatedKeys((_, actual) => actual === operation),
  ]),
  ...defectsOfTable({
    'KEY-WORKS key-runs-nothing: A created key is refused where it runs a task.': () =>
      rejectCreatedKeys((_, operation) => operation === 'runTask'),
    'KEY-WORKS key-dead-on-arrival: A created key is not accepted.': () => creating(() => undefined),
    'KEY-WORKS key-written-over: Of two keys that are created at once, one is lost.': writtenOver,
    'KEY-WORKS key-of-another-organization: A created key belongs to another organization.': () =>
      creating(({ tenants }) => tenants.organization(tenants.otherThan(tenants.demoName))),
    'KEY-WORKS key-works-once: A created key is accepted once.': () => {
      const used = new Set<Key>()
      return rejectCreatedKeys((key) => used.size === used.add(key).size)
    },
    'KEY-WORKS key-refused-at-first: A created key is refused once, and accepted from then on.': () => {
      const used = new Set<Key>()
      return rejectCreatedKeys((key) => used.size < used.add(key).size)
    },
    'KEY-UNIQUE key-same-secret: All created keys of an organization have the same secret.': () =>
      creating(
        ({ org }) => org,
        (org) => keysCreatedThroughApi(org)[0]?.secret ?? org.newSecret(),
      ),
    'KEY-UNIQUE key-secret-of-four: The secrets of new keys repeat after four.': () => {
      const known: string[] = []
      let count = 0
      return secrets((usual) => {
        const place = ++count % 4
        known[place] ??= usual()
        return known[place]
      })
    },
    'KEY-UNIQUE key-secret-reused: A new key gets the secret of the key that was deleted last.': () => {
      const freed: string[] = []
      return combineMutations(
        secrets((usual) => freed.pop() ?? usual()),
        callAfterHandling('deleteKey', ({ org, id }) => {
          const key = org.keys.get(id)
          if (key) freed.push(key.secret)
        }),
      )
    },
    'KEY-CREATED-ONCE key-created-twice: Each creation of a key makes two of the same name.': () =>
      createTwice('createKey'),
    'KEY-LISTED key-unlisted: A created key is not listed.': () =>
      changeItems('listKeys', (list) => list.slice(-1), 'keys'),
    'KEY-LISTED key-unused-unlisted: A key is listed once it was used.': () => listed(undefined, isInUse),
    'KEY-LISTED late-key: A new key is listed after 3 s.': () => showCreationsLate('listKeys', 3_000),
    'KEY-NAME key-nameless: The list gives every key the name "API key".': () =>
      changeField('listKeys', 'keys.*.name', 'API key'),
    'KEY-NAME key-name-cut: The list cuts the names of keys after 32 characters.': () =>
      changeField('listKeys', 'keys.*.name', (name) => String(name).slice(0, 32)),
    'KEY-NAME key-name-cut-long: The list cuts the names of keys after 255 characters.': () =>
      changeField('listKeys', 'keys.*.name', (name) => String(name).slice(0, 255)),
    'KEY-NAME key-name-ascii: A name that is not ASCII is refused as bad input.': () =>
      refuseRequests('createKey', 'invalid', ({ body }) => /[^ -~]/.test(String(body.name))),
    'KEY-NAME key-name-composed: The list shows the names of keys with composed characters.': () =>
      changeField('listKeys', 'keys.*.name', (name) => String(name).normalize('NFC')),
    'KEY-NAME key-name-tags: The list shows the names of keys without tags.': () =>
      changeField('listKeys', 'keys.*.name', (name) => String(name).replace(/<[^>]*>/g, '')),
    'KEY-NAME key-name-tabs: The list shows the names of keys with a space for a tab.': () =>
      changeField('listKeys', 'keys.*.name', (name) => String(name).replaceAll('\t', ' ')),
    'KEY-NAME key-name-parameter: A word behind a colon is removed from the names of keys in the list.': () =>
      changeField('listKeys', 'keys.*.name', (name) => String(name).replace(/:\w+/g, '')),
    'KEY-PREFIX key-prefix-of-nothing: The prefix of a key is the end of its secret.': () =>
      listed(({ secret }) => ({
        prefix: secret.slice(-6),
      })),
    'KEY-PREFIX KEY-SECRET-ONCE key-prefix-whole: The prefix of a key is the whole secret.': () =>
      listed(({ secret }) => ({
        prefix: secret,
      })),
    'KEY-PREFIX key-prefix-of-id: The prefix of a key is the beginning of its id.': () =>
      listed(({ id }) => ({ prefix: id.slice(0, 6) })),
    'KEY-CREDITS key-without-credits: whoami reports 0 credits to every key that was created.': () =>
      rewriteSuccess(({ body }, { request }) => {
        if (carriesCreatedKey(request)) Object.assign(body as MutableJsonObject, { credits: 0 })
      }, 'whoami'),
    'KEY-CREDITS key-credits-of-first-use: whoami reports to a created key the credits of its first use.':
      () => {
        const told = new Map<string | null, unknown>()
        return rewriteSuccess(({ body }, { request }) => {
          const key = request.headers.get('authorization')
          if (!carriesCreatedKey(request)) return
          const fields = body as MutableJsonObject
          if (!told.has(key)) told.set(key, fields.credits)
          fields.credits = told.get(key)
        }, 'whoami')
      },
    'KEY-SECRET-ONCE key-secret-listed: The list shows the secret of each key.': () =>
      listed(({ secret }) => ({ secret })),
    'KEY-SECRET-ONCE key-secret-in-error: The message of a 401 repeats the key.': () =>
      rewriteErrors(401, ({ body }, { request }) => {
        Object.assign(body as object, { message: `Unknown key ${request.headers.get('authorization')}.` })
      }),
    'KEY-SECRET-ONCE key-secret-in-header: A header of the answer repeats the Authorization header of the request.':
      () =>
        rewriteSuccess(({ headers }, { request }) => {
          headers.set('x-authorization', request.headers.get('authorization') ?? 'none')
        }, 'whoami'),
    'KEY-ID-UNIQUE key-same-id: The list gives all keys the same id.': () =>
      changeField('listKeys', 'keys.*.id', 'key'),
    'KEY-ID-UNIQUE key-id-counts-living: The id of a new key is the number of keys that are in use, so it repeats.':
      () => overrideNewIds('key', (org) => () => `key_${org.keys.newest(Infinity, isInUse).length + 1}`),
    'KEY-LAST-USED key-never-used: last_used_at stays null.': () =>
      changeField('listKeys', 'keys.*.last_used_at', null),
    'KEY-LAST-USED key-used-by-another: The list gives each key the time at which any key of the organization was last used.':
      () =>
        listed((_, org) => {
          const times = org.keys.newest(Infinity).flatMap(({ last_used_at }) => last_used_at ?? [])
          return times.length > 0 ? { last_used_at: new Date(Math.max(...times)).toISOString() } : {}
        }),
    'KEY-LAST-USED key-used-in-year-1: The list gives the year 1 as last_used_at of a key that was not used.':
      () => changeField('listKeys', 'keys.*.last_used_at', (used) => used ?? '0001-01-01T00:00:00Z'),
    'KEY-DELETED-UNLISTED key-deleted-listed: A deleted key stays in the list.': () =>
      listed(undefined, () => true),
    'KEY-DELETED-DEAD key-written-back: A request that is under way when its key is deleted brings the key back.':
      () => writtenBack(),
    'KEY-DELETED-DEAD': {
      'key-undead: A deleted key is still accepted.': () => delayDeletion(Infinity),
      'late-deletion-3s: A deleted key is accepted for another 3 s.': () => delayDeletion(3_000),
      'late-deletion-of-the-oldest: A deleted key is accepted for another minute, unless it is one of the two newest.':
        () => delayDeletion(60_000, (key, org) => !org.keys.newest(2, isUndeletedKey).includes(key)),
      'key-delete-used-only: A key that nothing has used is not deleted; the answer is a success.': () =>
        replaceHandler('deleteKey', (call, usual) =>
          call.org.keys.get(call.id)?.last_used_at === null ? { ok: true } : usual(call),
        ),
      'key-delete-newest-only: Only the newest key can be deleted; for any other, the answer is a success without effect.':
        () =>
          replaceHandler('deleteKey', (call, usual) =>
            call.org.keys.newest(1, isUndeletedKey)[0]?.id === call.id ? usual(call) : { ok: true },
          ),
    },
    'KEY-DELETED-PROMPT late-deletion-300ms: A deleted key is accepted for 300 ms.': () => delayDeletion(300),
    'KEY-DELETE-ONE key-deletes-all: Deleting a key deletes all keys that were created.': () =>
      deletesToo((_, org) => keysCreatedThroughApi(org)),
    'KEY-DELETE-ONE key-deletes-older: Deleting a key deletes all older ones.': () =>
      deletesToo((gone, org) =>
        keysCreatedThroughApi(org).filter(({ created_at }) => created_at <= gone.created_at),
      ),
    'KEY-DELETE-ONE key-deletes-newest: Deleting a key deletes the newest one too.': () =>
      deletesToo((_, org) => [keysCreatedThroughApi(org).find(isUndeletedKey)]),
    'KEY-DELETE-ONE key-deleted-by-longer-id: Deleting an id that begins with that of a key deletes the key.':
      () =>
        replaceHandler('deleteKey', (call, usual) => {
          const [key] = call.org.keys.newest(1, ({ id }) => call.id.startsWith(id))
          return usual({ ...call, id: key?.id ?? call.id })
        }),
    'KEY-DELETE-ONE key-deletes-namesakes: Deleting a key deletes every key of the same name.': () =>
      deletesToo((gone, org) => org.keys.newest(Infinity, ({ name }) => name === gone.name)),
    'TASK-READABLE DOC-READABLE key-cascades: Deleting a key deletes the tasks and documents that were created with it.':
      cascading,
    'KEY-DELETE-OK key-delete-not-ok: Deleting a key answers ok: false.': () =>
      changeField('deleteKey', 'ok', false),
    'KEY-DELETE-OK key-delete-unknown-not-ok: Deleting a key that is gone answers 200 with ok: false.': () =>
      replaceHandler('deleteKey', (call, usual) =>
        call.org.keys.get(call.id)?.deleted === false ? usual(call) : ({ ok: false } as never),
      ),
    'KEY-DELETE-AGAIN key-delete-again-fails: Deleting a key that is gone is answered 500.': () =>
      refuseRequests('deleteKey', 'internal_error', ({ org, id }) => org.keys.get(id)?.deleted),
    'KEY-STAYS-DEAD key-namesake-revives: A new key makes a deleted key of the same name valid again.': () =>
      callAfterHandling('createKey', ({ org, body }) => {
        const namesakes = org.keys.newest(Infinity, ({ name }) => name === body.name)
        for (const key of namesakes.slice(1)) key.deleted = false
      }),
    'KEY-STAYS-DEAD key-delete-toggles: Deleting a deleted key makes it valid again.': () =>
      replaceHandler('deleteKey', (call, usual) => {
        const key = call.org.keys.get(call.id)
        if (!key?.deleted) return usual(call)
        key.deleted = false
        return { ok: true }
      }),
    'KEY-STAYS-DEAD key-returns: Deleting a key makes the key valid again that was deleted before it.':
      () => {
        let before: Key | undefined
        return callAfterHandling('deleteKey', ({ org, id }) => {
          const key = org.keys.get(id)
          if (key !== before && before) before.deleted = false
          before = key
        })
      },
    'KEY-NAMESAKE key-replaces-namesake: A new key replaces the key of the same name.': () =>
      callBeforeHandling('createKey', ({ org, body }) => {
        for (const key of org.keys.newest(Infinity, ({ name }) => name === body.name)) key.deleted = true
      }),
    'KEY-WORKS key-cap-revokes: Of the keys of an organization only the four newest stay valid.': () =>
      keepOnlyNewestKeys(4, keysCreatedThroughApi),
    'KEY-WORKS key-cap-revokes-the-first: Of the keys of an organization only the five newest stay valid, so that its first one goes before any other.':
      () => keepOnlyNewestKeys(5),
    'LIST-IDS-UNIQUE key-listed-twice-after-deletion: After a deletion, the list shows the newest key twice.':
      () => {
        let hasDeleted = false
        return combineMutations(
          callAfterHandling('deleteKey', () => {
            hasDeleted = true
          }),
          changeItems('listKeys', (list) => (hasDeleted ? [...list.slice(0, 1), ...list] : list), 'keys'),
        )
      },
  }),
]
