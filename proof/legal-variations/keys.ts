/** Keys that are told in other forms. */

import { createKey } from '#mocks/core/keys.ts'
import { viewKey } from '#mocks/handlers/views.ts'
import { type Fields, rewriteField, rewriteSuccess } from '../mutations/reply.ts'
import { handle } from '../mutations/rules.ts'
import type { Variation } from './variation.ts'

const keyForm = '#key-value: a string or an object.'

export const keys: readonly Variation[] = [
  {
    id: 'key-string',
    title: 'key of a created key is its id, as a string.',
    allowed: keyForm,
    group: 'key form',
    mutate: () => rewriteField('key', (key) => Reflect.get(key as object, 'id'), 'createKey'),
  },
  {
    id: 'key-is-secret',
    title: 'key and secret of a created key are the same string.',
    allowed: keyForm,
    group: 'key form',
    mutate: () => rewriteField('key', (_, { secret }) => secret, 'createKey'),
  },
  {
    id: 'key-is-bearer',
    title: 'The bearer value is key; secret is for something else.',
    allowed: '#key-secret: some services expect key as the token.',
    group: 'key form',
    mutate() {
      let made = 0
      return rewriteSuccess(({ body }) => {
        const fields = body as Fields
        Object.assign(fields, { id: Reflect.get(fields.key as object, 'id'), key: fields.secret })
        fields.secret = `signing-secret-${String(++made).padStart(8, '0')}`
      }, 'createKey')
    },
  },
  {
    id: 'key-prefix-masked',
    title: 'The prefix of a key ends in dots.',
    allowed: '#key-prefix: dots may end it.',
    mutate: () => rewriteField('keys.*.prefix', (prefix) => `${prefix}…`, 'listKeys'),
  },
  {
    id: 'key-times-as-numbers',
    title: 'last_used_at is a number.',
    allowed: '#key-last-used: the format is open.',
    mutate: () => rewriteField('keys.*.last_used_at', (at) => (at ? Date.parse(String(at)) : at), 'listKeys'),
  },
  {
    id: 'key-unknown-deleted',
    title: 'Deleting an unknown key answers ok: true.',
    allowed: '#delete-key: an unknown key may be a success.',
    mutate: () =>
      handle('deleteKey', (call, usual) => {
        usual(call)
        return { ok: true }
      }),
  },
  {
    id: 'notification-unknown-read',
    title: 'Marking an unknown notification as read answers ok: true.',
    allowed: '#read-notification: an unknown notification may be a success.',
    mutate: () =>
      handle('readNotification', (call, usual) => {
        usual(call)
        return { ok: true }
      }),
  },
  {
    id: 'keys-alike',
    title: 'The secrets of keys differ in their last characters only.',
    allowed: '#key-secret: its form is open.',
    mutate() {
      let made = 0
      return handle('createKey', ({ org, tenants, body, now }) => {
        const secret = `wak_live_key_of_an_organization_${String(++made).padStart(4, '0')}`
        const key = createKey(org, body.name, secret, now)
        tenants.admit(key, org)
        return { key: viewKey(key), secret }
      })
    },
  },
]
