/** One request of a recording and its answer. */
import type { Exchange } from './exchange.ts'
import type { HarEntry } from './har-entry.ts'

/** Marks of an entry that mean something only beside other entries. */
type Marks = Pick<
  HarEntry,
  'identity' | 'isWholeSecond' | 'isUntransferred' | 'isThroughWorker' | 'isByWorker' | 'isUnsent'
>

/** One request in a recording, and its answer. */
export interface RecordedExchange
  extends Pick<Exchange, 'operation' | 'method' | 'requestHeaders' | 'requestBody' | 'headers'> {
  /** Number among all entries of the file, from 1. */
  readonly number: number
  /** The URL under the origin of the service, with its path from `/api/cli` on. */
  readonly url: string
  /** 0: no answer was recorded. */
  readonly status: number
  /** The body of the answer; undefined: it was not recorded, or only its start. */
  readonly text: string | undefined
  /** True if a request body was sent that was not recorded. */
  readonly isBodyMissing?: boolean
  /** When it was sent, ms since the epoch. */
  readonly at: number
  /** ms until the whole answer was there. */
  readonly duration_ms: number
  /** By how many ms `at` may be too early, where the recorder wrote whole seconds only. */
  readonly clock_ms?: number
  /** The organization that sent it, if the recorder knew; null: the request belonged to none. */
  readonly organization?: string | null | undefined
  /** What the recorder noted on how the request was sent; `reconciler` uses and removes it. */
  readonly marks?: Marks | undefined
}
