/** The second description throughout (§4 Tasks, §7). */
import type { Scenario } from './scenario.ts'

export const secondVariant: Scenario = {
  id: 'second-variant',
  title: 'The second variant',
  shows:
    'Task lists, new tasks and runs have the shapes of the second description, and bad input is 422. A good client reads the fields it needs where they are and does without the rest.',
  options: { seed: 'second-variant', variant: 'second' },
  expects: ['tolerates-variants'],
}
