/** §2 Extended set. */
import { z } from 'zod'
import { identifier, present } from './values.ts'

export const prospect = z.looseObject({
  id: identifier,
  name: present,
  email: present,
  phone: present,
  createdTime: present,
  campaign: present,
})

export const leadList = z.looseObject({ connected: present, prospects: z.array(prospect) })

export const newCreative = z.object({
  prompt: z.string().min(1),
  size: z.unknown().optional(),
  quality: z.unknown().optional(),
  angle: z.unknown().optional(),
  format: z.unknown().optional(),
  label: z.unknown().optional(),
})

export const creative = z.looseObject({
  url: z.string().min(1).describe('Where the generated result is hosted.'),
  artifactId: identifier,
})

export const newLandingPage = z.object({
  business_name: z.string().optional(),
  preferred_subdomain: z.string().optional(),
  page_type: z.string().optional(),
  spec: z.unknown().optional(),
  strategy: z.unknown().optional(),
  render: z.unknown().optional(),
  publish: z.unknown().optional(),
})

/** The fields of the site, spread, with these two added. */
export const createdLandingPage = z.looseObject({ version: present, published: present })
/** A site. Its fields are not shown. */
export const landingPage = z.looseObject({})
export const landingPageList = z.looseObject({ items: z.array(landingPage) })

export const campaignList = z.looseObject({ connected: present, campaigns: present })
export const insightsRange = z.object({ range: z.string().optional() })
export const insights = z.looseObject({})
export const wallet = z.looseObject({ balance: present, funding: present, autoRecharge: present })
export const billing = z.looseObject({ plan: present, credits: present, tiers: present, packs: present })
