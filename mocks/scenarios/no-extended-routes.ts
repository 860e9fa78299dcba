/** The extended route set is not offered (§1, §4). */
import type { Scenario } from './scenario.ts'

export const noExtendedRoutes: Scenario = {
  id: 'no-extended-routes',
  title: 'No extended routes',
  shows:
    'Leads, creatives, landing pages, meta, wallet and billing return 404 not_found. A good client continues without them.',
  options: { seed: 'no-extended-routes', extended: false },
  expects: ['no-refused-repeat'],
}
