/** Faults of the connection that carries an answer: how each is written, and whether anything is sent. */
import { boundedDurationMsOf } from '../core/clock.ts'

/** A fault of the connection that carries a response, such as a reset. */
export interface ConnectionFault {
  readonly wire: ConnectionFaultKind
  /** True if the service handles the request first, so that it takes effect although its answer is lost. */
  readonly lost?: boolean
  /** Length of a dribble, ms. */
  readonly ms: number
  /**
   * True if a truncated body is sent in chunks without a length, so that only the missing last chunk shows that it is
   * cut.
   */
  readonly chunked?: boolean
}

interface ConnectionFaultRow {
  readonly description: string
  /** The written form of the fault with its argument, for messages. */
  readonly syntax?: string
  /** Another form of the fault, which does something else. */
  readonly alternative?: string
  /** True if the fault sends nothing, so that the request has no effect unless `lost` comes before it. */
  readonly isSilent?: true
  /** True if the whole answer arrives, so that it cannot be lost. */
  readonly delivers?: true
}

const rows = {
  reset: { description: 'The connection is reset; no response is sent.', isSilent: true },
  empty: { description: 'The connection is closed; no response is sent.', isSilent: true },
  cut_header: { description: 'The connection is closed in the middle of the headers.' },
  truncate: {
    description: 'The connection is closed in the middle of the body.',
    syntax: 'truncate or truncate chunked',
    alternative: 'truncate chunked',
  },
  dribble: {
    description: 'The body is sent in small parts.',
    syntax: 'dribble or dribble 2s, at most 10m',
    delivers: true,
  },
  hang: { description: 'No response is ever sent.', isSilent: true },
  stale: {
    description: 'The response is sent; the next request on the connection is reset.',
    delivers: true,
  },
  idle: {
    description: 'The response is sent, then the connection is closed, as by a server that was not used.',
    delivers: true,
  },
} as const satisfies Readonly<Record<string, ConnectionFaultRow>>

/** The keyword of a connection fault. */
export type ConnectionFaultKind = keyof typeof rows

/** Every fault of a connection, by its keyword, with its arguments and a description. */
export const connectionFaults: readonly (ConnectionFaultRow & { readonly keyword: ConnectionFaultKind })[] =
  Object.entries(rows).map(([keyword, one]) => ({ keyword: keyword as ConnectionFaultKind, ...one }))

/** True if a connection fault sends nothing of the response. */
export const isSilentFault = (word: ConnectionFaultKind): boolean => 'isSilent' in rows[word]

/** True if a connection fault prevents the answer, or a part of it, from arriving. */
export const losesAnswer = (word: ConnectionFaultKind): boolean => !('delivers' in rows[word])

/** The longest delay of a fault, and the longest time over which it spreads an answer, ms of real time. */
export const maxFaultDelayMs = 600_000

/** Parses the delay of a fault, ms of real time; undefined: invalid or too long. */
export const parseFaultDelayMs = (text: string): number | undefined =>
  boundedDurationMsOf(text, maxFaultDelayMs)

const defaultDribbleMs = 2_000
const dribblePieces = 10

/** Splits a body into small parts that are sent one after the other within `ms` of real time. */
export async function* dribbledBody(body: Uint8Array, ms: number): AsyncGenerator<Uint8Array> {
  const size = Math.max(1, Math.ceil(body.length / dribblePieces))
  for (let at = 0; at < body.length; at += size) {
    yield body.subarray(at, at + size)
    await new Promise((resolve) => setTimeout(resolve, ms / dribblePieces))
  }
}

/** Parses a connection fault from its keyword and arguments; undefined: not valid. */
export function parseConnectionFault(
  word: string,
  args: readonly string[],
  lost: boolean,
): ConnectionFault | undefined {
  const wire = connectionFaults.find((one) => one.keyword === word)?.keyword
  if (!wire || args.length > 1 || (lost && !losesAnswer(wire))) return undefined
  const [argument] = args
  const usual = { wire, lost, ms: defaultDribbleMs, chunked: wire === 'truncate' && argument === 'chunked' }
  if (argument === undefined || usual.chunked) return usual
  const ms = wire === 'dribble' ? parseFaultDelayMs(argument) : undefined
  return ms === undefined ? undefined : { ...usual, ms }
}

/** Writes a connection fault as text for a fault rule. */
export function connectionFaultText({ wire, lost, ms, chunked }: ConnectionFault): string {
  const argument = wire === 'dribble' ? ` ${ms}ms` : chunked ? ' chunked' : ''
  return `${lost ? 'lost ' : ''}${wire}${argument}`
}
