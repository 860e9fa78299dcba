/** Responses vary in every way that the specification allows. */
import { scenario } from './scenario.ts'

export const strictClient = scenario({
  id: 'strict-client',
  title: 'Legal but unusual responses',
  shows:
    'Statuses, ids, shapes, orders, headers and run times vary in every way that the specification allows. A good client works anyway.',
  options: { seed: 'strict-client', strictClient: 'strict-client' },
  expects: ['tolerates-extras', 'reads-finished'],
})
