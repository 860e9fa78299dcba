/** §2 API key, §4 Identity and keys, §5.5: keys that do not work, or are reported wrongly. */

import { fail } from '#mocks/core/failure.ts'
import { createKey } from '#mocks/core/keys.ts'
import type { Key } from '#mocks/core/resources.ts'
import type { Rows } from '#mocks/core/rows.ts'
import { viewKey } from '#mocks/handlers/views.ts'
import { combine } from '../mutations/mutation.ts'
import { rewrite, rewriteField, rewriteSuccess } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Keys created through the API, newest first; the first key of an organization is not one of them. */
const made = (keys: Rows<Key>) => keys.newest(Infinity).slice(0, -1)

export const keys: readonly Defect[] = [
  {
    id: 'key-dead-on-arrival',
    title: 'A created key is not accepted.',
    breaks: ['KEY-WORKS'],
    mutate: () =>
      handle('createKey', ({ org, body, now }) => {
        const key = createKey(org, body.name, org.newSecret(), now)
        return { key: viewKey(key), secret: key.secret }
      }),
  },
  {
    id: 'key-of-another-organization',
    title: 'A created key belongs to another organization.',
    breaks: ['KEY-WORKS'],
    mutate: () =>
      handle('createKey', ({ org, tenants, body, now }) => {
        const key = createKey(org, body.name, org.newSecret(), now)
        tenants.admit(key, tenants.organization(tenants.otherThan(tenants.demoName)))
        return { key: viewKey(key), secret: key.secret }
      }),
  },
  {
    id: 'key-same-secret',
    title: 'All created keys of an organization have the same secret.',
    breaks: ['KEY-UNIQUE'],
    mutate: () =>
      handle('createKey', ({ org, tenants, body, now }) => {
        const secret = made(org.keys)[0]?.secret ?? org.newSecret()
        const key = createKey(org, body.name, secret, now)
        tenants.admit(key, org)
        return { key: viewKey(key), secret }
      }),
  },
  {
    id: 'key-unlisted',
    title: 'A created key is not listed.',
    breaks: ['KEY-LISTED'],
    mutate: () => rewriteField('keys', (list) => (Array.isArray(list) ? list.slice(-1) : list), 'listKeys'),
  },
  {
    id: 'key-nameless',
    title: 'The list gives every key the name "API key".',
    breaks: ['KEY-NAME'],
    mutate: () => rewriteField('keys.*.name', () => 'API key', 'listKeys'),
  },
  {
    id: 'key-prefix-of-nothing',
    title: 'The prefix of a key is the end of its secret.',
    breaks: ['KEY-PREFIX'],
    mutate: () =>
      handle('listKeys', ({ org }) => ({
        keys: org.keys
          .newest(Infinity, (key) => !key.deleted)
          .map((key) => ({ ...viewKey(key), prefix: key.secret.slice(-6) })),
      })),
  },
  {
    id: 'key-prefix-whole',
    title: 'The prefix of a key is the whole secret.',
    breaks: ['KEY-PREFIX', 'KEY-SECRET-ONCE'],
    mutate: () =>
      handle('listKeys', ({ org }) => ({
        keys: org.keys
          .newest(Infinity, (key) => !key.deleted)
          .map((key) => ({ ...viewKey(key), prefix: key.secret })),
      })),
  },
  {
    id: 'key-same-id',
    title: 'The list gives all keys the same id.',
    breaks: ['KEY-ID-UNIQUE'],
    mutate: () => rewriteField('keys.*.id', () => 'key', 'listKeys'),
  },
  {
    id: 'key-never-used',
    title: 'last_used_at stays null.',
    breaks: ['KEY-LAST-USED'],
    mutate: () => rewriteField('keys.*.last_used_at', () => null, 'listKeys'),
  },
  {
    id: 'key-undead',
    title: 'A deleted key is still accepted.',
    breaks: ['KEY-DELETED-DEAD'],
    mutate() {
      const gone = new Set<string>()
      return combine(
        handle('deleteKey', ({ id }) => {
          gone.add(id)
          return { ok: true }
        }),
        handle('listKeys', ({ org }) => ({
          keys: org.keys.newest(Infinity, ({ id }) => !gone.has(id)).map(viewKey),
        })),
      )
    },
  },
  {
    id: 'key-deleted-listed',
    title: 'A deleted key stays in the list.',
    breaks: ['KEY-DELETED-UNLISTED'],
    mutate: () => handle('listKeys', ({ org }) => ({ keys: org.keys.newest(Infinity).map(viewKey) })),
  },
  {
    id: 'key-deletes-all',
    title: 'Deleting a key deletes all keys that were created.',
    breaks: ['KEY-DELETE-ONE'],
    mutate: () =>
      after('deleteKey', ({ org }) => {
        for (const key of made(org.keys)) key.deleted = true
      }),
  },
  {
    id: 'key-delete-not-ok',
    title: 'Deleting a key answers ok: false.',
    breaks: ['KEY-DELETE-OK'],
    mutate: () => rewriteField('ok', () => false, 'deleteKey'),
  },
  {
    id: 'key-delete-again-fails',
    title: 'Deleting a key that is gone is answered 500.',
    breaks: ['KEY-DELETE-AGAIN'],
    mutate: () =>
      handle('deleteKey', (call, usual) =>
        call.org.keys.get(call.id)?.deleted ? fail('internal_error') : usual(call),
      ),
  },
  {
    id: 'key-secret-listed',
    title: 'The list shows the secret of each key.',
    breaks: ['KEY-SECRET-ONCE'],
    mutate: () =>
      handle('listKeys', ({ org }) => ({
        keys: org.keys
          .newest(Infinity, (key) => !key.deleted)
          .map((key) => ({ ...viewKey(key), secret: key.secret })),
      })),
  },
  {
    id: 'key-secret-in-error',
    title: 'The message of a 401 repeats the key.',
    breaks: ['KEY-SECRET-ONCE'],
    mutate: () =>
      rewrite(({ status, body }, { request }) => {
        if (status !== 401) return
        Object.assign(body as object, { message: `Unknown key ${request.headers.get('authorization')}.` })
      }),
  },
  {
    id: 'key-secret-in-header',
    title: 'A header of the answer repeats the Authorization header of the request.',
    breaks: ['KEY-SECRET-ONCE'],
    mutate: () =>
      rewriteSuccess(({ headers }, { request }) => {
        headers.set('x-authorization', request.headers.get('authorization') ?? 'none')
      }, 'whoami'),
  },
]
