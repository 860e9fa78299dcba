/** The provider states that an executor sets up: recorded as events, and torn down where they do not end by themselves. */
import type { ArrangedEvent } from '../model/index.ts'
import { makesFail } from './closure.ts'
import type { Stage } from './stage.ts'
import type { StateStep } from './step.ts'

/** States that change something and are over at once. */
const momentary: readonly StateStep['state'][] = ['credits', 'unread_notification']

export class ArrangedStates {
  readonly #stage: Stage
  readonly #standing: StateStep[] = []

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** Sets a state up. Returns the number of the event; undefined: the state is not offered. */
  async setUp(step: StateStep): Promise<number | undefined> {
    const event = await this.#record(step, 'setup')
    const { pace, t } = this.#stage
    if (makesFail(step)) pace.failed = t.target.now()
    if (event && !momentary.includes(step.state)) this.#standing.push(step)
    return event?.id
  }

  async tearDown(): Promise<void> {
    for (const step of this.#standing.splice(0)) await this.#record(step, 'teardown')
  }

  async #record(
    { tenant, state, params }: StateStep,
    action: ArrangedEvent['action'],
  ): Promise<ArrangedEvent | undefined> {
    const { wire, creditSource } = this.#stage
    const sent = wire.moment()
    if (!(await creditSource.arrange(tenant, state, params, action))) return undefined
    const event = { kind: 'arranged', id: wire.number(), tenant, state, action, params, sent } as const
    const arranged = { ...event, received: wire.moment() }
    wire.arranged(arranged)
    return arranged
  }
}
