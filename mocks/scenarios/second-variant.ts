/** The second variant on every route (§4 Tasks, §7). */
import { scenario } from './scenario.ts'

export const secondVariant = scenario({
  id: 'second-variant',
  title: 'The second variant',
  shows:
    'Task lists, created tasks and runs have the shapes of the second variant, and invalid input returns 422. A good client reads the fields it needs if they are present and works without the others.',
  options: { seed: 'second-variant', variant: 'second' },
  expects: ['tolerates-variants'],
})
