/** One request in the journal: what the pipeline fills in while it answers, and what is computed when somebody looks. */
import type { OperationId } from '#contract/operation.ts'
import type { Variant } from '#contract/route.ts'
import type { JournalEntry } from '#traffic/journal-entry.ts'
import type { QuirkId } from '../core/quirk-id.ts'
import { shortIdOf } from '../core/random.ts'

/** The steps of the pipeline that can decide the answer to a request, in order; `state`: the handler. */
export const decidingStages = [
  'authentication',
  'route',
  'preference',
  'fault',
  'rate_limit',
  'availability',
  'extended_set',
  'input',
  'text',
  'state',
  'bug',
] as const
/** The name of a step of the pipeline that can decide the answer to a request. */
export type DecidingStage = (typeof decidingStages)[number]

/** Numbers the requests of one organization, or of no organization, for their ids. */
export class RequestCounter {
  readonly org_id: string | null
  count = 0
  /** For each connection: the number of its last request, and the number of the request before that one. */
  readonly last = new WeakMap<object, { place: number; follows: number }>()
  readonly #prefix: string

  constructor(org_id: string | null) {
    this.org_id = org_id
    this.#prefix = `req_${org_id === null ? 'nobody' : shortIdOf(org_id)}_`
  }

  /** Returns the id of the request with a number, counted from 1. */
  idAt(place: number): string {
    return this.#prefix + place
  }
}

/**
 * The delays before a request was handled: how long it waited on its connection, and how long that connection had been
 * open, real ms.
 */
export interface ArrivalDelays {
  /** The time that it waited behind others on its connection, real ms; unset if it did not wait. */
  readonly waited?: number
  /** The time for which the connection had been open, real ms; unset if it is not the first there. */
  readonly opened?: number
}

/** The value of `ArrivalDelays` for a request that did not wait and is not the first on its connection. */
export const noArrivalDelays: ArrivalDelays = {}

/** A journal entry of the mock: a request and its answer, with what decided the answer and which changes it made. */
export class RecordedEntry implements JournalEntry {
  number = 0
  /** Size of the entry in the journal, characters. */
  size = 0
  key_id: string | null = null
  operation: OperationId | null
  method: string
  url = ''
  headers: readonly string[] = none
  body: string | null
  status = 0
  answerHeaders: Readonly<Record<string, string>> = {}
  answer = ''
  error: string | null = null
  reason: string | null = null
  wire: string | null = null
  variant: Variant = 'first'
  at: number
  duration_ms = 0
  waited_ms: number | undefined = undefined
  opened_ms: number | undefined = undefined
  /** Ids of the quirks that made the answer differ; undefined: the organization has none. */
  quirks: Set<QuirkId> | undefined = undefined
  decided_by: DecidingStage = 'state'
  /** Number of the newest recorded change of the mock when the request arrived. */
  changes_before = 0
  /** Number of the newest recorded change right before the request was handled. */
  changes_from = 0
  /** Number of the last change that the request made; equal to `changes_from` if it changed nothing. */
  changes_to = 0
  /** Credits that the request added to the organization; negative if it took some. */
  credits = 0
  #among: RequestCounter | undefined = undefined
  #place = 0
  /** The number of the request whose answer the client got before it sent this one; 0: none is known. */
  #follows = 0

  constructor(operation: OperationId | null, method: string, body: string | null, at: number) {
    this.operation = operation
    this.method = method
    this.body = body
    this.at = at
  }

  get id(): string {
    return this.#among?.idAt(this.#place) ?? ''
  }

  get org_id(): string | null {
    return this.#among?.org_id ?? null
  }

  get follows(): string | null {
    return this.#follows === 0 ? null : (this.#among?.idAt(this.#follows) ?? null)
  }

  /** Gives the request the next number among those of an organization. */
  countAmong(requests: RequestCounter): void {
    this.#among = requests
    this.#place = ++requests.count
  }

  /** Notes the connection of the request, and when it came. */
  cameOn(connection: object | undefined, { waited, opened }: ArrivalDelays): void {
    this.waited_ms = waited
    this.opened_ms = opened
    if (!connection || !this.#among) return
    const last = this.#among.last.get(connection)
    if (last === undefined) return void this.#among.last.set(connection, { place: this.#place, follows: 0 })
    // A pipelined request was sent before the answer to the last one came.
    if (waited === undefined) last.follows = last.place
    this.#follows = last.follows
    last.place = this.#place
  }
}

const none: readonly never[] = []
