/** §4 Extended route set. Every route of it answers 404 where the set is not offered. */
import { both, route } from '../route.ts'
import * as extended from '../schemas/extended.ts'

const shared = { section: '§4 Extended route set', set: 'extended', auth: 'key' } as const

export const listLeads = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/leads',
  summary: 'Prospects collected by the connected ad account.',
  cost: 0,
  answer: both(extended.leadList),
  failures: ['not_found'],
})

export const generateCreative = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/creative/generate',
  summary: 'Generate and host a creative: reserve one credit, give it back on failure.',
  cost: 1,
  body: extended.newCreative,
  answer: both(extended.creative),
  failures: ['not_found', 'unreadable', 'invalid', 'no_credits'],
})

export const listLandingPages = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/landing-pages',
  summary: 'The landing pages of the organization.',
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
  summary: 'Campaigns of the connected ad account.',
  cost: 0,
  answer: both(extended.campaignList),
  failures: ['not_found'],
})

export const getInsights = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/meta/insights',
  summary: 'Figures of the connected ad account over a range.',
  cost: 0,
  query: extended.insightsRange,
  answer: both(extended.insights),
  failures: ['not_found', 'invalid'],
})

export const getWallet = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/wallet',
  summary: 'Balance and funding; read-only.',
  cost: 0,
  answer: both(extended.wallet),
  failures: ['not_found'],
})

export const getBilling = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/billing',
  summary: 'Plan, credits, tiers and packs; read-only.',
  cost: 0,
  answer: both(extended.billing),
  failures: ['not_found'],
})
