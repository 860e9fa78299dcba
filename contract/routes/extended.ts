/** §4 Extended route set. Its routes return 404 if the set is not offered. */
import { both, route } from '../route.ts'
import * as extended from '../schemas/extended.ts'

const shared = { section: '§4 Extended route set', set: 'extended', auth: 'key' } as const

export const listLeads = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/leads',
  summary: 'List the prospects collected by the connected ad account.',
  cost: 0,
  answer: both(extended.leadList),
  failures: ['not_found'],
})

export const generateCreative = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/creative/generate',
  summary: 'Generate and host a creative. Reserves one credit and refunds it on failure.',
  cost: 1,
  body: extended.newCreative,
  answer: both(extended.creative),
  failures: ['not_found', 'unreadable', 'invalid', 'no_credits'],
})

export const listLandingPages = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/landing-pages',
  summary: 'List the landing pages of the organization.',
  cost: 0,
  answer: both(extended.landingPageList),
  failures: ['not_found'],
})

export const createLandingPage = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/landing-pages',
  summary: 'Create, and optionally publish, a landing page.',
  cost: 0,
  body: extended.newLandingPage,
  answer: both(extended.createdLandingPage),
  failures: ['not_found', 'unreadable', 'invalid'],
})

export const listCampaigns = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/meta/campaigns',
  summary: 'List the campaigns of the connected ad account.',
  cost: 0,
  answer: both(extended.campaignList),
  failures: ['not_found'],
})

export const getInsights = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/meta/insights',
  summary: 'Get metrics of the connected ad account over a range.',
  cost: 0,
  query: extended.insightsRange,
  answer: both(extended.insights),
  failures: ['not_found', 'invalid'],
})

export const getWallet = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/wallet',
  summary: 'Get the balance and funding; read-only.',
  cost: 0,
  answer: both(extended.wallet),
  failures: ['not_found'],
})

export const getBilling = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/billing',
  summary: 'Get the plan, credits, tiers and packs; read-only.',
  cost: 0,
  answer: both(extended.billing),
  failures: ['not_found'],
})
