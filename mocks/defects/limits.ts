/** §7.2, §7.3, §8.1: limits that are missing, shared or never over, and outages that say the wrong thing. */
import { operationIds, routeOf } from '#contract/operation.ts'
import type { Alteration } from '../alterations/alteration.ts'
import { rewrite, rewriteErrors } from '../alterations/reply.ts'
import { gate } from '../alterations/rules.ts'
import type { Organization } from '../core/organization.ts'
import { fail } from '../failure.ts'
import { rateLimit } from '../gates.ts'
import type { Gate } from '../service.ts'
import type { Defect } from './defect.ts'

/** Puts another gate in the place of the rate limit. */
const limiting = (other: Gate) => (): Alteration => ({
  rules: (rules) => ({ ...rules, gates: rules.gates.map((one) => (one === rateLimit ? other : one)) }),
})

const unlimited = operationIds
  .filter((operation) => routeOf(operation).auth === 'key')
  .map(
    (operation): Defect => ({
      id: `limit-${operation}`,
      title: `${operation} is not rate-limited.`,
      breaks: [`LIMIT-${operation}`],
      alter: limiting((visit) => (visit.operation === operation ? undefined : rateLimit(visit))),
    }),
  )

export const limits: readonly Defect[] = [
  ...unlimited,
  {
    id: 'limit-no-retry-after',
    title: '429 has no Retry-After.',
    breaks: ['LIMIT-RETRY-AFTER'],
    alter: () => rewriteErrors(429, ({ headers }) => headers.delete('retry-after')),
  },
  {
    id: 'limit-retry-after-words',
    title: 'Retry-After of a 429 says "soon".',
    breaks: ['LIMIT-RETRY-AFTER'],
    alter: () => rewriteErrors(429, ({ headers }) => headers.set('retry-after', 'soon')),
  },
  {
    id: 'limit-retry-after-fraction',
    title: 'Retry-After of a 429 is a fraction of seconds.',
    breaks: ['LIMIT-RETRY-AFTER'],
    alter: () => rewriteErrors(429, ({ headers }) => headers.set('retry-after', '1.5')),
  },
  {
    id: 'limit-retry-after-short',
    title: 'Retry-After of a 429 is shorter than the wait that is needed.',
    breaks: ['LIMIT-WAITED-OUT'],
    alter: () =>
      rewriteErrors(429, ({ headers }) => {
        headers.set('retry-after', String(Math.floor(Number(headers.get('retry-after')) / 2)))
      }),
  },
  {
    id: 'limit-never-over',
    title: 'A key that was limited once stays so until its limit is changed.',
    breaks: ['LIMIT-WAITED-OUT'],
    alter() {
      const limited = new Map<string, unknown>()
      return limiting((visit) => {
        const { credential, org } = visit.principal
        const { rateLimit: rule } = org.arranged
        if (rule && limited.get(credential) === rule) return fail('rate_limited', undefined, 1_000)
        const refusal = rateLimit(visit)
        if (refusal) limited.set(credential, rule)
        return refusal
      })()
    },
  },
  {
    id: 'limit-for-all',
    title: 'When one organization is limited, all are.',
    breaks: ['LIMIT-OTHER-KEY'],
    alter() {
      const met = new Set<Organization>()
      return {
        meet: (org) => void met.add(org),
        ...limiting((visit) => {
          const { org } = visit.principal
          const other = [...met].find((one) => one !== org && one.arranged.rateLimit)
          return other ? fail('rate_limited', undefined, 1_000) : rateLimit(visit)
        })(),
      }
    },
  },
  {
    id: 'limit-for-organization',
    title: 'The keys of an organization share one limit.',
    breaks: ['LIMIT-SAME-ORGANIZATION'],
    alter: limiting((visit) =>
      rateLimit(
        visit.route.auth === 'key'
          ? { ...visit, principal: { ...visit.principal, credential: 'all' } }
          : visit,
      ),
    ),
  },
  {
    id: 'unavailable-fails',
    title: 'During an outage key routes answer 500.',
    breaks: ['UNAVAILABLE-CODE', 'UNAVAILABLE-RUN'],
    alter: () =>
      rewrite((reply) => {
        if (reply.status !== 503) return
        reply.status = 500
        reply.body = { error: 'internal_error', message: 'Unexpected server error.' }
      }),
  },
  {
    id: 'unavailable-list-empty',
    title: 'During an outage the task list is answered 404.',
    breaks: ['UNAVAILABLE-CODE'],
    alter: () =>
      rewrite((reply) => {
        if (reply.status !== 503) return
        reply.status = 404
        reply.body = { error: 'not_found', message: 'No tasks.' }
      }, 'listTasks'),
  },
  {
    id: 'unavailable-for-good',
    title: 'An outage is never over.',
    breaks: ['UNAVAILABLE-OVER'],
    alter() {
      const out = new WeakSet<Organization>()
      return gate(({ operation, principal: { org } }) => {
        if (org.arranged.unavailable) out.add(org)
        return operation === 'whoami' && out.has(org) ? fail('unavailable') : undefined
      })
    },
  },
]
