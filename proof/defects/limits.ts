/** §7.2, §7.3, §8.1: limits that are missing, shared or never end, and outages that stay. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { rateLimit } from '#mocks/pipeline/preconditions.ts'
import { knowing } from '../mutations/organizations.ts'
import { everyNth, rewrite, rewriteErrors } from '../mutations/reply.ts'
import { limiting, precondition } from '../mutations/rules.ts'
import { type Defect, defectsFor, defectsOf } from './defect.ts'

/** Changes Retry-After of a 429. */
const retryAfter = (change: (seconds: number) => string) =>
  rewriteErrors(429, ({ headers }) => headers.set('retry-after', change(Number(headers.get('retry-after')))))

export const limits: readonly Defect[] = [
  ...defectsFor(
    operationIds.filter((operation) => routeOf(operation).auth === 'key'),
    (operation) => [
      `LIMIT-${operation}`,
      `limit-${operation}: ${operation} is not rate-limited.`,
      limiting((context) => (context.operation === operation ? undefined : rateLimit(context))),
    ],
  ),
  ...defectsOf({
    'LIMIT-RETRY-AFTER': {
      'limit-no-retry-after: 429 has no Retry-After.': () =>
        rewriteErrors(429, ({ headers }) => headers.delete('retry-after')),
      'limit-retry-after-words: Retry-After of a 429 is the word "soon".': () => retryAfter(() => 'soon'),
      'limit-retry-after-fraction: Retry-After of a 429 is a fraction of seconds.': () =>
        retryAfter(() => '1.5'),
      'limit-sometimes-fraction: Every 150th request is answered 429 with a Retry-After of 0.5 s.': () => {
        const limits = everyNth(150)
        return rewrite((reply, { request }) => {
          if (request.method !== 'GET' || !request.headers.has('authorization') || !limits()) return
          if (reply.status >= 300) return
          Object.assign(reply, {
            status: 429,
            body: { error: 'rate_limited', message: 'Too many requests.' },
          })
          reply.headers.set('retry-after', '0.5')
        })
      },
    },
    'LIMIT-WAITED-OUT': {
      'limit-retry-after-short: Retry-After of a 429 is shorter than necessary.': () =>
        retryAfter((seconds) => String(Math.floor(seconds / 2))),
      'limit-never-over: A key that was limited once stays limited until its limit is changed.': () => {
        const limited = new Map<string, unknown>()
        return limiting((context) => {
          const { credential, org } = context.principal
          const { rate_limit: rule } = org.overrides
          if (rule && limited.get(credential) === rule) return fail('rate_limited', undefined, 1_000)
          const refusal = rateLimit(context)
          if (refusal) limited.set(credential, rule)
          return refusal
        })
      },
    },
    'LIMIT-OTHER-KEY': {
      'limit-for-all: When one organization is limited, all are.': () =>
        knowing((known) =>
          limiting((context) => {
            const { org } = context.principal
            const other = [...known].find((one) => one !== org && one.overrides.rate_limit)
            return other ? fail('rate_limited', undefined, 1_000) : rateLimit(context)
          }),
        ),
    },
    'LIMIT-SAME-ORGANIZATION': {
      'limit-for-organization: The keys of an organization share one limit.': () =>
        limiting((context) => {
          const { principal, route } = context
          return rateLimit(
            route.auth === 'key' ? { ...context, principal: { ...principal, credential: 'all' } } : context,
          )
        }),
    },
    'UNAVAILABLE-OVER UNAVAILABLE-UNARRANGED': {
      'unavailable-for-good: An outage never ends.': () => {
        const out = new WeakSet<Organization>()
        return precondition(({ operation, principal: { org } }) => {
          if (org.overrides.unavailable) out.add(org)
          return operation === 'whoami' && out.has(org) ? fail('unavailable') : undefined
        })
      },
    },
  }),
]
