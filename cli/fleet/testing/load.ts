/** Clients of many organizations, and the history that the model judges. */
import { setTimeout } from 'node:timers/promises'
import { type OperationId, routeOf } from '#contract/operation.ts'
import type { RequestEvent } from '#contract-tests/model/index.ts'
import { createRandom } from '#mocks/core/random.ts'

/** What a client sends in turn, each about as often as it stands here. */
const work: readonly OperationId[] = [
  ...(['createTask', 'runTask', 'runTask', 'getTask', 'getTask', 'listTasks', 'whoami'] as const),
  ...(['createDocument', 'listDocuments', 'listNotifications'] as const),
]

/** Time until a client asks again that was told that its mock is away, ms. */
const pause = 100

export class Load {
  readonly events: RequestEvent[] = []
  /** The organizations of requests that no mock has answered. */
  readonly refused: string[] = []
  readonly #url: string
  readonly #total: number
  #place = 0

  /** `total`: requests of all clients together. */
  constructor(url: string, total: number) {
    this.#url = url
    this.#total = total
  }

  /** Waits until a share of the requests was answered. */
  async until(share: number): Promise<void> {
    while (this.events.length < share * this.#total) await setTimeout(5)
  }

  /** Works for an organization until all requests are sent. */
  async client(tenant: string): Promise<void> {
    const random = createRandom('load', tenant)
    const draw = <T>(list: readonly T[]) => list[Math.floor(random.fraction() * list.length)]
    const tasks: string[] = []
    while (this.events.length < this.#total) {
      const operation = draw(work) ?? 'whoami'
      const resource = operation === 'runTask' || operation === 'getTask' ? draw(tasks) : undefined
      if (resource === undefined && routeOf(operation).path.includes(':id')) continue
      const { answer } = await this.#send(tenant, operation, resource)
      const id = Object(Object(answer?.json).task).id
      if (operation === 'createTask' && answer?.status === 200) tasks.push(id)
      if (answer === null) await setTimeout(pause)
    }
    for (const operation of ['whoami', 'listTasks'] as const) await this.#send(tenant, operation, undefined)
  }

  async #send(tenant: string, operation: OperationId, resource: string | undefined): Promise<RequestEvent> {
    const { method, path } = routeOf(operation)
    const id = this.events.length
    const body =
      operation === 'createTask'
        ? { text: `Task ${id}` }
        : operation === 'createDocument'
          ? { title: `Document ${id}`, content_md: 'Text' }
          : undefined
    const sent = this.#now()
    const event = { kind: 'request', id, operation, tenant, resource, body, sent, answer: null } as const
    this.events.push(event)
    const answer = await fetch(this.#url + path.replace(':id', resource ?? ''), {
      method,
      headers: { authorization: `Bearer wak_test_${tenant}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => undefined)
    // The mock may have died before or after the request took effect.
    const isAway = answer === undefined || answer.status === 502 || answer.status === 503
    this.refused.push(...(isAway ? [tenant] : []))
    if (isAway) return event
    const answered = {
      ...event,
      answer: { status: answer.status, json: JSON.parse(answer.text), received: this.#now() },
    }
    this.events[id] = answered
    return answered
  }

  #now() {
    return { place: ++this.#place, ms: performance.now() }
  }
}
