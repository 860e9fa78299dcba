/** §4 Extended route set: generations and landing pages that are missing, overcharged or lost. */
import { type AnswerOf, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import { Failure } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { effectById } from '../history-defects/effects.ts'
import { mutationFor } from '../history-defects/occasion.ts'
import { whenByCreatedKey } from '../history-defects/triggers.ts'
import { combineMutations, type Mutation } from '../mutations/mutation.ts'
import { changeOrganizationsOnRefusal } from '../mutations/organizations.ts'
import {
  changeField,
  changeItems,
  changeRequests,
  createEveryNthCallPredicate,
  replaceAnswersWithError,
} from '../mutations/reply.ts'
import {
  callAfterHandling,
  callBeforeHandling,
  changeAnswer,
  giveCreditsAfterHandling,
  refuseRequests,
  replaceHandler,
  showCreationsLate,
} from '../mutations/rules.ts'
import { type Defect, defectForEach, defectsOfTable } from './defect.ts'

/** Answers as if there were no such route. */
const missing = (operation: OperationId) =>
  replaceAnswersWithError(({ status }) => status !== 401, [404, 'not_found'], operation)

/** Gives a field the same value in so many answers in a row. */
function inARow(operation: OperationId, path: string, length: number): Mutation {
  let last: unknown
  let count = 0
  return changeField(operation, path, (value) => {
    if (count++ % length === 0) last = value
    return last
  })
}

/** Deliberate defects of the extended routes, such as creatives that cost too much. */
export const extendedRouteDefects: readonly Defect[] = [
  ...defectForEach(
    operationIds.filter((operation) => routeOf(operation).set === 'extended'),
    (operation) => [
      `EXTENDED-OFFERED extended-missing-${operation}: The extended route set is offered without ${operation}.`,
      missing(operation),
    ],
  ),
  ...defectsOfTable({
    'CREATIVE-ACCEPTED creative-refused: Every generation is refused as bad input.': () =>
      refuseRequests('generateCreative', 'invalid'),
    'CREATIVE-COSTS-ONE creative-costs-two: A generation costs two credits.': () =>
      giveCreditsAfterHandling(-1, 'generateCreative'),
    'CREATIVE-COSTS-ONE creative-free: A generation is free.': () =>
      giveCreditsAfterHandling(1, 'generateCreative'),
    'CREATIVE-REFUND creative-no-refund: A failed generation is not refunded.': () =>
      giveCreditsAfterHandling(-1, 'generateCreative', 'unavailable'),
    'CREATIVE-REFUND creative-no-refund-by-created-key: A failed generation with a created key is not refunded.':
      () => mutationFor(whenByCreatedKey, effectById('creative-failure-kept')),
    'CREATIVE-REFUND creative-refund-twice: A failed generation is refunded twice.': () =>
      giveCreditsAfterHandling(1, 'generateCreative', 'unavailable'),
    'CREATIVE-REFUND creative-refund-once-a-minute: Of the failed generations of a minute, the first is refunded.':
      () => {
        const last = new Map<Organization, number>()
        return callAfterHandling('generateCreative', ({ org, now }, outcome) => {
          if (!(outcome instanceof Failure) || outcome.name !== 'unavailable') return
          const isSecond = now < (last.get(org) ?? 0) + 60_000
          if (isSecond) org.ledger.topUp(-1, now)
          else last.set(org, now)
        })
      },
    'CREATIVE-REFUND creative-retry-free: The generation after a failed one is free.': () => {
      const free = new Set<Organization>()
      return callAfterHandling('generateCreative', ({ org, now }, outcome) => {
        if (outcome instanceof Failure) {
          if (outcome.name === 'unavailable') free.add(org)
        } else if (free.delete(org)) org.ledger.topUp(1, now)
      })
    },
    'CREATIVE-REFUND creative-refund-restores: A failed generation undoes what others have cost at the same time.':
      () => {
        const failedAt = new Map<Organization, number>()
        return callAfterHandling('generateCreative', ({ org, now }, outcome) => {
          if (outcome instanceof Failure && outcome.name === 'unavailable') failedAt.set(org, now)
          else if (failedAt.get(org) === now && failedAt.delete(org)) org.ledger.topUp(1, now)
        })
      },
    'CREATIVE-UNIQUE creative-kept: A prompt that was sent before is answered as it was then, for free.':
      () => {
        const known = new Map<string, AnswerOf<'generateCreative'>>()
        return replaceHandler('generateCreative', (call, usual) => {
          const kept = known.get(call.body.prompt)
          const outcome = kept ?? usual(call)
          if (!(outcome instanceof Failure)) known.set(call.body.prompt, outcome)
          return outcome
        })
      },
    'CREATIVE-REFUSED-FREE creative-refused-costs: A generation that is refused as bad input costs a credit.':
      () =>
        changeOrganizationsOnRefusal('generateCreative', [400, 422], (org, now) => org.ledger.topUp(-1, now)),
    'CREATIVE-UNIQUE creative-same-id: Every generation has the same artifactId.': () =>
      changeField('generateCreative', 'artifactId', 'artifact_1'),
    'CREATIVE-UNIQUE artifact-id-repeated-sometimes: Three generations in a row have the same artifactId.':
      () => inARow('generateCreative', 'artifactId', 3),
    'CREATIVE-ATOMIC creative-not-atomic: Two simultaneous generations share the last credit.': () => {
      const last = new Map<string, number>()
      return callBeforeHandling('generateCreative', ({ org, now }) => {
        const shared = !org.ledger.canReserve && last.get(org.id) === now
        if (shared) org.ledger.topUp(1, now)
        else if (org.ledger.canReserve) last.set(org.id, now)
      })
    },
    'CREATIVE-HOSTED creative-not-hosted: Nothing is found at the url of a generation.': () =>
      changeField('generateCreative', 'url', (url) => String(url).replace('.svg', '.png')),
    'CREATIVE-HOSTED creative-hosted-empty: The file of a generation has no bytes.': () => ({
      async middleware({ request }, next) {
        const response = await next(request)
        return new URL(request.url).pathname.endsWith('.svg') ? new Response('', response) : response
      },
    }),
    'CREATIVE-HOSTED creative-hosted-newest: The file of a generation is found until the next generation of its organization.':
      () => {
        const newest = new Map<string, string>()
        const folderOf = (url: string) => url.slice(0, url.lastIndexOf('/'))
        return combineMutations(
          changeAnswer('generateCreative', ({ url }) => void newest.set(folderOf(url), url)),
          changeRequests(({ url }) => {
            const isOld = url.endsWith('.svg') && newest.get(folderOf(url)) !== url
            return isOld ? new Response(null, { status: 404 }) : undefined
          }),
        )
      },
    'CREATIVE-HOSTED creative-hosted-by-process: Every second request for the file of a generation finds nothing.':
      () => {
        const isOther = createEveryNthCallPredicate(2)
        return changeRequests(({ url }) =>
          url.endsWith('.svg') && isOther() ? new Response(null, { status: 404 }) : undefined,
        )
      },
    'CREATIVE-HOSTED creative-hosted-ascii: Nothing is found at the url of a generation whose prompt is not ASCII.':
      () =>
        changeAnswer('generateCreative', ({ url }, { body }) =>
          /[^ -~]/.test(body.prompt) ? { url: url.replace('.svg', '.png') } : undefined,
        ),
    'CREATIVE-REACHABLE creative-unreachable: The url of a generation names a host that nobody reaches.':
      () =>
        combineMutations(
          changeField('generateCreative', 'url', (url) =>
            String(url).replace(/\/\/[^/]+/, '//files.invalid'),
          ),
          changeRequests(({ url }) => {
            if (new URL(url).hostname === 'files.invalid') throw new TypeError('fetch failed')
            return undefined
          }),
        ),
    'ODD-FIELDS-generateCreative creative-size-fails: A generation with a size is answered 500.': () =>
      refuseRequests('generateCreative', 'internal_error', ({ body }) => body.size),
    'ODD-FIELDS-generateCreative creative-label-fails: A generation with a size is refused, and one with a label answered 500.':
      () =>
        combineMutations(
          refuseRequests('generateCreative', 'internal_error', ({ body }) => body.label),
          refuseRequests('generateCreative', 'invalid', ({ body }) => body.size),
        ),
    'ODD-FIELDS-createLandingPage landing-page-spec-fails: A landing page with an object as its spec is answered 500.':
      () =>
        refuseRequests('createLandingPage', 'internal_error', ({ body }) => typeof body.spec === 'object'),
    'ODD-FIELDS-createLandingPage landing-page-foreign-name-fails: A landing page is answered 500 if its name has letters beyond Latin.':
      () =>
        refuseRequests('createLandingPage', 'internal_error', ({ body }) =>
          /\p{Script=Han}/u.test(body.business_name ?? ''),
        ),
    'INSIGHTS-RANGE insights-range-fails: Insights of a range are answered 500.': () =>
      refuseRequests('getInsights', 'internal_error', ({ query }) => query.range),
    'ACCEPTS-createLandingPage landing-page-nameless: A landing page without a name is refused.': () =>
      refuseRequests('createLandingPage', 'invalid', ({ body }) => body.business_name === undefined),
    'ANSWER-NO-500 landing-page-namesake-fails: A landing page with the name of another one is answered 500.':
      () =>
        refuseRequests(
          'createLandingPage',
          'internal_error',
          ({ org, body }) =>
            body.business_name !== undefined &&
            org.landingPages.newest(Infinity).some((page) => page.business_name === body.business_name),
        ),
    'LANDING-PAGE-LISTED landing-page-unlisted: A created landing page is not listed.': () =>
      changeItems('listLandingPages', (list) => list.slice(-1)),
    'LANDING-PAGE-LISTED late-landing-page: A new landing page is listed after 3 s.': () =>
      showCreationsLate('listLandingPages', 3_000),
    'LANDING-PAGE-LISTED-SAME landing-page-renamed: The list of landing pages shows the name of each in capitals.':
      () => changeField('listLandingPages', 'items.*.business_name', (name) => String(name).toUpperCase()),
    'RUN-ID-UNIQUE run-id-repeated-sometimes (second): Every second run has the runId of the one before it.':
      () => inARow('runTask', 'runId', 2),
  }),
]
