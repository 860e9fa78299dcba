/** §7, §8.1: requests that are refused with 429 or 503 but have an effect. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import { createTask, requestRun } from '#mocks/core/tasks.ts'
import type { Mutation } from '../mutations/mutation.ts'
import type { Defect } from './defect.ts'

/** Does something to the organizations that know a task when an operation is refused with a status. */
function onRefusal(
  operation: OperationId,
  status: number,
  effect: (org: Organization, now: number, request: { path: string; body: string }) => void,
): Mutation {
  const known = new Set<Organization>()
  return {
    onOrganization: (org) => void known.add(org),
    async middleware(context, next) {
      const body = context.operation === operation ? await context.request.clone().text() : ''
      const response = await next(context.request)
      if (context.operation !== operation || response.status !== status) return response
      const path = new URL(context.request.url).pathname
      for (const org of known) effect(org, context.mock.clock.now(), { path, body })
      return response
    },
  }
}

/** Takes a credit for a run that is refused with a status. */
const chargeRefused = (status: number) =>
  onRefusal('runTask', status, (org, now, { path }) => {
    if (taskIn(org, path)) org.ledger.topUp(-1, now)
  })

const taskIn = (org: Organization, path: string) => org.tasks.get(path.split('/').at(-2) ?? '')

export const refusedRuns: readonly Defect[] = [
  {
    id: 'limit-runs-anyway',
    title: 'A run that is refused with 429 starts.',
    breaks: ['LIMIT-REFUSED-RUN'],
    mutate: () =>
      onRefusal('runTask', 429, (org, now, { path }) => {
        const task = taskIn(org, path)
        if (task) requestRun(org, task, now)
      }),
  },
  {
    id: 'limit-charges',
    title: 'A run that is refused with 429 costs a credit.',
    breaks: ['LIMIT-REFUSED-RUN'],
    mutate: () => chargeRefused(429),
  },
  {
    id: 'limit-creates-anyway',
    title: 'A task that is refused with 429 is created.',
    breaks: ['LIMIT-REFUSED-TASK'],
    mutate: () =>
      onRefusal('createTask', 429, (org, now, { body }) => createTask(org, JSON.parse(body).text, now)),
  },
  {
    id: 'unavailable-run-charges',
    title: 'A run that is refused with 503 costs a credit.',
    breaks: ['UNAVAILABLE-RUN'],
    mutate: () => chargeRefused(503),
  },
  {
    id: 'unavailable-run-bad-gateway',
    title: 'During an outage a run is answered 500.',
    breaks: ['UNAVAILABLE-RUN'],
    mutate: () => ({
      async middleware(context, next) {
        const response = await next(context.request)
        if (context.operation !== 'runTask' || response.status !== 503) return response
        return Response.json(
          { error: 'internal_error', message: 'Unexpected server error.' },
          { status: 500 },
        )
      },
    }),
  },
]
