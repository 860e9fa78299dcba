/** A run fails and its credit comes back (§3.2). */
import type { Scenario } from './scenario.ts'

export const runFailsAndRefunds: Scenario = {
  id: 'run-fails-and-refunds',
  title: 'The first run fails and is refunded',
  shows:
    'The first run ends in failure: its task is finished, its credit is back, and a notification says so. Every later run completes. A good client tells a failure from a success and may run the task again.',
  options: { seed: 'run-fails-and-refunds', credits: 3, fault: 'runTask=fail,ok' },
  expects: ['follows-runs', 'stops-polling'],
}
