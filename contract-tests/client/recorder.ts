/** What a run of the suite has sent and received. */
import type { OperationId } from '#contract/operation.ts'
import type { Exchange } from '#traffic/exchange.ts'
import { Pace } from './pace.ts'

/** What happened between the suite and the service besides answers that are judged; counts, and ms. */
export interface Disturbances {
  /** Requests that got no answer. */
  dropped: number
  /** Answers of 502, 503 or 504 that are not of this API. */
  gateway: number
  /** Waits that the service asked for, and waits before a repeat. */
  waits: number
  waited_ms: number
  /** Requests that were sent again. */
  repeats: number
}

/** Records every exchange of a run. */
export class Recorder {
  /** Those that are judged: an answer of a gateway is one only if it stays. */
  readonly exchanges: Exchange[] = []
  readonly disturbances: Disturbances = { dropped: 0, gateway: 0, waits: 0, waited_ms: 0, repeats: 0 }
  readonly pace = new Pace()
  /** Operations that were requested, whether or not an answer came. */
  readonly requested = new Set<OperationId>()
  /** Requests that were still refused with 429 or 503 after all waiting. */
  stillRefused = 0
  #sent = 0

  /** The median time of the latest answers, ms; 0 before the first. */
  usualTime(): number {
    const times = this.exchanges.slice(-50).map(({ duration_ms }) => duration_ms)
    return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
  }

  nextNumber(): number {
    return ++this.#sent
  }

  /** Counts a wait before a request is sent again. */
  repeatAfter(ms: number): void {
    this.disturbances.repeats++
    this.disturbances.waits++
    this.disturbances.waited_ms += ms
  }
}

/** Whether an answer comes from something in front of the service: its body is no error of this API. */
export function isFromGateway({ status, json }: Pick<Exchange, 'status' | 'json'>): boolean {
  if (status !== 502 && status !== 503 && status !== 504) return false
  return typeof json !== 'object' || json === null || !Object.hasOwn(json, 'error')
}
