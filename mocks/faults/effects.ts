/** What faults do to one request, and why. */
import type { RunWish } from '../core/tasks.ts'
import type { WireFault } from './wire.ts'

export interface FaultEffects {
  /** What `X-Mock-Reason` says. */
  reason: string
  /** What happens to the connection instead of an answer. */
  wire?: WireFault
  malformed?: boolean
  /** How the run or generation should go. */
  wish?: RunWish
}

/** The decision about a request that was dropped before it had an effect; no answer is sent. */
export const withoutEffect = {}
