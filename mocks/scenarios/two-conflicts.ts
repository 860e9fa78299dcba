/** The two meanings of 409 on a run (§3.3, §7). */
import type { Scenario } from './scenario.ts'

export const twoConflicts: Scenario = {
  id: 'two-conflicts',
  title: 'Two kinds of 409',
  shows:
    'The first run is answered 409 busy: it is accepted and starts by itself. The second is answered 409 invalid_request: it is refused and never starts. Later ones are fine. A good client reads error, not the status alone.',
  options: { seed: 'two-conflicts', fault: 'runTask=busy,invalid_request' },
  expects: ['branches-on-error', 'waits-when-busy'],
}
