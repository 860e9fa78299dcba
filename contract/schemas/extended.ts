/** §2 Extended-set resources. */
import { z } from 'zod'
import { emptyOrIdentifier, identifier, requiredUnknownField } from './core.ts'

/** A prospect (§2). Fields may be null but are present. */
export const prospect = z.looseObject({
  id: emptyOrIdentifier,
  name: requiredUnknownField,
  email: requiredUnknownField,
  phone: requiredUnknownField,
  createdTime: requiredUnknownField,
  campaign: requiredUnknownField,
})

/** Response of listLeads. */
export const leadList = z.looseObject({ connected: requiredUnknownField, prospects: z.array(prospect) })

/** Body of generateCreative. */
export const newCreative = z.object({
  prompt: z.string().min(1),
  size: z.unknown().optional(),
  quality: z.unknown().optional(),
  angle: z.unknown().optional(),
  format: z.unknown().optional(),
  label: z.unknown().optional(),
})

/** Response of generateCreative. */
export const creative = z.looseObject({
  url: z.string().min(1).describe('The URL of the generated result.'),
  artifactId: identifier,
})

/** Body of createLandingPage. */
export const newLandingPage = z.object({
  business_name: z.string().optional(),
  preferred_subdomain: z.string().optional(),
  page_type: z.string().optional(),
  spec: z.unknown().optional(),
  strategy: z.unknown().optional(),
  render: z.unknown().optional(),
  publish: z.unknown().optional(),
})

/** Response of createLandingPage: its version, whether it is published, and any other fields. */
export const createdLandingPage = z.looseObject({
  version: requiredUnknownField,
  published: requiredUnknownField,
})
/** A landing page. The specification does not name its fields. */
export const landingPage = z.looseObject({})
/** Response of listLandingPages. */
export const landingPageList = z.looseObject({ items: z.array(landingPage) })

/** Response of listCampaigns. */
export const campaignList = z.looseObject({
  connected: requiredUnknownField,
  campaigns: requiredUnknownField,
})
/** Schema of the query of getInsights. */
export const insightsQuery = z.object({ range: z.string().optional() })
/** Response of getInsights. */
export const insights = z.looseObject({})
/** Response of getWallet. */
export const wallet = z.looseObject({
  balance: requiredUnknownField,
  funding: requiredUnknownField,
  autoRecharge: requiredUnknownField,
})
/** Response of getBilling. */
export const billing = z.looseObject({
  plan: requiredUnknownField,
  credits: requiredUnknownField,
  tiers: requiredUnknownField,
  packs: requiredUnknownField,
})
