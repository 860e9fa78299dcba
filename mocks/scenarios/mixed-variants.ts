/** Some routes follow the first variant, some the second, one both (§4 Tasks). */
import { scenario } from './scenario.ts'

export const mixedVariants = scenario({
  id: 'mixed-variants',
  title: 'Both variants at once',
  shows:
    'The task list has the fields of both variants, task creation follows the second, and runs follow the first. A good client tolerates either shape on every route.',
  options: { seed: 'mixed-variants' },
  variants: { listTasks: 'both', createTask: 'second', runTask: 'first' },
  expects: ['tolerates-variants'],
})
