/** Rate limits that are low, or counted in another way. */
import { rateLimit } from '#mocks/pipeline/preconditions.ts'
import { limiting } from '../mutations/rules.ts'
import { type Variation, variationsOf } from './variation.ts'

export const limits: readonly Variation[] = variationsOf({
  'limit-low: Each key may send 20 requests per second.': {
    allowed: '#limit-values: size and window are unpublished.',
    group: 'limit',
    mutate: () => ({ options: { rateLimit: '20/1s' } }),
  },
  'limit-low-dates: Each key may send 20 requests in two seconds, and Retry-After is a date.': {
    allowed: '#rate-limit: Retry-After has two forms.',
    group: 'limit',
    mutate: () => ({ options: { rateLimit: '20/2s', retryAfter: 'date' } }),
  },
  'limit-for-each-route: Each route has its own counter for each key.': {
    allowed: '#rate-limit: routes may count apart.',
    group: 'limit',
    mutate: () =>
      limiting((context) => {
        const credential = `${context.principal.credential} ${context.operation}`
        return rateLimit({ ...context, principal: { ...context.principal, credential } })
      }),
  },
  'limit-not-exact: Every third request is not counted.': {
    allowed: '#limit-values: size and window are unpublished.',
    group: 'limit',
    mutate() {
      let count = 0
      return limiting((context) => (++count % 3 === 0 ? undefined : rateLimit(context)))
    },
  },
})
