/** Events that the model judges: requests with their answers, and provider states. */
import { z } from 'zod'
import { operationIds } from '#contract/operation.ts'
import type { ProviderState } from '#contract/provider-state.ts'
import { valueAtPath } from '#traffic/exchange.ts'
import { requestOddityKinds } from '#traffic/malformed-input.ts'
import type { OrderedMoment } from '../client/recorder.ts'

export type { OrderedMoment }

/** A moment, whose `seq` is called `place` in files. */
const moment = z
  .strictObject({ place: z.number(), ms: z.number() })
  .transform(({ place, ms }): OrderedMoment => ({ seq: place, ms }))

/** An answer. `json` is undefined where the body is not JSON. */
const answer = z.strictObject({ status: z.number(), json: z.unknown().optional(), received: moment })

/** Kinds of credentials without access, the usual ones first. */
const credentials = [
  ...(['missing', 'invalid', 'session', 'key', 'altered', 'public', 'malformed', 'not-ascii'] as const),
  ...(['scheme', 'session-as-key', 'key-as-session', 'header', 'query', 'everywhere'] as const),
] as const

/**
 * Schema of a request in a history: sent, and answered or lost. A lost one may have had its effect, or may have it
 * later.
 */
export const requestEventSchema = z.strictObject({
  kind: z.literal('request'),
  /** Unique in the history: the number of the exchange. */
  id: z.number(),
  operation: z.enum(operationIds),
  /**
   * The name of the organization that the credential belongs to; null if it is not known, so that nothing is learned.
   */
  tenant: z.string().nullable(),
  /** The key that was sent, by the id of the event whose answer showed it; undefined: another credential. */
  key: z.number().optional(),
  /**
   * Kind of a credential without access: none, invalid, of the other kind, or a key or a session in a wrong place or form;
   * `tenant` is null. Undefined if valid or unknown.
   */
  credential: z.enum(credentials).optional(),
  /** For an answer with a new key: the first event whose answer showed the same secret. */
  secret: z.number().optional(),
  /** The `:id` of the path, decoded. */
  resource: z.string().optional(),
  /** Set for an id that the sender has made up: like those of the service, or an unusual one. */
  invented: z.enum(['alike', 'odd']).optional(),
  query: z.record(z.string(), z.string()).optional(),
  /** The body as JSON; undefined if none, or not JSON. */
  body: z.unknown().optional(),
  /** Kind of a body that is not JSON; undefined for JSON or unknown. */
  content: z.enum(['none', 'not-json']).optional(),
  /** True if the request names a media type other than JSON, for which it may be answered 406 or 415. */
  negotiatesContent: z.literal(true).optional(),
  /** Oddity of a request that was sent with a valid credential of the operator; its `tenant` is null. */
  oddity: z.enum(['media-type', 'scheme-case', ...requestOddityKinds]).optional(),
  sent: moment,
  /** Null: lost. */
  answer: answer.nullable(),
})

/** Schema of a provider state in a history: set up or torn down for an organization. */
export const providerStateEventSchema = z.strictObject({
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

/** The answer in an event of a history: status, JSON and when it was received. */
export type Answer = Readonly<z.output<typeof answer>>
/** A request in a history, with its answer or null. */
export type RequestEvent = Readonly<z.output<typeof requestEventSchema>>
/** A provider state in a history that was set up or torn down. */
export type ProviderStateEvent = Readonly<z.output<typeof providerStateEventSchema>>
/** Kind of the credential of a request without access, such as an altered key. */
export type CredentialKind = NonNullable<RequestEvent['credential']>
/** An event of a history: a request, or a provider state. */
export type ModelEvent = RequestEvent | ProviderStateEvent

/** A numbering of secrets by the event that first showed each, so that histories need not hold them. */
export class SecretNumbering {
  readonly #first = new Map<string, number>()

  /** The first event with the same secret; undefined if the answer shows none. */
  of({ id, operation, answer }: Pick<RequestEvent, 'id' | 'operation' | 'answer'>): number | undefined {
    const secret = operation === 'createKey' && answer ? valueAtPath(answer.json, 'secret') : undefined
    if (typeof secret !== 'string' || secret === '') return undefined
    const first = this.#first.get(secret) ?? id
    this.#first.set(secret, first)
    return first
  }
}

/**
 * The tenant of requests whose organization is unknown, by a number of its own; it may be one of the known
 * organizations.
 */
export const nthUnknownTenant = (number: number): string => `?${number}`

/** True if two tenants are certainly different organizations. */
export const areDistinctTenants = (one: string | null, other: string | null): boolean =>
  one !== other && one !== null && other !== null && !isUnknownTenant(one) && !isUnknownTenant(other)

/** True if the organization of a tenant is unknown. */
export const isUnknownTenant = (tenant: string | null): boolean => tenant?.startsWith('?') === true

/** A request in a history that was answered. */
export type AnsweredRequest = RequestEvent & { readonly tenant: string; readonly answer: Answer }

/** True if the status of an answer is 2xx. */
export const isSuccess = ({ status }: Pick<Answer, 'status'>): boolean => status >= 200 && status < 300

const failureStates: readonly string[] = ['next_run_fails', 'next_creative_fails'] satisfies ProviderState[]

/** True if a provider state makes the next paid work fail. */
export const makesPaidWorkFail = (state: string): boolean => failureStates.includes(state)
