/** A run that takes a long time. */
import { scenario } from './scenario.ts'

export const slowRun = scenario({
  id: 'slow-run',
  title: 'A slow run',
  shows: 'A run takes 15 seconds. A good client polls at a moderate rate and stops when finished is true.',
  options: { seed: 'slow-run', runDuration: '15s' },
  expects: ['polls-sanely', 'polls-task-by-id', 'stops-polling'],
  checkOptions: { runDuration: '8s' },
})
