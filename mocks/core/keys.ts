/** API keys of an organization (§2 API key, §5). */
import type { Organization } from './organization.ts'
import type { Key } from './resources.ts'

/** Creates an API key of an organization; `now` is ms since the epoch. */
export function createKey(org: Organization, name: string, secret: string, now: number): Key {
  const known = org.foretell('keys', (one) => one.name === name)
  return org.keys.append({
    id: known?.id ?? org.newId('key'),
    name,
    secret: known?.secret ?? secret,
    created_at: now,
    last_used_at: null,
    deleted: false,
  })
}

/** Deletes a key (§5.3): it stays as a row, but opens nothing. */
export function deleteKey({ changes }: Organization, key: Key): void {
  changes.changing('keys', key, { deleted: key.deleted })
  key.deleted = true
}

/** Returns the leading part of a key for lists: its kind and a few characters, never enough to use it. */
export function prefixOf({ secret }: Key): string {
  return secret.slice(0, secret.startsWith('wak_live_') ? 13 : Math.min(9, secret.length >> 1))
}
