/** Extended routes that are missing, or restricted. */
import type { OperationId } from '#contract/operation.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
import { type Fields, field, insteadOf, items, onRequest } from '../mutations/reply.ts'
import { handle, refuse } from '../mutations/rules.ts'
import { type Variation, variationsOf } from './variation.ts'

/** Answers 404 on some routes, as on an unknown path. */
const without = (...operations: OperationId[]): Mutation =>
  onRequest(
    ({ url, headers }) => new Request(url.replace(/\/api\/cli\/.*$/, '/api/cli/no-such-route'), { headers }),
    ...operations,
  )

const prospectsWith = (nothing: null | '') =>
  combine(
    ...['id', 'name', 'email', 'phone', 'createdTime', 'campaign'].map((name) =>
      field('listLeads', `prospects.*.${name}`, () => nothing),
    ),
  )

export const extended: readonly Variation[] = variationsOf({
  '#core-set-required: extended routes may be absent.': {
    'extended-absent (extended): No extended route is offered.': () => ({ options: { extended: false } }),
    'extended-reading-only (extended): Creative generation and landing pages are not offered.': () =>
      without('generateCreative', 'listLandingPages', 'createLandingPage'),
    'extended-sites-read-only (extended): Landing pages cannot be created; leads and wallet are not offered.':
      () => without('createLandingPage', 'listLeads', 'getWallet'),
  },
  '#landing-page-fields: its fields are not published.': {
    'landing-pages-listed-by-site (extended): The list of landing pages shows siteId in the place of id.':
      () => items('listLandingPages', (pages) => pages.map(({ id, ...page }) => ({ siteId: id, ...page }))),
  },
  '#leads-connected: an account need not be linked.': {
    'prospects-none (prospects): There are no prospects, because no account is connected.': () =>
      handle('listLeads', () => ({ connected: false, prospects: [] })),
  },
  '#prospect-fields: each may be null or empty.': {
    'prospects-all-null (prospects): Every field of a prospect is null, the id included.': () =>
      prospectsWith(null),
    'prospects-all-empty (prospects): Every field of a prospect is an empty text, the id included.': () =>
      prospectsWith(''),
  },
  '#insights-ranges: a missing or unfamiliar range may be refused.': {
    'insights-known-ranges (insights): Insights accept only the range 7d.': () =>
      refuse('getInsights', 'invalid', ({ query }) => query.range !== '7d'),
  },
  '#insights-ranges: the values are unpublished.': {
    'insights-odd-ranges (insights): Insights accept only a range that the suite cannot guess.': () =>
      refuse('getInsights', 'invalid', ({ query }) => query.range !== 'Q1/2026'),
  },
  '#creative-options: the values are unpublished.': {
    'creative-options-refused (options): Generations and landing pages are refused with any field but a prompt and a name.':
      () =>
        combine(
          refuse('generateCreative', 'invalid', ({ body }) => Object.keys(body).length > 1),
          refuse('createLandingPage', 'invalid', ({ body }) => Object.keys(body).length > 1),
        ),
    'creative-known-sizes (options): Generations accept only a size that the suite cannot guess, and any label.':
      () => refuse('generateCreative', 'invalid', ({ body }) => body.size),
  },
  '#creative-cost: which error a generation that fails answers is open.': {
    'creative-fails-unexpectedly: A creative that fails answers 500, and its credit is there again.': () =>
      insteadOf(
        ({ status, body }) => status === 503 && String((body as Fields).message).includes('refunded'),
        [500, 'internal_error'],
        'generateCreative',
      ),
  },
  '#creative-cost: who may see the result is open.': {
    'creatives-private: What was generated is shown only to those who have logged in.': () =>
      onRequest(({ url }) =>
        new URL(url).pathname.startsWith('/artifacts/') ? new Response(null, { status: 401 }) : undefined,
      ),
  },
})
