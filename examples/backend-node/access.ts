/** Who sends a request, and how often a key may. */
import { createHash } from 'node:crypto'
import type { Has } from './bugs.ts'
import { type Database, now, type Row } from './database.ts'
import { problem } from './problem.ts'

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('hex')

/** Creates the checks of keys, sessions and rate limits. */
export function createAccess(db: Database, has: Has) {
  const recent = new Map<unknown, { readonly org: unknown; readonly times: number[] }>()
  const cutOff = new Set<unknown>()

  /** A new key, whose secret is not kept (§5.5). */
  const addKey = (org: unknown, name: string, secret: string) => {
    const [hash, prefix] = [hashOf(secret), secret.slice(0, 6)]
    return db.add('keys', { org_id: org, name, prefix, hash, created_at: now() })
  }

  for (const name of ['acme', 'globex']) {
    addKey(db.add('organizations', { name }).id, 'demo', `wak_${name}_for_local_use`)
  }

  /** The organization of a browser that is logged in (§5.4). */
  function session(cookies = ''): unknown {
    const [, name = ''] = /(?:^|; *)session=was_(\w+)_for_local_use(?:;|$)/.exec(cookies) ?? []
    const org = db.one('SELECT id FROM organizations WHERE name = ?', name)
    if (!org) throw problem(401, 'unauthorized', 'Log in with a browser.')
    return org.id
  }

  /** The key in `Authorization: Bearer <key>` (§5.1). */
  function key(authorization = ''): Row {
    const [, secret = ''] = /^bearer +(\S+)$/i.exec(authorization) ?? []
    const found = db.one('SELECT * FROM keys WHERE hash = ? AND deleted_at IS NULL', hashOf(secret))
    const isForgotten = has('unauthorized-after-limit') && cutOff.delete(found?.id)
    if (!found || isForgotten) throw problem(401, 'unauthorized', 'Log in with the client.')
    db.change('UPDATE keys SET last_used_at = ? WHERE id = ?', now(), found.id)
    return found
  }

  /** Refuses a request beyond the limit of a key (§8.1). */
  function count(key: Row) {
    const { rate_limit, rate_window } = db.organization(key.org_id)
    const [limit, window] = [Number(rate_limit ?? 6_000), Number(rate_window ?? 60) * 1_000]
    const counted = (recent.get(key.id)?.times ?? []).filter((at) => at > Date.now() - window)
    recent.set(key.id, { org: key.org_id, times: counted })
    const isRefused = counted.length >= limit
    if (!isRefused) return void counted.push(Date.now())
    cutOff.add(key.id)
    const seconds = Math.ceil(((counted[0] ?? 0) + window - Date.now()) / 1_000)
    throw problem(429, 'rate_limited', `Try again in ${seconds} s.`, { 'retry-after': String(seconds) })
  }

  /** A new limit counts from its beginning. */
  function forgetCounts(org: unknown) {
    for (const [id, one] of recent) if (one.org === org) recent.delete(id)
  }
  return { addKey, session, key, count, forgetCounts }
}
