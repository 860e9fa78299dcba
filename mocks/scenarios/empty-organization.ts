/** An organization without a past. */
import type { Scenario } from './scenario.ts'

export const emptyOrganization: Scenario = {
  id: 'empty-organization',
  title: 'An empty organization',
  shows:
    'There are credits and nothing else: every list is empty, nothing is unread. A good client says so and does not fail.',
  options: { seed: 'empty-organization', past: 'none' },
  expects: [],
}
