/** An organization without data. */
import { scenario } from './scenario.ts'

export const emptyOrganization = scenario({
  id: 'empty-organization',
  title: 'An empty organization',
  shows:
    'The organization has credits and nothing else: every list is empty and nothing is unread. A good client shows this and does not fail.',
  options: { seed: 'empty-organization', past: 'none' },
  expects: [],
  isPlain: true,
})
