/** An organization with many tasks. */
import { scenario } from './scenario.ts'

export const fiveThousandTasks = scenario({
  id: 'five-thousand-tasks',
  title: 'Five thousand tasks',
  shows:
    'The task list returns 5,000 items in one response, and there are as many notifications. A good client shows what is relevant and gets a single task by its id.',
  options: { seed: 'five-thousand-tasks', past: 5_000 },
  expects: ['polls-task-by-id'],
})
