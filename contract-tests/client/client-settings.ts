/** What a client sends and how it waits, and a wait that is longer than anybody would wait. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { NotExercised } from './check-errors.ts'

/** What a call sends besides its operation. */
export interface CallOptions {
  /** The `:id` of the path, not encoded. */
  readonly id?: string
  /** The `:id` as it stands in the path, in place of `id`: it need not be valid percent-encoding. */
  readonly rawId?: string
  /** As pairs where a parameter is sent twice. */
  readonly query?: Readonly<Record<string, string>> | readonly (readonly [name: string, value: string])[]
  /** Sent as JSON; a string is sent as it is, each of U+DC80 to U+DCFF in it as one byte from 80 to FF. */
  readonly body?: unknown
  /** Headers in addition to those of the caller. */
  readonly headers?: Readonly<Record<string, string>>
  /** Statuses to return at once, because the check is about them. */
  readonly takes?: readonly (429 | 503)[]
  /** Whether nobody can be charged for it, so that it is sent again like a free request. */
  readonly isUnpaid?: boolean
}

export interface ClientSettings {
  readonly runId: string
  /** ms for one answer. */
  readonly timeout: number
  /** ms for the answer to a paid request: the service may answer when the work is done. */
  readonly paidTimeout: number
  /** Longest wait for one answer that the service asks for, in all, ms. */
  readonly retryLimit: number
  /** ms to wait for a service that is away, as while it restarts; default 10,000. */
  readonly outage?: number | undefined
  readonly userAgent: string
  /** Sent with every request, such as those that a gateway demands. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Runs each call at a time at which the caller may send one. */
  readonly pass?: (<T>(call: () => Promise<T>) => Promise<T>) | undefined
  /** When aborted, no more requests are sent, and no paid answer is waited for. */
  readonly signal?: AbortSignal | undefined
  /** Called with what a request may have cost whose answer was lost. */
  readonly onLost: (credits: number) => void
  /** Called with each wait that the service asked for, ms. */
  readonly onWait?: ((ms: number) => void) | undefined
  /** Called with why a wait that the service asks for is not waited for, once for each kind of request. */
  readonly onNoWait?: ((why: string) => void) | undefined
}

/** The error for a request that is not sent again: what needs its answer is not exercised. */
export function notWaitedFor(
  { operation, method, url, headers }: Pick<Exchange, 'operation' | 'method' | 'url' | 'headers'>,
  { retryLimit, onNoWait }: Pick<ClientSettings, 'retryLimit' | 'onNoWait'>,
  notWaited: Set<OperationId>,
): NotExercised {
  const asked = `Retry-After: ${headers['retry-after']?.slice(0, longestShown)}`
  const why = `not waited for as long as the service asks after ${method} ${new URL(url).pathname} (${asked}), which is longer than --retry-limit ${retryLimit / 1_000}s`
  if (!notWaited.has(operation)) onNoWait?.(why)
  notWaited.add(operation)
  return new NotExercised(why, '--retry-limit DURATION')
}

/** Of a header so many characters are shown. */
const longestShown = 40
