/** Preconditions that can reject a request before its handler is called, in order. */
import type { OperationId } from '#contract/operation.ts'
import { fail } from '../core/failure.ts'
import type { Precondition } from './service.ts'

/** §8.1: limits the requests of each key or session. */
export const rateLimit: Precondition = ({ principal, now }) => {
  const rule = principal.org.overrides.rate_limit ?? principal.settings.rateLimit
  if (rule === 'off') return undefined
  const wait_ms = principal.org.limiter.admit(principal.credential, rule, now)
  return wait_ms > 0 ? fail('rate_limited', undefined, wait_ms) : undefined
}

/** §7: rejects requests to key routes if the organization is temporarily unavailable. */
const available: Precondition = ({ route, principal }) =>
  route.auth === 'key' && principal.org.overrides.unavailable ? fail('unavailable') : undefined

/** §1: rejects requests to the extended route set if it is not offered. */
const offered: Precondition = ({ principal, route }) =>
  route.set === 'extended' && !(principal.org.overrides.extended ?? principal.settings.extended)
    ? fail('not_found', 'No such route.')
    : undefined

const creating: ReadonlySet<OperationId> = new Set([
  'createTask',
  'createDocument',
  'createKey',
  'createLandingPage',
])

/** Refuses to keep more than the memory of the mock is meant for. */
const roomForMore: Precondition = ({ operation, principal: { org, settings } }) => {
  if (!creating.has(operation)) return undefined
  const rows = org.tasks.size + org.documents.size + org.landingPages.size + org.keys.size
  if (rows < settings.rows) return undefined
  return fail(
    'unavailable',
    `This organization has as many rows as --rows allows (${settings.rows}); reset it.`,
  )
}

/** All preconditions, in order. */
export const preconditions: readonly Precondition[] = [rateLimit, available, offered, roomForMore]
