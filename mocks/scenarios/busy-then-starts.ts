/** The agent is busy; the run starts right after (§3.3). */
import type { Scenario } from './scenario.ts'

export const busyThenStarts: Scenario = {
  id: 'busy-then-starts',
  title: 'Busy, then it starts by itself',
  shows:
    'The agent works on something else for 4 seconds. A run is answered 409 busy, is accepted all the same, and starts by itself. A good client polls the task and does not ask for the run again.',
  options: { seed: 'busy-then-starts', busy: 4 },
  expects: ['waits-when-busy', 'follows-runs', 'stops-polling'],
}
