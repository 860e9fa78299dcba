/** §4 Extended route set: generations and landing pages that are missing, overcharged or lost. */
import { operationIds, routeOf } from '#contract/operation.ts'
import { Failure, fail } from '#mocks/core/failure.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { rewriteField } from '../mutations/reply.ts'
import { after, handle } from '../mutations/rules.ts'
import type { Defect } from './defect.ts'

const missing = operationIds
  .filter((operation) => routeOf(operation).set === 'extended')
  .map(
    (operation): Defect => ({
      id: `extended-missing-${operation}`,
      title: `The extended route set is offered without ${operation}.`,
      breaks: ['EXTENDED-OFFERED'],
      mutate: () => ({
        async middleware(context, next) {
          const response = await next(context.request)
          if (context.operation !== operation || response.status === 401) return response
          return Response.json({ error: 'not_found', message: 'No such route.' }, { status: 404 })
        },
      }),
    }),
  )

export const extended: readonly Defect[] = [
  ...missing,
  {
    id: 'creative-costs-two',
    title: 'A generation costs two credits.',
    breaks: ['CREATIVE-COSTS-ONE'],
    mutate: () =>
      after('generateCreative', ({ org, now }, outcome) => {
        if (!(outcome instanceof Failure)) org.ledger.topUp(-1, now)
      }),
  },
  {
    id: 'creative-free',
    title: 'A generation is free.',
    breaks: ['CREATIVE-COSTS-ONE'],
    mutate: () =>
      after('generateCreative', ({ org, now }, outcome) => {
        if (!(outcome instanceof Failure)) org.ledger.topUp(1, now)
      }),
  },
  {
    id: 'creative-same-id',
    title: 'Every generation has the same artifactId.',
    breaks: ['CREATIVE-UNIQUE'],
    mutate: () => rewriteField('artifactId', () => 'artifact_1', 'generateCreative'),
  },
  {
    id: 'creative-not-atomic',
    title: 'Two simultaneous generations share the last credit.',
    breaks: ['CREATIVE-ATOMIC'],
    mutate() {
      const last = new Map<string, number>()
      return handle('generateCreative', (call, usual) => {
        const { org, now } = call
        const shared = !org.ledger.solvent && last.get(org.id) === now
        if (shared) org.ledger.topUp(1, now)
        else if (org.ledger.solvent) last.set(org.id, now)
        return usual(call)
      })
    },
  },
  {
    id: 'insights-range-fails',
    title: 'Insights of a range are answered 500.',
    breaks: ['INSIGHTS-RANGE'],
    mutate: () =>
      handle('getInsights', (call, usual) => (call.query.range ? fail('internal_error') : usual(call))),
  },
  {
    id: 'creative-refused-costs',
    title: 'A generation that is refused as bad input costs a credit.',
    breaks: ['CREATIVE-REFUSED-FREE'],
    mutate() {
      const known = new Map<string, Organization>()
      return {
        onOrganization: (org) => void known.set(org.id, org),
        async middleware({ request, operation, mock }, next) {
          const response = await next(request)
          const bad = response.status === 400 || response.status === 422
          if (operation === 'generateCreative' && bad)
            for (const org of known.values()) org.ledger.topUp(-1, mock.clock.now())
          return response
        },
      }
    },
  },
  {
    id: 'creative-not-hosted',
    title: 'Nothing is found at the url of a generation.',
    breaks: ['CREATIVE-HOSTED'],
    mutate: () => rewriteField('url', (url) => String(url).replace('.svg', '.png'), 'generateCreative'),
  },
  {
    id: 'creative-no-refund',
    title: 'A failed generation is not refunded.',
    breaks: ['CREATIVE-REFUND'],
    mutate: () =>
      after('generateCreative', ({ org, now }, outcome) => {
        if (outcome instanceof Failure && outcome.name === 'unavailable') org.ledger.topUp(-1, now)
      }),
  },
  {
    id: 'creative-refund-twice',
    title: 'A failed generation is refunded twice.',
    breaks: ['CREATIVE-REFUND'],
    mutate: () =>
      after('generateCreative', ({ org, now }, outcome) => {
        if (outcome instanceof Failure && outcome.name === 'unavailable') org.ledger.topUp(1, now)
      }),
  },
  {
    id: 'landing-page-unlisted',
    title: 'A created landing page is not listed.',
    breaks: ['LANDING-PAGE-LISTED'],
    mutate: () =>
      rewriteField('items', (items) => (Array.isArray(items) ? items.slice(-1) : items), 'listLandingPages'),
  },
  {
    id: 'creative-refused',
    title: 'Every generation is refused as bad input.',
    breaks: ['CREATIVE-ACCEPTED'],
    mutate: () => handle('generateCreative', () => fail('invalid')),
  },
]
