/** §2 Extended-set resources. */
import { z } from 'zod'
import { emptyOrIdentifier, identifier, requiredUnknownField } from './core.ts'

/** Schema of a prospect in the leads of an organization (§2). Its fields are present but may be null. */
export const prospect = z.looseObject({
  id: emptyOrIdentifier,
  name: requiredUnknownField,
  email: requiredUnknownField,
  phone: requiredUnknownField,
  createdTime: requiredUnknownField,
  campaign: requiredUnknownField,
})

/** Schema of the response of `listLeads`. */
export const leadList = z.looseObject({ connected: requiredUnknownField, prospects: z.array(prospect) })

/** Schema of the request body of `generateCreative`. */
export const newCreative = z.object({
  prompt: z.string().min(1),
  size: z.unknown().optional(),
  quality: z.unknown().optional(),
  angle: z.unknown().optional(),
  format: z.unknown().optional(),
  label: z.unknown().optional(),
})

/** Schema of the response of `generateCreative`. */
export const creative = z.looseObject({
  url: z.string().min(1).describe('The URL of the generated result.'),
  artifactId: identifier,
})

/** Schema of the request body of `createLandingPage`. */
export const newLandingPage = z.object({
  business_name: z.string().optional(),
  preferred_subdomain: z.string().optional(),
  page_type: z.string().optional(),
  spec: z.unknown().optional(),
  strategy: z.unknown().optional(),
  render: z.unknown().optional(),
  publish: z.unknown().optional(),
})

/** Schema of the response of `createLandingPage`: its version, whether it is published, and any other fields. */
export const createdLandingPage = z.looseObject({
  version: requiredUnknownField,
  published: requiredUnknownField,
})
/** Schema of a landing page, whose fields the specification does not name. */
export const landingPage = z.looseObject({})
/** Schema of the response of `listLandingPages`. */
export const landingPageList = z.looseObject({ items: z.array(landingPage) })

/** Schema of the response of `listCampaigns`. */
export const campaignList = z.looseObject({
  connected: requiredUnknownField,
  campaigns: requiredUnknownField,
})
/** Schema of the query of `getInsights`. */
export const insightsQuery = z.object({ range: z.string().optional() })
/** Schema of the response of `getInsights`. */
export const insights = z.looseObject({})
/** Schema of the response of `getWallet`. */
export const wallet = z.looseObject({
  balance: requiredUnknownField,
  funding: requiredUnknownField,
  autoRecharge: requiredUnknownField,
})
/** Schema of the response of `getBilling`. */
export const billing = z.looseObject({
  plan: requiredUnknownField,
  credits: requiredUnknownField,
  tiers: requiredUnknownField,
  packs: requiredUnknownField,
})
