/** §4 Extended route set. Every requirement of it is judged where the route is offered. */
import { ofRoute, type Sentence } from './sentence.ts'

const section = '§4 Extended route set'

export const extendedRoutes: readonly Sentence[] = [
  {
    section,
    text: 'GET | /api/cli/leads | none | { connected, prospects: [ { id, name, email, phone, createdTime, campaign } ] } | free',
    requirements: [...ofRoute('listLeads'), 'LEADS-FIELDS'],
  },
  {
    section,
    text: 'POST | /api/cli/creative/generate | { prompt, size?, quality?, angle?, format?, label? } | { url, artifactId } or 402 | 1 credit',
    requirements: [
      ...ofRoute('generateCreative'),
      'CREATIVE-ACCEPTED',
      'CREATIVE-COSTS-ONE',
      'CREATIVE-UNIQUE',
      'NO-CREDITS-CREATIVE',
    ],
  },
  {
    section,
    text: 'GET | /api/cli/landing-pages | none | { items } | free',
    requirements: [...ofRoute('listLandingPages'), 'LANDING-PAGE-LISTED', 'ISOLATION-LIST-LANDING-PAGES'],
  },
  {
    section,
    text: 'POST | /api/cli/landing-pages | { business_name?, preferred_subdomain?, page_type?, spec?, strategy?, render?, publish? } | { ...site fields, version, published } | free',
    requirements: ofRoute('createLandingPage'),
    note: 'Only business_name is sent: the types and the allowed values of the other fields are not shown.',
  },
  {
    section,
    text: 'GET | /api/cli/meta/campaigns | none | { connected, campaigns } | free',
    requirements: ofRoute('listCampaigns'),
  },
  {
    section,
    text: 'GET | /api/cli/meta/insights | query range | insights object | free',
    requirements: [...ofRoute('getInsights'), 'INSIGHTS-RANGE'],
  },
  {
    section,
    text: 'GET | /api/cli/wallet | none | { balance, funding, autoRecharge } | free',
    requirements: ofRoute('getWallet'),
  },
  {
    section,
    text: 'GET | /api/cli/billing | none | { plan, credits, tiers, packs } | free',
    requirements: ofRoute('getBilling'),
  },
  {
    section,
    text: 'Creative generation reserves a credit, generates and hosts the result, and refunds the credit on failure.',
    requirements: [
      'CREATIVE-ACCEPTED',
      'CREATIVE-COSTS-ONE',
      'CREATIVE-ATOMIC',
      'CREATIVE-HOSTED',
      'CREATIVE-REFUND',
    ],
  },
  {
    section,
    text: 'Allowed values and types of size, quality, angle, format, label: not shown.',
    reason: 'The suite leaves these fields out: no value is known to be allowed.',
  },
  {
    section,
    text: 'Allowed values and format of range: not shown.',
    reason: 'The suite tries a few ranges; where none is accepted, nothing is judged.',
  },
  {
    section,
    text: 'The meta routes and wallet and billing routes are read-only.',
    requirements: ['FREE-listCampaigns', 'FREE-getInsights', 'FREE-getWallet', 'FREE-getBilling'],
    note: 'That nothing can be written there cannot be asked: unknown methods are not tested.',
  },
]
