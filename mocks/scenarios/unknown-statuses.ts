/** Statuses that no client can know (§3.1). */
import { scenario } from './scenario.ts'

export const unknownStatuses = scenario({
  id: 'unknown-statuses',
  title: 'Statuses that no client knows',
  shows:
    'Every status is a made-up word, also those of tasks that are finished. The first run completes, the second fails, later ones complete. A good client reads finished and nothing else.',
  options: { seed: 'unknown-statuses', strictClient: 'status-made-up', fault: 'runTask=ok,fail' },
  expects: ['reads-finished', 'stops-polling'],
  checkRuns: 2,
})
