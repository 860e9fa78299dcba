/** The agent is busy; the run starts right after (§3.3). */
import { scenario } from './scenario.ts'

export const busyThenStarts = scenario({
  id: 'busy-then-starts',
  title: 'Busy, then the run starts automatically',
  shows:
    'The agent is busy with other work for 4 seconds. A run request returns 409 busy, is accepted anyway and starts automatically. A good client polls the task and does not request the run again.',
  options: { seed: 'busy-then-starts', busy: 4 },
  expects: ['waits-when-busy', 'follows-runs', 'stops-polling'],
  checkOptions: { busy: 0, fault: 'runTask=busy;times=1' },
})
