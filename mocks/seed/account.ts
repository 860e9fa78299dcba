/** Plans, packs and ad metrics: realistic and reproducible. */
import { createRandom } from '../core/random.ts'

/** Available plans, with credits per month and price in cents. */
export const tiers = [
  { id: 'starter', name: 'Starter', credits: 25, price_cents: 1_900 },
  { id: 'growth', name: 'Growth', credits: 100, price_cents: 5_900 },
  { id: 'scale', name: 'Scale', credits: 500, price_cents: 24_900 },
]

/** Packs of additional credits, with price in cents. */
export const packs = [
  { id: 'pack_10', credits: 10, price_cents: 900 },
  { id: 'pack_50', credits: 50, price_cents: 3_900 },
]

/** Returns ad metrics over a range; the same organization and range always give the same values. */
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
