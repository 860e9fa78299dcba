/** A run fails and its credit is refunded (§3.2). */
import { scenario } from './scenario.ts'

export const runFailsAndRefunds = scenario({
  id: 'run-fails-and-refunds',
  title: 'The first run fails and is refunded',
  shows:
    'The first run fails: its task is finished, its credit is refunded, and a notification reports it. Every later run completes. A good client distinguishes failure from success and may run the task again.',
  options: { seed: 'run-fails-and-refunds', credits: 3, fault: 'runTask=fail,ok' },
  expects: ['follows-runs', 'stops-polling'],
})
