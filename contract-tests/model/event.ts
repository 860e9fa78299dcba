/** What the model judges: a history of requests with their answers, and of states that were arranged. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import { field } from '#traffic/exchange.ts'
import type { Moment } from '../client/recorder.ts'

export type { Moment }

const moment = z.strictObject({ place: z.number(), ms: z.number() })

/** What a service answered. `json`: the body as JSON; undefined where it is not JSON. */
const answer = z.strictObject({ status: z.number(), json: z.unknown().optional(), received: moment })

/** A request with its answer, or without one if that was lost: it may then have had its effect, or have it later. */
export const requestEvent = z.strictObject({
  kind: z.literal('request'),
  /** Unique in the history: the number of the exchange. */
  id: z.number(),
  operation: z.enum(operationIds),
  /** Name of the organization that the credential belongs to; null: not known, so nothing is learned. */
  tenant: z.string().nullable(),
  /** The key that was sent, by the id of the event whose answer showed it; undefined: another credential. */
  key: z.number().optional(),
  /**
   * What is sent where a route takes another credential: none, one that never existed, or one of the other kind. The
   * request certainly has no access; its `tenant` is null. Undefined: a valid credential, or not known.
   */
  credential: z.enum(['missing', 'invalid', 'session', 'key']).optional(),
  /** Of an answer with the secret of a new key: the first event whose answer showed the same secret. */
  secret: z.number().optional(),
  /** The `:id` of the path, decoded. */
  resource: z.string().optional(),
  query: z.record(z.string(), z.string()).optional(),
  /** The body as JSON; undefined: none, or not JSON. */
  body: z.unknown().optional(),
  /** What is sent in place of JSON; undefined: JSON, or not known. */
  content: z.enum(['none', 'not-json']).optional(),
  sent: moment,
  /** Null: lost. */
  answer: answer.nullable(),
})

/** A provider state that was set up or torn down for an organization. */
export const arrangedEvent = z.strictObject({
  kind: z.literal('arranged'),
  id: z.number(),
  tenant: z.string(),
  /** Its name in the protocol: `credits`. */
  state: z.string(),
  action: z.enum(['setup', 'teardown']),
  params: z.record(z.string(), z.unknown()),
  sent: moment,
  received: moment,
})

export type Answer = Readonly<z.output<typeof answer>>
export type RequestEvent = Readonly<z.output<typeof requestEvent>>
export type ArrangedEvent = Readonly<z.output<typeof arrangedEvent>>
export type Credential = NonNullable<RequestEvent['credential']>
export type ModelEvent = RequestEvent | ArrangedEvent

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

/** The tenant of a credential whose organization nobody knows: it may be any, that of another credential too. */
export const unknownTenant = (number: number): string => `?${number}`

/** Whether two tenants are certainly different organizations. */
export const areApart = (one: string | null, other: string | null): boolean =>
  one !== other && one !== null && other !== null && !isUnknownTenant(one) && !isUnknownTenant(other)

/** Whether nobody knows the organization of a tenant. */
export const isUnknownTenant = (tenant: string | null): boolean => tenant?.startsWith('?') === true

/** A request that was answered. */
export type Answered = RequestEvent & { readonly tenant: string; readonly answer: Answer }

/** Whether a request was answered with a success. */
export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300
