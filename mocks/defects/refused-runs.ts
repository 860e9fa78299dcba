/** §7, §8.1: what is refused with 429 or 503, and happens all the same. */
import type { OperationId } from '#contract/operation.ts'
import type { Alteration } from '../alterations/alteration.ts'
import type { Organization } from '../core/organization.ts'
import { createTask, requestRun } from '../core/tasks.ts'
import type { Defect } from './defect.ts'

/** Does something to the organizations that know a task when an operation is refused with a status. */
function onRefusal(
  operation: OperationId,
  status: number,
  effect: (org: Organization, now: number, request: { path: string; body: string }) => void,
): Alteration {
  const met = new Set<Organization>()
  return {
    meet: (org) => void met.add(org),
    async around(asked, next) {
      const body = asked.operation === operation ? await asked.request.clone().text() : ''
      const response = await next(asked.request)
      if (asked.operation !== operation || response.status !== status) return response
      const path = new URL(asked.request.url).pathname
      for (const org of met) effect(org, asked.mock.clock.now(), { path, body })
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
    title: 'A run that is refused with 429 is started.',
    breaks: ['LIMIT-REFUSED-RUN'],
    alter: () =>
      onRefusal('runTask', 429, (org, now, { path }) => {
        const task = taskIn(org, path)
        if (task) requestRun(org, task, now)
      }),
  },
  {
    id: 'limit-charges',
    title: 'A run that is refused with 429 costs a credit.',
    breaks: ['LIMIT-REFUSED-RUN'],
    alter: () => chargeRefused(429),
  },
  {
    id: 'limit-creates-anyway',
    title: 'A task that is refused with 429 is created.',
    breaks: ['LIMIT-REFUSED-TASK'],
    alter: () =>
      onRefusal('createTask', 429, (org, now, { body }) => createTask(org, JSON.parse(body).text, now)),
  },
  {
    id: 'unavailable-run-charges',
    title: 'A run that is refused with 503 costs a credit.',
    breaks: ['UNAVAILABLE-RUN'],
    alter: () => chargeRefused(503),
  },
  {
    id: 'unavailable-run-bad-gateway',
    title: 'During an outage a run is answered 500.',
    breaks: ['UNAVAILABLE-RUN'],
    alter: () => ({
      async around(asked, next) {
        const response = await next(asked.request)
        if (asked.operation !== 'runTask' || response.status !== 503) return response
        return Response.json(
          { error: 'internal_error', message: 'Unexpected server error.' },
          { status: 500 },
        )
      },
    }),
  },
]
