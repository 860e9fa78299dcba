/** §4 Extended route set. */
import type { OperationId } from '#contract/operation.ts'
import { generateCreative } from '../core/creatives.ts'
import { Failure } from '../core/failure.ts'
import { createLandingPage } from '../core/landing-pages.ts'
import { insightsOf, packs, tiers } from '../seed/account.ts'
import type { Handlers } from './handler.ts'
import { longestList } from './limits.ts'
import { viewCampaign, viewCreative, viewLandingPage, viewProspect } from './views.ts'

type Extended = Extract<
  OperationId,
  | 'listLeads'
  | 'generateCreative'
  | 'listLandingPages'
  | 'createLandingPage'
  | 'listCampaigns'
  | 'getInsights'
  | 'getWallet'
  | 'getBilling'
>

/** Handlers of §4 Extended route set. */
export const extended: Pick<Handlers, Extended> = {
  listLeads: ({ org }) => ({
    connected: true,
    prospects: org.prospects.newest(longestList).map(viewProspect),
  }),

  generateCreative({ org, body, url, now, runOverrides }) {
    const creative = generateCreative(org, body, now, runOverrides?.outcome === 'failed')
    return creative instanceof Failure ? creative : viewCreative(creative, org, new URL(url).origin)
  },

  listLandingPages: ({ org }) => ({ items: org.landingPages.newest(longestList).map(viewLandingPage) }),

  createLandingPage: ({ org, body, now }) => viewLandingPage(createLandingPage(org, body, now)),

  listCampaigns: ({ org }) => ({
    connected: true,
    campaigns: org.campaigns.newest(longestList).map(viewCampaign),
  }),

  getInsights: ({ org, query }) => insightsOf(org.id, query.range ?? 'last_30d'),

  getWallet({ org }) {
    const { balance, currency, card_last4 } = org.account
    return {
      balance: { amount: balance, currency },
      funding: { type: 'card', last4: card_last4 },
      autoRecharge: { enabled: false, threshold: null },
    }
  },

  getBilling: ({ org }) => ({ plan: org.account.plan, credits: org.ledger.balance, tiers, packs }),
}
