/** Plans, packs and figures of an ad account: believable, and the same for the same seed. */
import { createRandom } from '../core/random.ts'

/** Plans that can be booked, with credits a month and price in cents. */
export const tiers = [
  { id: 'starter', name: 'Starter', credits: 25, price_cents: 1_900 },
  { id: 'growth', name: 'Growth', credits: 100, price_cents: 5_900 },
  { id: 'scale', name: 'Scale', credits: 500, price_cents: 24_900 },
]

/** Credits that can be bought on top. */
export const packs = [
  { id: 'pack_10', credits: 10, price_cents: 900 },
  { id: 'pack_50', credits: 50, price_cents: 3_900 },
]

/** Figures of an ad account over a range; the same range always gives the same figures. */
export function insightsOf(orgId: string, range: string): Record<string, unknown> {
  const random = createRandom(`${orgId}\u0000insights\u0000${range}`)
  const impressions = 5_000 + (random.word() % 95_000)
  const clicks = Math.round(impressions * (0.005 + random.fraction() * 0.03))
  const leads = Math.round(clicks * (0.02 + random.fraction() * 0.1))
  const spend = Math.round(clicks * (40 + random.fraction() * 160)) / 100
  return {
    range,
    currency: 'USD',
    impressions,
    clicks,
    leads,
    spend,
    ctr: clicks / impressions,
    cost_per_lead: leads > 0 ? Math.round((spend / leads) * 100) / 100 : null,
  }
}
