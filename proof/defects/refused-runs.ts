/** §7, §8.1: requests that are refused with 429 or 503 but have an effect. */
import type { OperationId } from '#contract/operation.ts'
import type { Organization } from '#mocks/core/organization.ts'
import type { Task } from '#mocks/core/resources.ts'
import { createTask, requestRun } from '#mocks/core/tasks.ts'
import { combine, type Mutation } from '../mutations/mutation.ts'
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

/** Keeps what is to happen to an organization later, until its time has come. */
function later<Item>(effect: (org: Organization, item: Item, now: number) => void) {
  const due: { readonly org: Organization; readonly item: Item; readonly at: number }[] = []
  const mutation: Mutation = {
    onOrganization(org) {
      const settle = org.settle.bind(org)
      org.settle = (now) => {
        settle(now)
        for (const one of due.splice(0)) {
          if (one.org === org && one.at <= now) effect(org, one.item, now)
          else due.push(one)
        }
      }
    },
  }
  return { due, mutation }
}

/** Starts the run of a task that an operation refused with a status, after a delay. */
function startLater(status: number, delay_ms: number): Mutation {
  const { due, mutation } = later<Task>((org, task, now) => void requestRun(org, task, now))
  return combine(
    mutation,
    onRefusal('runTask', status, (org, now, { path }) => {
      const item = taskIn(org, path)
      if (item) due.push({ org, item, at: now + delay_ms })
    }),
  )
}

/** Answers 409 in place of 401 to further requests for the run of a task. */
function conflictOnRepeat(): Mutation {
  const known = new Set<Organization>()
  const seen = new Set<string>()
  return {
    onOrganization: (org) => void known.add(org),
    async middleware({ operation, request }, next) {
      const response = await next(request)
      const { pathname } = new URL(request.url)
      const isOfTask = [...known].some((org) => taskIn(org, pathname))
      if (operation !== 'runTask' || response.status !== 401 || !isOfTask) return response
      if (seen.size < seen.add(pathname).size) return response
      return Response.json({ error: 'invalid_request', message: 'It runs already.' }, { status: 409 })
    },
  }
}

/** Creates the task that was refused with a status, after a delay. */
function createLater(status: number, delay_ms: number): Mutation {
  const { due, mutation } = later<string>((org, text, now) => void createTask(org, text, now))
  return combine(
    mutation,
    onRefusal('createTask', status, (org, now, { body }) => {
      due.push({ org, item: JSON.parse(body).text, at: now + delay_ms })
    }),
  )
}

export const refusedRuns: readonly Defect[] = [
  {
    id: 'unauthorized-runs-anyway',
    title: 'A run that is refused with 401 starts.',
    breaks: ['AUTH-REFUSED-RUN'],
    mutate: () => startLater(401, 0),
  },
  {
    id: 'unauthorized-runs-later',
    title: 'A run that is refused with 401 starts 200 ms later.',
    breaks: ['AUTH-REFUSED-RUN'],
    mutate: () => startLater(401, 200),
  },
  {
    id: 'unauthorized-runs-and-conflicts',
    title: 'A run that is refused with 401 starts, and the next request for it is answered 409.',
    breaks: ['AUTH-REFUSED-RUN'],
    mutate: () => combine(startLater(401, 0), conflictOnRepeat()),
  },
  {
    id: 'unauthorized-charges',
    title: 'A run that is refused with 401 costs a credit.',
    breaks: ['AUTH-REFUSED-RUN'],
    mutate: () => chargeRefused(401),
  },
  {
    id: 'isolation-runs-later',
    title: "A run of another organization's task is answered 404 and starts 200 ms later.",
    breaks: ['ISOLATION-RUN-TASK'],
    mutate: () => startLater(404, 200),
  },
  {
    id: 'isolation-runs-much-later',
    title: "A run of another organization's task is answered 404 and starts 400 ms later.",
    breaks: ['RUN-REFUSED-LATER'],
    mutate: () => startLater(404, 400),
  },
  {
    id: 'unavailable-runs-later',
    title: 'A run that is refused with 503 starts 200 ms later.',
    breaks: ['UNAVAILABLE-RUN'],
    mutate: () => startLater(503, 200),
  },
  {
    id: 'unavailable-creates-anyway',
    title: 'A task that is refused with 503 is created.',
    breaks: ['UNAVAILABLE-TASK'],
    mutate: () =>
      onRefusal('createTask', 503, (org, now, { body }) => createTask(org, JSON.parse(body).text, now)),
  },
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
    id: 'unauthorized-runs-much-later',
    title: 'A run that is refused with 401 starts 400 ms later.',
    breaks: ['RUN-REFUSED-LATER'],
    mutate: () => startLater(401, 400),
  },
  {
    id: 'unavailable-runs-much-later',
    title: 'A run that is refused with 503 starts 400 ms later.',
    breaks: ['RUN-REFUSED-LATER'],
    mutate: () => startLater(503, 400),
  },
  {
    id: 'limit-runs-much-later',
    title: 'A run that is refused with 429 starts 400 ms later.',
    breaks: ['RUN-REFUSED-LATER'],
    mutate: () => startLater(429, 400),
  },
  {
    id: 'unavailable-creates-later',
    title: 'A task that is refused with 503 is created 100 ms later.',
    breaks: ['UNAVAILABLE-TASK'],
    mutate: () => createLater(503, 100),
  },
  {
    id: 'limit-creates-later',
    title: 'A task that is refused with 429 is created 100 ms later.',
    breaks: ['LIMIT-REFUSED-TASK'],
    mutate: () => createLater(429, 100),
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
