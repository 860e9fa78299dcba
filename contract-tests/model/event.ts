/** What the model judges: a history of requests with their answers, and of states that were arranged. */
import type { OperationId } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import type { Moment } from '../client/recorder.ts'

export type { Moment }

/** What a service answered. */
export interface Answer {
  readonly status: number
  /** The body as JSON; undefined where it is not JSON. */
  readonly json?: unknown
  readonly received: Moment
}

/** What is sent where a route takes another credential: none, one that never existed, or one of the other kind. */
export type Credential = 'missing' | 'invalid' | 'session' | 'key'

/** A request with its answer, or without one if that was lost: it may then have had its effect, or have it later. */
export interface RequestEvent {
  readonly kind: 'request'
  /** Unique in the history: the number of the exchange. */
  readonly id: number
  readonly operation: OperationId
  /** Name of the organization that the credential belongs to; null: not known, so nothing is learned. */
  readonly tenant: string | null
  /** The key that was sent, by the id of the event whose answer showed it; undefined: another credential. */
  readonly key?: number | undefined
  /** Of a request that certainly has no access; its `tenant` is null. Undefined: a valid credential, or not known. */
  readonly credential?: Credential | undefined
  /** Of an answer with the secret of a new key: the first event whose answer showed the same secret. */
  readonly secret?: number | undefined
  /** The `:id` of the path, decoded. */
  readonly resource?: string | undefined
  readonly query?: Readonly<Record<string, string>> | undefined
  /** The body as JSON; undefined: none, or not JSON. */
  readonly body?: unknown
  /** What is sent in place of JSON; undefined: JSON, or not known. */
  readonly content?: 'none' | 'not-json' | undefined
  readonly sent: Moment
  /** Null: lost. */
  readonly answer: Answer | null
}

/** A provider state that was set up or torn down for an organization. */
export interface ArrangedEvent {
  readonly kind: 'arranged'
  readonly id: number
  readonly tenant: string
  /** Its name in the protocol: `credits`. */
  readonly state: string
  readonly action: 'setup' | 'teardown'
  readonly params: Readonly<Record<string, unknown>>
  readonly sent: Moment
  readonly received: Moment
}

/** Tells by numbers which answers of a history show the same secret, so that the history need not hold any. */
export class SecretIdentity {
  readonly #first = new Map<string, number>()

  /** The `secret` of an event; undefined: its answer shows none. */
  of({ id, operation, answer }: Pick<RequestEvent, 'id' | 'operation' | 'answer'>): number | undefined {
    const secret = operation === 'createKey' && answer ? field(answer.json, 'secret') : undefined
    if (typeof secret !== 'string' || secret === '') return undefined
    const first = this.#first.get(secret) ?? id
    this.#first.set(secret, first)
    return first
  }
}

export type ModelEvent = RequestEvent | ArrangedEvent

/** A request that was answered. */
export type Answered = RequestEvent & { readonly tenant: string; readonly answer: Answer }

/** Whether a request was answered with a success. */
export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300
