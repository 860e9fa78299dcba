/** §4 Identity and keys. */

import { fail } from '../core/failure.ts'
import { createKey, deleteKey } from '../core/keys.ts'
import type { Handlers } from './handler.ts'
import { viewKey } from './views.ts'

/** Handlers of §4 Identity and keys. */
export const identity: Pick<Handlers, 'whoami' | 'createKey' | 'listKeys' | 'deleteKey'> = {
  whoami: ({ org }) => ({
    org: { id: org.id, name: org.name },
    plan: org.account.plan,
    credits: org.ledger.balance,
  }),

  createKey({ org, tenants, body, now }) {
    const key = createKey(org, body.name, org.newSecret(), now)
    tenants.admit(key, org)
    return { key: viewKey(key), secret: key.secret }
  },

  listKeys: ({ org }) => ({ keys: org.keys.newest(Infinity, (key) => !key.deleted).map(viewKey) }),

  deleteKey({ org, id }) {
    const key = org.keys.get(id)
    if (!key || key.deleted) return fail('not_found', 'No such key in this organization.')
    deleteKey(org, key)
    return { ok: true }
  },
}
