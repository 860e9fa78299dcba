/** What can refuse a request before its handler sees it, in the order in which it is asked. */
import { fail } from './failure.ts'
import type { Gate } from './service.ts'

/** §8.1: so many requests for each key, or session, in a window. */
export const rateLimit: Gate = ({ principal, answering }) => {
  const rule = principal.org.arranged.rateLimit ?? principal.org.settings.rateLimit
  if (rule === 'off') return undefined
  const wait_ms = principal.org.limiter.admit(principal.credential, rule, answering.now)
  return wait_ms > 0 ? fail('rate_limited', undefined, wait_ms) : undefined
}

/** §7: key routes of an organization that is temporarily unavailable. */
export const available: Gate = ({ route, principal }) =>
  route.auth === 'key' && principal.org.arranged.unavailable ? fail('unavailable') : undefined

/** §1: the extended route set may be left out. */
export const offered: Gate = ({ principal, route }) =>
  route.set === 'extended' && !principal.org.settings.extended
    ? fail('not_found', 'No such route.')
    : undefined

export const gates: readonly Gate[] = [rateLimit, available, offered]
