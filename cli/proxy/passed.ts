/** What has passed a proxy: a request and its answer, as they were on the wire. */
export interface Passed {
  /** When the request began, ms since the epoch, with fractions. */
  readonly at: number
  readonly duration_ms: number
  readonly method: string
  /** From the path on. */
  readonly target: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
  /** Undefined: not kept. */
  readonly body: Uint8Array | undefined
  /** 0: there was no answer. */
  readonly status: number
  readonly answerHeaders: readonly string[]
  /** Undefined: not kept, or not whole. */
  readonly answer: Uint8Array | undefined
}
