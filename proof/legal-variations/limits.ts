/** Rate limits that are low or counted in another way, and effects that show late. */
import type { OperationId } from '#contract/operation.ts'
import { rateLimitPrecondition } from '#mocks/pipeline/decide.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import { changeRequests, createEveryNthCallPredicate } from '../mutations/reply.ts'
import {
  callBeforeHandling,
  delayBalance,
  delayDeletion,
  replaceRateLimit,
  showCreationsLate,
} from '../mutations/rules.ts'
import { flattenVariationTables, type Variation } from './variation.ts'

/** Refuses deleted keys at once, in one operation. */
function deletionKnownTo(known: OperationId): Mutation {
  const gone = new Set<string>()
  return combineMutations(
    callBeforeHandling('deleteKey', ({ org, id }) => void gone.add(`Bearer ${org.keys.get(id)?.secret}`)),
    changeRequests(
      ({ headers }) =>
        gone.has(headers.get('authorization') ?? '')
          ? Response.json({ error: 'unauthorized', message: 'Log in first.' }, { status: 401 })
          : undefined,
      known,
    ),
  )
}

/**
 * Legal variations (behaviour that the specification allows) of rate limits: their size, their window, and how they
 * count.
 */
export const rateLimitVariations: readonly Variation[] = flattenVariationTables({
  '#limit-values: size and window are unpublished.': {
    'limit-low (limit): Each key may send 20 requests per second.': () => ({
      options: { rateLimit: '20/1s' },
    }),
  },
  '#rate-limit: Retry-After has two forms.': {
    'limit-low-dates (limit): Each key may send 20 requests in two seconds, and Retry-After is a date.':
      () => ({ options: { rateLimit: '20/2s', retryAfter: 'date' } }),
  },
  '#rate-limit: routes may count apart.': {
    'limit-for-each-route (limit): Each route has its own counter for each key.': () =>
      replaceRateLimit((context) => {
        const credential = `${context.principal.credential} ${context.operation}`
        return rateLimitPrecondition({ ...context, principal: { ...context.principal, credential } })
      }),
  },
  '#limit-values: what is unpublished may be counted roughly.': {
    'limit-two-more-on-each-route (limit): Each route has its own counter for each key, and lets two requests more pass than its limit.':
      () => {
        const counts = new Map<string, number>()
        return replaceRateLimit((context) => {
          const credential = `${context.principal.credential} ${context.operation}`
          const refusal = rateLimitPrecondition({
            ...context,
            principal: { ...context.principal, credential },
          })
          const refused = refusal ? (counts.get(credential) ?? 0) + 1 : 0
          counts.set(credential, refused)
          return refused > 2 ? refusal : undefined
        })
      },
    'limit-not-exact (limit): Every third request is not counted.': () => {
      const isFree = createEveryNthCallPredicate(3)
      return replaceRateLimit((context) => (isFree() ? undefined : rateLimitPrecondition(context)))
    },
  },
})

const lists = ['listTasks', 'listDocuments', 'listKeys', 'listLandingPages'] as const

/** Legal variations (behaviour that the specification allows) in which effects show only after a delay. */
export const lateEffectVariations: readonly Variation[] = flattenVariationTables({
  '#real-deployments: what is new may show a moment later.': {
    'LIST-PROMPT late-lists (late): Lists show a new task or document after 500 ms.': () =>
      combineMutations(showCreationsLate('listTasks', 500), showCreationsLate('listDocuments', 500)),
    'LIST-PROMPT late-key-list (late): The list of keys shows a new key after 1.2 s.': () =>
      showCreationsLate('listKeys', 1_200),
    'LIST-PROMPT late-landing-pages (late): The list of landing pages shows a new one after 800 ms.': () =>
      showCreationsLate('listLandingPages', 800),
  },
  '#real-deployments: a balance may follow a moment later.': {
    'CREDITS-PROMPT late-balance (late): The balance follows a charge, a refund or a top-up after 500 ms.':
      () => delayBalance(500),
    'CREDITS-PROMPT late-balance-short-runs (late): Runs take 100 ms, and the balance follows after 900 ms.':
      () => combineMutations({ options: { runDuration: '100ms' } }, delayBalance(900)),
  },
  '#real-deployments: replicas do not behave like one process.': {
    'CREDITS-PROMPT balance-of-replicas (late): Every second reading of the balance is that of a second ago.':
      () => delayBalance(1_000, createEveryNthCallPredicate(2)),
  },
  '#real-deployments: a deletion may take effect a moment later.': {
    'KEY-DELETED-PROMPT late-deletion (late): A deleted key is accepted for another 500 ms.': () =>
      delayDeletion(500),
    'KEY-DELETED-PROMPT late-deletion-elsewhere (late): A deleted key is refused by whoami, and accepted elsewhere for another 500 ms.':
      () => combineMutations(delayDeletion(500), deletionKnownTo('whoami')),
  },
  '#real-deployments: all of these may come a moment later.': {
    'LIST-PROMPT CREDITS-PROMPT KEY-DELETED-PROMPT late-everything (late): Lists, balances and deletions of keys show after 1.5 s.':
      () =>
        combineMutations(
          ...lists.map((list) => showCreationsLate(list, 1_500)),
          delayBalance(1_500),
          delayDeletion(1_500),
        ),
  },
})
