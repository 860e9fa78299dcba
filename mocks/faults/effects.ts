/** The effects of faults on one request. */
import type { RunOverrides } from '../core/tasks.ts'
import type { Instruction } from './instruction.ts'
import type { WireFault } from './wire.ts'

/** What faults change about one request and its response. */
export interface FaultEffects {
  /** Value of the `X-Mock-Reason` header. */
  reason: string
  /** What was requested: some of it may have no effect. */
  requested?: Instruction[]
  /** The connection fault that replaces or alters the response. */
  wire?: WireFault
  /** Whether the client had closed the connection before the request was handled. */
  abandoned?: boolean
  /** Whether the body is cut so that it is not valid JSON. */
  malformed?: boolean
  /** The request asked for something that the mock cannot do: the answer says so, whatever quirks there are. */
  rejected?: boolean
  /** Whether something in front of the service answers in its place. */
  badGateway?: boolean
  /** Whether the answer is in the other variant. */
  otherVariant?: boolean
  /** Whether the answer has every quirk that fits. */
  quirks?: boolean
  /** The form of `Retry-After`; undefined: the usual one. */
  retryAfter?: 'date'
  /** Properties of the requested run or generation. */
  runOverrides?: RunOverrides
}

/** The decision for a request that was dropped before it had an effect; no response is sent. */
export const withoutEffect = {}
