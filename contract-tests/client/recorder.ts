/** What a run of the suite has sent and received. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'

/** Records every exchange of a run. */
export class Recorder {
  readonly exchanges: Exchange[] = []
  /** Operations that were requested, whether or not an answer came. */
  readonly requested = new Set<OperationId>()
  /** Requests that were still refused with 429 or 503 after all waiting. */
  stillRefused = 0
  #sent = 0

  nextNumber(): number {
    return ++this.#sent
  }
}
