/** The words of the fault grammar, and what to say about a word that does not belong to it. */
import { type ErrorCode, failures } from '#contract/errors.ts'
import { didYouMean } from '#contract/input/suggestion.ts'

/** Faults of the connection. */
export const wires = ['reset', 'empty', 'truncate', 'dribble', 'hang', 'stale'] as const
/** A fault of the connection. */
export type Wire = (typeof wires)[number]

/** Those that send nothing. Unless prefixed with `lost`, the request has no effect either. */
const silent: ReadonlySet<Wire> = new Set<Wire>(['reset', 'empty', 'hang'])

/** Returns whether a connection fault sends nothing of the response. */
export function isSilent(wire: Wire): boolean {
  return silent.has(wire)
}

/** Names that other tools use for the same faults. */
export const aliases: Readonly<Record<string, string>> = {
  connection_reset_by_peer: 'reset',
  reset_peer: 'reset',
  return_reset_connection: 'reset',
  empty_response: 'empty',
  truncate_body: 'truncate',
  malformed_response_chunk: 'malformed',
  malformed_body: 'malformed',
  slicer: 'dribble',
  chunked_dribble_delay: 'dribble',
  timeout: 'hang',
  latency: 'delay',
  wait: 'delay',
  lost_answer: 'lost',
  502: 'bad_gateway',
}

/** Every error code. */
export const codes = new Set<string>(Object.values(failures).map(({ code }) => code))

/** The code of each status; 409 is `busy`, which only a run returns. */
const statusCodes = {
  400: 'invalid_request',
  401: 'unauthorized',
  402: 'no_credits',
  404: 'not_found',
  409: 'busy',
  422: 'invalid_request',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
} as const satisfies Readonly<Record<number, ErrorCode>>
/** The code of each status. */
export type StatusCodes = typeof statusCodes

/** The same for any text. */
export const byStatus: Readonly<Record<string, string>> = statusCodes

/** Faults that take an argument, each with an example. */
const withArgument: Readonly<Record<string, string>> = {
  delay: 'delay 500ms, delay 100ms..900ms or delay lognormal 90ms 0.4, at most 10m',
  slow: 'slow 5s',
  dribble: 'dribble or dribble 2s, at most 10m',
  lost: 'lost, lost truncate or lost dribble 2s, at most 10m',
  rate_limited: 'rate_limited or rate_limited date',
}

/** Every fault, for messages. */
export const vocabulary = [
  ...codes,
  'ok',
  'delay 500ms',
  ...wires,
  'malformed',
  'lost',
  'fail',
  'slow 5s',
  'bad_gateway',
  'other_variant',
  'quirks',
]

/** Every first word of an instruction, for suggestions. */
export const words: readonly string[] = [
  ...vocabulary.map((fault) => fault.split(' ')[0] ?? ''),
  ...Object.keys(aliases),
  ...Object.keys(byStatus),
]

/** Returns why a text is not an instruction, with a suggestion; it completes "The mock …". */
export function problemOfInstruction(text: string): string {
  const [first = ''] = text
    .trim()
    .toLowerCase()
    .split(/[\s:]+/)
  const name = first.replaceAll('-', '_')
  const word = aliases[name] ?? name
  if (withArgument[word]) return `takes ${withArgument[word]}, not "${text.trim()}"`
  return words.includes(word)
    ? `takes "${first}" without an argument, not "${text.trim()}"`
    : `does not know the fault "${text.trim()}"; ${didYouMean(name, words, vocabulary)}`
}
