/** §4 Tasks. */
import { both, route } from '../route.ts'
import { createdTask, newTask, run, taskDetail, taskList } from '../schemas/core.ts'

const shared = { section: '§4 Tasks', set: 'core', auth: 'key' } as const

export const listTasks = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/tasks',
  summary: 'List the tasks of the organization.',
  cost: 0,
  answer: taskList,
  failures: [],
})

export const createTask = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/tasks',
  summary: 'Create a task without running it.',
  cost: 0,
  body: newTask,
  answer: createdTask,
  failures: ['unreadable', 'invalid'],
})

export const getTask = route({
  ...shared,
  method: 'GET',
  path: '/api/cli/tasks/:id',
  summary: 'Get a task and whether its status is final.',
  cost: 0,
  answer: both(taskDetail),
  failures: ['not_found'],
})

export const runTask = route({
  ...shared,
  method: 'POST',
  path: '/api/cli/tasks/:id/run',
  summary: 'Start a run. Reserves one credit and refunds it if the run fails.',
  cost: 1,
  answer: run,
  failures: ['not_found', 'conflict', 'no_credits', 'busy'],
})
