/** Writes the answer to one request and tells observers of it; an error of the mock's own becomes a 500. */
import type { HonoRequest } from 'hono'
import { failures } from '#contract/errors.ts'
import type { OperationId } from '#contract/operation.ts'
import { Failure, fail } from './failure.ts'
import { answerWith, failWith, type Manner, variantAsked } from './respond.ts'
import type { Outcome } from './serve.ts'
import type { Service } from './service.ts'
import type { Principal } from './tenancy.ts'

export class Answering {
  /** Mock time at which the request came, ms since the epoch. */
  readonly now: number
  /** Who asked, once that is known. */
  principal: Principal | undefined
  readonly #service: Service
  readonly #operation: OperationId | null
  readonly #request: HonoRequest
  readonly #started = performance.now()

  constructor(service: Service, operation: OperationId | null, request: HonoRequest) {
    this.now = service.world.clock.now()
    this.#service = service
    this.#operation = operation
    this.#request = request
  }

  /** Decides, and answers; at once where the decision is at hand. */
  settle(decide: () => Outcome | Promise<Outcome>): Response | Promise<Response> {
    try {
      const outcome = decide()
      if (!(outcome instanceof Promise)) return this.#write(outcome)
      return outcome.then((late) => this.#write(late)).catch((error: unknown) => this.#bug(error))
    } catch (error) {
      return this.#bug(error)
    }
  }

  #bug(error: unknown): Response {
    this.#service.onBug(error)
    return this.#write(fail('internal_error'))
  }

  #write(outcome: Outcome): Response {
    const { settings, observers } = this.#service
    const manner: Manner = {
      variant: variantAsked(this.#request.header('prefer')) ?? settings.variant,
      retryAfter: settings.retryAfter,
      now: this.now,
    }
    const operation = this.#operation
    const failure = outcome instanceof Failure ? outcome : operation ? undefined : fail('not_found')
    const response = failure
      ? failWith(failure, manner)
      : answerWith(operation as OperationId, outcome, manner)
    if (observers.size > 0) this.#report(response.status, failure)
    return response
  }

  #report(status: number, failure: Failure | undefined): void {
    const exchange = {
      operation: this.#operation,
      method: this.#request.method,
      path: this.#request.path,
      status,
      error: failure ? failures[failure.name].code : null,
      org_id: this.principal?.org.id ?? null,
      at: this.now,
      duration_ms: performance.now() - this.#started,
    }
    for (const observe of this.#service.observers) observe(exchange)
  }
}
