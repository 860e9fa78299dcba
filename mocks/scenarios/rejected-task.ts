/** A task that is rejected as invalid (§7). */
import { scenario } from './scenario.ts'

export const rejectedTask = scenario({
  id: 'rejected-task',
  title: 'New tasks are rejected',
  shows:
    'Every request to create a task returns invalid_request. A good client reports the error and does not send the same request again.',
  options: { seed: 'rejected-task', fault: 'createTask=invalid_request' },
  expects: ['no-refused-repeat'],
  canFinish: false,
})
