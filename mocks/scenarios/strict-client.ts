/** Everything that the specification leaves open is other than a client may think. */
import type { Scenario } from './scenario.ts'

export const strictClient: Scenario = {
  id: 'strict-client',
  title: 'Legal, but surprising throughout',
  shows:
    'Statuses, ids, shapes, orders, headers and the pace of runs are surprising in every way that the specification leaves open. A good client goes on working.',
  options: { seed: 'strict-client', strictClient: 'strict-client' },
  expects: ['tolerates-extras', 'reads-finished'],
}
