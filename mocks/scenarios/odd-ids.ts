/** Ids that have to be percent-encoded in a path (§2). */
import { scenario } from './scenario.ts'

export const oddIds = scenario({
  id: 'odd-ids',
  title: 'Ids with slashes, spaces and quotes',
  shows:
    'Ids contain characters that have a meaning in URLs, such as /, ? and %. A good client percent-encodes an id that it puts into a path.',
  options: { seed: 'odd-ids', strictClient: 'ids-odd' },
  expects: ['encodes-ids'],
})
