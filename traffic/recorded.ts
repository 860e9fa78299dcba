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
  /** Place among all entries of the file, from 1. */
  readonly number: number
  /** From `/api/cli` on, under the origin of the service. */
  readonly url: string
  /** 0: no answer was recorded. */
  readonly status: number
  /** Undefined: not recorded, or only its start. */
  readonly text: string | undefined
  /** A body was sent that was not recorded. */
  readonly isBodyMissing?: boolean
  /** When it was sent, ms since the epoch. */
  readonly at: number
  /** ms until the whole answer was there. */
  readonly duration_ms: number
  /** Uncertainty of `at`, ms, where the recorder told whole seconds only. */
  readonly clock_ms?: number
  /** The organization, where the recorder knew it; null: it had none. */
  readonly organization?: string | null | undefined
  /** Notes of the recorder on how the request was sent; removed by `reconciler`. */
  readonly marks?: Marks | undefined
}
