/** Writes the answer to one request, and tells the journal and observers of it; a bug of the mock becomes a 500. */
import type { HonoRequest } from 'hono'
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import { Failure, fail } from './failure.ts'
import { isSilent } from './faults/instruction.ts'
import { readPreference } from './faults/prefer.ts'
import { type Affliction, withoutEffect } from './faults/undergo.ts'
import { afflict } from './faults/wire.ts'
import { kept } from './journal.ts'
import { draftAnswer, draftFailure, type Manner, type Written, write } from './respond.ts'
import type { Outcome } from './serve.ts'
import type { Service } from './service.ts'
import type { Surprise, Surprises } from './strict-client/surprises.ts'
import type { Principal } from './tenancy.ts'

/** What comes with a request over HTTP. */
export interface Bindings {
  /** Node's own message. */
  readonly incoming?: { readonly rawHeaders: readonly string[]; readonly socket: object }
  /** What stands for the connection where there is none. */
  readonly lane?: object
  /** Says why a control call may not be made; undefined: it may. Without a guard every call may. */
  readonly guard?: (request: HonoRequest) => { readonly status: number; readonly advice: string } | undefined
}

export class Answering {
  /** Mock time of the request, ms since the epoch: of its organization, once that is known. */
  now: number
  /** What `Prefer` asks for; undefined: nothing. */
  readonly preference: ReturnType<typeof readPreference>
  /** The preferences that were applied, as they were said. */
  readonly applied: string[]
  /** What faults do to the answer. */
  affliction: Affliction | undefined
  /** The body of the request as text, for the journal. */
  body: string | null = null
  /** The id of the request in the journal. */
  id = ''
  readonly #service: Service
  readonly #operation: OperationId | null
  readonly #request: HonoRequest
  readonly #bindings: Bindings | undefined
  readonly #started = performance.now()
  #principal: Principal | undefined

  constructor(service: Service, operation: OperationId | null, request: HonoRequest, bindings: unknown) {
    this.now = service.world.clock.now()
    const prefer = request.header('prefer')
    this.preference = prefer === undefined ? undefined : readPreference(prefer)
    this.applied = [...(this.preference?.applied ?? [])]
    this.#service = service
    this.#operation = operation
    this.#request = request
    this.#bindings = bindings as Bindings | undefined
  }

  /** Who asked, once that is known. */
  get principal(): Principal | undefined {
    return this.#principal
  }

  /** Names who asked: from here on the time is theirs. */
  identify(principal: Principal | undefined): void {
    this.#principal = principal
    if (principal) this.now = principal.org.clock.now()
    this.id = this.#service.journal.nextId(principal?.org.id ?? null)
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
    const operation = this.#operation
    const failure = outcome instanceof Failure ? outcome : operation ? undefined : fail('not_found')
    const surprise = this.#surprises?.next(operation)
    const manner = this.#manner(surprise, failure !== undefined)
    const draft = failure
      ? draftFailure(failure, manner)
      : draftAnswer(operation as OperationId, outcome, manner)
    const told = surprise?.dress(draft) ?? draft
    const written = surprise?.write(told) ?? write(told)
    if (this.#operation !== null && (this.preference || this.affliction)) this.#explain(written)
    if (this.affliction?.malformed) written.text = written.text.trimEnd().slice(0, -1)
    if (outcome === withoutEffect) written.text = ''
    this.#record(written, failure ? String(Reflect.get(told.body, 'error')) : null, manner.variant)
    const headers = surprise ? surprise.spell(written.headers) : written.headers
    const response = new Response(written.text, { status: written.status, headers })
    return this.affliction?.wire ? afflict(response, this.affliction.wire) : response
  }

  /** Surprises of the organization that asks, or those that strangers meet. */
  get #surprises(): Surprises | undefined {
    return this.#principal ? this.#principal.org.surprises : this.#service.tenancy.surprises
  }

  #manner(surprise: Surprise | undefined, failed: boolean): Manner {
    const org = this.#principal?.org
    const { variant, retryAfter } = org?.settings ?? this.#service.settings
    const usual = (this.#operation && org?.variants[this.#operation]) ?? variant
    const told = this.preference?.variant ?? (failed ? surprise?.errorTable : undefined) ?? usual
    return {
      variant: told === 'both' ? variant : told,
      superset: told === 'both',
      retryAfter: surprise?.retryAfter ?? retryAfter,
      now: this.now,
    }
  }

  #explain(written: Written): void {
    const headers = { ...written.headers }
    if (this.affliction && this.#service.settings.reasonHeader)
      headers['x-mock-reason'] = this.affliction.reason
    if (this.applied.length > 0) headers['preference-applied'] = this.applied.join(', ')
    written.headers = headers
  }

  #record(written: Written, code: string | null, variant: Variant): void {
    const { journal, observers, connections } = this.#service
    const { headers, text } = written
    const wire = this.affliction?.wire?.wire ?? null
    const silent = wire !== null && isSilent(wire)
    const [status, error] = silent ? [0, null] : [written.status, code]
    const { method, path } = this.#request
    const operation = this.#operation
    const org_id = this.#principal?.org.id ?? null
    if (journal.wanted) {
      journal.add({
        id: this.id,
        number: 0,
        follows: connections.turn(this.#bindings?.incoming?.socket ?? this.#bindings?.lane, org_id, this.id),
        org_id,
        key_id: this.#principal?.key?.id ?? null,
        operation,
        method,
        url: this.#request.url,
        headers: this.#bindings?.incoming?.rawHeaders ?? [...this.#request.raw.headers].flat(),
        body: this.body === null ? null : kept(this.body),
        status,
        answerHeaders: headers,
        answer: kept(text),
        error,
        reason: this.affliction?.reason ?? null,
        wire,
        variant,
        at: this.now,
        duration_ms: (this.#principal?.org.clock ?? this.#service.world.clock).now() - this.now,
      })
    }
    if (observers.size === 0) return
    const duration_ms = performance.now() - this.#started
    const exchange = { operation, method, path, status, error, org_id, at: this.now, duration_ms }
    for (const observe of observers) observe(exchange)
  }
}
