/** The extended route set is not offered (§1, §4). */
import { scenario } from './scenario.ts'

export const noExtendedRoutes = scenario({
  id: 'no-extended-routes',
  title: 'No extended routes',
  shows:
    'Leads, creatives, landing pages, meta, wallet and billing return 404 not_found. A good client continues without them.',
  options: { seed: 'no-extended-routes', extended: false },
  expects: ['no-refused-repeat'],
})
