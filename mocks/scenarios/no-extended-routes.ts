/** The extended route set is not offered (§1, §4). */
import type { Scenario } from './scenario.ts'

export const noExtendedRoutes: Scenario = {
  id: 'no-extended-routes',
  title: 'Without the extended routes',
  shows:
    'Leads, creatives, landing pages, meta, wallet and billing are 404 not_found. A good client goes on without them.',
  options: { seed: 'no-extended-routes', extended: false },
  expects: ['no-refused-repeat'],
}
