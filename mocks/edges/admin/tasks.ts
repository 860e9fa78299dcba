/** `/__admin/tasks`: ends runs. */
import { z } from 'zod'
import { bodyOf, control, ProblemError } from './route.ts'

/** The routes of tasks. */
export const taskRoutes = [
  control({
    method: 'POST',
    path: '/tasks/:id/finish',
    summary: 'End the run of a task now, as completed or failed. A run that waits ends as soon as it starts.',
    about: 'organization',
    body: bodyOf({
      outcome: z.enum(['completed', 'failed'], 'takes completed or failed').default('completed'),
    }),
    refusals: { 404: 'No such task.', 409: 'Its run is over, or it was never run.' },
    example: { outcome: 'failed' },
    run({ org, body, request }) {
      const now = org.clock.now()
      org.settle(now)
      const task = org.tasks.get(request.param('id') ?? '')
      if (!task) throw new ProblemError(404, 'No such task in this organization.')
      if (!task.run || task.run.ended) throw new ProblemError(409, 'This task has no run that could end.')
      org.agent.finish(task.run, body.outcome, now)
    },
  }),
]
