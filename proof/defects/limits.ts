/** §7.2, §7.3, §8.1: limits that are missing, shared or never end, and outages with wrong answers. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { rateLimit } from '#mocks/pipeline/preconditions.ts'
import type { Precondition } from '#mocks/pipeline/service.ts'
import type { Mutation } from '../mutations/mutation.ts'
import { rewrite, rewriteErrors } from '../mutations/reply.ts'
import { precondition } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

/** Replaces the rate limit by another precondition. */
const limiting = (other: Precondition) => (): Mutation => ({
  rules: (rules) => ({
    ...rules,
    preconditions: rules.preconditions.map((one) => (one === rateLimit ? other : one)),
  }),
})

const unlimited = operationIds
  .filter((operation) => routeOf(operation).auth === 'key')
  .map(
    (operation): Defect => ({
      id: `limit-${operation}`,
      title: `${operation} is not rate-limited.`,
      breaks: [`LIMIT-${operation}`],
      mutate: limiting((context) => (context.operation === operation ? undefined : rateLimit(context))),
    }),
  )

export const limits: readonly Defect[] = [
  ...unlimited,
  {
    id: 'limit-no-retry-after',
    title: '429 has no Retry-After.',
    breaks: ['LIMIT-RETRY-AFTER'],
    mutate: () => rewriteErrors(429, ({ headers }) => headers.delete('retry-after')),
  },
  {
    id: 'limit-retry-after-words',
    title: 'Retry-After of a 429 is the word "soon".',
    breaks: ['LIMIT-RETRY-AFTER'],
    mutate: () => rewriteErrors(429, ({ headers }) => headers.set('retry-after', 'soon')),
  },
  {
    id: 'limit-retry-after-fraction',
    title: 'Retry-After of a 429 is a fraction of seconds.',
    breaks: ['LIMIT-RETRY-AFTER'],
    mutate: () => rewriteErrors(429, ({ headers }) => headers.set('retry-after', '1.5')),
  },
  {
    id: 'limit-retry-after-short',
    title: 'Retry-After of a 429 is shorter than necessary.',
    breaks: ['LIMIT-WAITED-OUT'],
    mutate: () =>
      rewriteErrors(429, ({ headers }) => {
        headers.set('retry-after', String(Math.floor(Number(headers.get('retry-after')) / 2)))
      }),
  },
  {
    id: 'limit-never-over',
    title: 'A key that was limited once stays limited until its limit is changed.',
    breaks: ['LIMIT-WAITED-OUT'],
    mutate() {
      const limited = new Map<string, unknown>()
      return limiting((context) => {
        const { credential, org } = context.principal
        const { rate_limit: rule } = org.overrides
        if (rule && limited.get(credential) === rule) return fail('rate_limited', undefined, 1_000)
        const refusal = rateLimit(context)
        if (refusal) limited.set(credential, rule)
        return refusal
      })()
    },
  },
  {
    id: 'limit-for-all',
    title: 'When one organization is limited, all are.',
    breaks: ['LIMIT-OTHER-KEY'],
    mutate() {
      const known = new Set<Organization>()
      return {
        onOrganization: (org) => void known.add(org),
        ...limiting((context) => {
          const { org } = context.principal
          const other = [...known].find((one) => one !== org && one.overrides.rate_limit)
          return other ? fail('rate_limited', undefined, 1_000) : rateLimit(context)
        })(),
      }
    },
  },
  {
    id: 'limit-for-organization',
    title: 'The keys of an organization share one limit.',
    breaks: ['LIMIT-SAME-ORGANIZATION'],
    mutate: limiting((context) =>
      rateLimit(
        context.route.auth === 'key'
          ? { ...context, principal: { ...context.principal, credential: 'all' } }
          : context,
      ),
    ),
  },
  {
    id: 'unavailable-fails',
    title: 'During an outage key routes answer 500.',
    breaks: ['UNAVAILABLE-CODE', 'UNAVAILABLE-RUN'],
    mutate: () =>
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
    mutate: () =>
      rewrite((reply) => {
        if (reply.status !== 503) return
        reply.status = 404
        reply.body = { error: 'not_found', message: 'No tasks.' }
      }, 'listTasks'),
  },
  {
    id: 'unavailable-for-good',
    title: 'An outage never ends.',
    breaks: ['UNAVAILABLE-OVER', 'UNAVAILABLE-UNARRANGED'],
    mutate() {
      const out = new WeakSet<Organization>()
      return precondition(({ operation, principal: { org } }) => {
        if (org.overrides.unavailable) out.add(org)
        return operation === 'whoami' && out.has(org) ? fail('unavailable') : undefined
      })
    },
  },
]
