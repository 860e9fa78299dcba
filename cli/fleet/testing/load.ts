/** Clients of many organizations, and the history that the model judges. */
import { setTimeout } from 'node:timers/promises'
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { RequestEvent } from '#contract-tests/model/index.ts'
import { createRandom } from '#mocks/core/random.ts'
import { buildRequest } from '#mocks/testing/client.ts'

/** Operations that a client calls in turn, each about as often as it stands here. */
const work: readonly OperationId[] = [
  ...(['createTask', 'runTask', 'runTask', 'getTask', 'getTask', 'listTasks', 'whoami'] as const),
  ...(['createDocument', 'listDocuments', 'listNotifications'] as const),
]

const bodies: Partial<Record<OperationId, object>> = {
  createTask: { text: 'Say hello' },
  createDocument: { title: 'Notes', content_md: 'Text' },
}

/** Time until a client goes on after it got no answer from its mock, ms. */
const pause = 100

/** Starts clients of many organizations that send `total` requests in all to a fleet, and records their history. */
export function startFleetLoad(url: string, total: number) {
  const events: RequestEvent[] = []
  /** The organizations of requests that no mock has answered. */
  const refused: string[] = []
  let seq = 0
  const now = () => ({ seq: ++seq, ms: performance.now() })

  async function send(tenant: string, operation: OperationId, resource?: string): Promise<RequestEvent> {
    const id = events.length
    const body = bodies[operation]
    const common = { kind: 'request', id, operation, tenant, resource, body } as const
    const event = { ...common, sent: now(), answer: null }
    events.push(event)
    const credential = { authorization: `Bearer wak_test_${tenant}` }
    const answer = await fetch(buildRequest(operation, { id: resource ?? '', body }, credential, url))
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    // The mock may have died before or after the request took effect.
    if (answer === undefined || answer.status === 502 || answer.status === 503) {
      refused.push(tenant)
      return event
    }
    const { status, text } = answer
    const answered = { ...event, answer: { status, json: JSON.parse(text), received: now() } }
    events[id] = answered
    return answered
  }

  return {
    events,
    refused,
    /** Waits until a share of the requests was sent. */
    async until(share: number): Promise<void> {
      while (events.length < share * total) await setTimeout(5)
    },
    /** Works for an organization until all requests are sent. */
    async client(tenant: string): Promise<void> {
      const random = createRandom('load', tenant)
      const draw = <T>(list: readonly T[]) => list[random.below(list.length)]
      const tasks: string[] = []
      while (events.length < total) {
        const operation = draw(work) ?? 'whoami'
        const resource = operation === 'runTask' || operation === 'getTask' ? draw(tasks) : undefined
        if (resource === undefined && routeOf(operation).path.includes(':id')) continue
        const { answer } = await send(tenant, operation, resource)
        if (operation === 'createTask' && answer?.status === 200) tasks.push(Object(answer.json).task.id)
        if (answer === null) await setTimeout(pause)
      }
      for (const operation of ['whoami', 'listTasks'] as const) await send(tenant, operation)
    },
  }
}
