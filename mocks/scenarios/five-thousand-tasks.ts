/** An organization with a long past. */
import type { Scenario } from './scenario.ts'

export const fiveThousandTasks: Scenario = {
  id: 'five-thousand-tasks',
  title: 'Five thousand tasks',
  shows:
    'The task list has 5,000 items, all in one answer, and as many notifications. A good client shows what matters and looks a single task up by its id.',
  options: { seed: 'five-thousand-tasks', past: 5_000 },
  expects: ['polls-task-by-id'],
}
