/** The two meanings of 409 on a run (§3.3, §7). */
import { scenario } from './scenario.ts'

export const twoConflicts = scenario({
  id: 'two-conflicts',
  title: 'Two kinds of 409',
  shows:
    'The first run returns 409 busy: it is accepted and starts automatically. The second returns 409 invalid_request: it is rejected and never starts. Later runs succeed. A good client reads error, not only the status.',
  options: { seed: 'two-conflicts', fault: 'runTask=busy,invalid_request' },
  expects: ['branches-on-error', 'waits-when-busy'],
  canFinish: false,
})
