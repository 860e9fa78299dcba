/** What can refuse a request before its handler sees it, in the order in which it is asked. */
import { fail } from './failure.ts'
import { forcedOn } from './faults/force.ts'
import type { Gate } from './service.ts'

/** Answers the error that was asked for. A forced `busy` is kept true: the agent is given other work. */
export const forced: Gate = ({ service, operation, principal, now }) => {
  if (service.settings.force.length === 0) return undefined
  const failure = forcedOn(operation, service.settings.force)
  if (failure !== 'busy') return failure && fail(failure)
  principal.org.settle(now)
  principal.org.agent.busyUntil(now + Math.max(1, service.settings.runDurationMs))
  return undefined
}

/** §8.1: so many requests for each key, or session, in a window. */
export const rateLimit: Gate = ({ service, principal, now }) => {
  const rule = principal.org.arranged.rateLimit ?? service.settings.rateLimit
  if (rule === 'off') return undefined
  const wait_ms = principal.org.limiter.admit(principal.credential, rule, now)
  return wait_ms > 0 ? fail('rate_limited', undefined, wait_ms) : undefined
}

/** §7: key routes of an organization that is temporarily unavailable. */
export const available: Gate = ({ route, principal }) =>
  route.auth === 'key' && principal.org.arranged.unavailable ? fail('unavailable') : undefined

/** §1: the extended route set may be left out. */
export const offered: Gate = ({ service, route }) =>
  route.set === 'extended' && !service.settings.extended ? fail('not_found', 'No such route.') : undefined

export const gates: readonly Gate[] = [forced, rateLimit, available, offered]
