/** An organization without data. */
import type { Scenario } from './scenario.ts'

export const emptyOrganization: Scenario = {
  id: 'empty-organization',
  title: 'An empty organization',
  shows:
    'The organization has credits and nothing else: every list is empty and nothing is unread. A good client shows this and does not fail.',
  options: { seed: 'empty-organization', past: 'none' },
  expects: [],
}
