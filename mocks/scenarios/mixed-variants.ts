/** Some routes follow the second variant, one has both (§4 Tasks). */
import { scenario } from './scenario.ts'

export const mixedVariants = scenario({
  id: 'mixed-variants',
  title: 'Both variants at once',
  shows:
    'The task list and task creation follow the second variant, and runs have the fields of both. A good client tolerates either shape on every route.',
  options: { seed: 'mixed-variants' },
  variants: { listTasks: 'second', createTask: 'second', runTask: 'both' },
  expects: ['tolerates-variants'],
})
