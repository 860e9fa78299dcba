/** Some routes follow the first variant, some the second, one both (§4 Tasks). */
import { scenario } from './scenario.ts'

export const mixedVariants = scenario({
  id: 'mixed-variants',
  title: 'Both variants at once',
  shows:
    'The task list follows the second variant, task creation the first, and runs have the fields of both. A good client tolerates either shape on every route.',
  options: { seed: 'mixed-variants' },
  variants: { listTasks: 'second', createTask: 'first', runTask: 'both' },
  expects: ['tolerates-variants'],
})
