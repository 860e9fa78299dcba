/** What can refuse a request before its handler sees it, in the order in which it is asked. */
import { fail } from '../core/failure.ts'
import type { Precondition } from './service.ts'

/** §8.1: so many requests for each key, or session, in a window. */
export const rateLimit: Precondition = ({ principal, now }) => {
  const rule = principal.org.overrides.rate_limit ?? principal.settings.rateLimit
  if (rule === 'off') return undefined
  const wait_ms = principal.org.limiter.admit(principal.credential, rule, now)
  return wait_ms > 0 ? fail('rate_limited', undefined, wait_ms) : undefined
}

/** §7: key routes of an organization that is temporarily unavailable. */
export const available: Precondition = ({ route, principal }) =>
  route.auth === 'key' && principal.org.overrides.unavailable ? fail('unavailable') : undefined

/** §1: the extended route set may be left out. */
export const offered: Precondition = ({ principal, route }) =>
  route.set === 'extended' && !principal.settings.extended ? fail('not_found', 'No such route.') : undefined

export const preconditions: readonly Precondition[] = [rateLimit, available, offered]
