/** A fault instruction and its grammar, shared by flags, headers, text directives and control calls. */
import { type ErrorCode, failures } from '#contract/errors.ts'
import { type OperationId, operationIds } from '#contract/operation.ts'
import { milliseconds } from '../core/duration.ts'
import { didYouMean } from '../core/suggestion.ts'
import { failureFor } from './declared-failures.ts'

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

/** What to do to a request. */
export type Instruction =
  /** Respond as usual; a placeholder in a list. */
  | { readonly kind: 'ok' }
  /** Return an `error` code. */
  | { readonly kind: 'error'; readonly code: string }
  /** Wait before handling, real ms: uniform from `from` to `to`, or lognormal around the median `from`. */
  | { readonly kind: 'delay'; readonly from: number; readonly to: number; readonly sigma?: number }
  /** Apply a connection fault. `lost`: only after the request had its effect. `ms`: length of a dribble. */
  | { readonly kind: 'wire'; readonly wire: Wire; readonly lost: boolean; readonly ms: number }
  /** Return a body that is not valid JSON. */
  | { readonly kind: 'malformed' }
  /** Make the requested run or generation fail. */
  | { readonly kind: 'fail' }
  /** Make the requested run take this long, ms of mock time. */
  | { readonly kind: 'slow'; readonly ms: number }

/** Names that other tools use for the same faults. */
const aliases: Readonly<Record<string, string>> = {
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
}

const codes = new Set<string>(Object.values(failures).map(({ code }) => code))

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

const byStatus: Readonly<Record<string, string>> = statusCodes

/** Faults that take an argument, each with an example. */
const withArgument: Readonly<Record<string, string>> = {
  delay: 'delay 500ms, delay 100ms..900ms or delay lognormal 90ms 0.4',
  slow: 'slow 5s',
  dribble: 'dribble or dribble 2s',
  lost: 'lost or lost truncate',
}

/** Every fault, for messages. */
export const vocabulary = [...codes, 'ok', 'delay 500ms', ...wires, 'malformed', 'lost', 'fail', 'slow 5s']

/** Every first word of an instruction, for suggestions. */
export const words: readonly string[] = [
  ...vocabulary.map((fault) => fault.split(' ')[0] ?? ''),
  ...Object.keys(aliases),
  ...Object.keys(byStatus),
]

const dribbleTime = 2_000

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
    : `does not know the fault "${text.trim()}"; ${didYouMean(name, words)}`
}

/** Returns why an instruction has no effect on an operation, completing "The mock …"; undefined: it has one. */
export function problemOn(operation: OperationId, instruction: Instruction): string | undefined {
  if (appliesTo(operation, instruction)) return undefined
  const able = operationIds.filter((id) => appliesTo(id, instruction)).join(', ')
  return instruction.kind === 'error'
    ? `cannot make ${operation} return ${instruction.code}; only ${able} can return it`
    : `cannot apply "${instructionText(instruction)}" to ${operation}; it applies to ${able}`
}

/** Parses an instruction such as `rate_limited`, `402`, `delay 100ms..900ms`, `lost` or `dribble 2s`; undefined: invalid. */
export function parseInstruction(text: string): Instruction | undefined {
  const [first = '', ...rest] = text
    .trim()
    .toLowerCase()
    .split(/[\s:]+/)
  const name = first.replaceAll('-', '_')
  const word = aliases[name] ?? name.replace(/^return_(?=\d{3}$)/, '')
  const [argument, second] = rest
  const code = byStatus[word] ?? (codes.has(word) ? word : undefined)
  if (code !== undefined) return rest.length === 0 ? { kind: 'error', code } : undefined
  switch (word) {
    case 'ok':
    case 'malformed':
    case 'fail':
      return rest.length === 0 ? { kind: word } : undefined
    case 'delay':
      return rest.length > (argument === 'lognormal' ? 3 : 1) ? undefined : delayOf(argument, second, rest[2])
    case 'slow':
      return rest.length > 1 ? undefined : timed(argument, (ms) => ({ kind: 'slow', ms }))
    case 'lost':
      return rest.length > 2
        ? undefined
        : wireOf(aliases[argument ?? ''] ?? argument ?? 'reset', true, second)
    default:
      return rest.length > 1 ? undefined : wireOf(word, false, argument)
  }
}

function wireOf(word: string, lost: boolean, length: string | undefined): Instruction | undefined {
  const wire = wires.find((one) => one === word)
  if (!wire || (length !== undefined && wire !== 'dribble')) return undefined
  const ms = length === undefined ? dribbleTime : milliseconds(length)
  return ms === undefined ? undefined : { kind: 'wire', wire, lost, ms }
}

function delayOf(
  argument: string | undefined,
  median: string | undefined,
  spread: string | undefined,
): Instruction | undefined {
  if (argument === 'lognormal') {
    const sigma = Number(spread ?? 0.5)
    return timed(median, (ms) => (sigma > 0 ? { kind: 'delay', from: ms, to: ms, sigma } : undefined))
  }
  const [from, to] = (argument ?? '').split('..').map((part) => milliseconds(part))
  if (from === undefined) return undefined
  return argument?.includes('..')
    ? to === undefined || to < from
      ? undefined
      : { kind: 'delay', from, to }
    : { kind: 'delay', from, to: from }
}

function timed(
  text: string | undefined,
  make: (ms: number) => Instruction | undefined,
): Instruction | undefined {
  const ms = text === undefined ? undefined : milliseconds(text)
  return ms === undefined ? undefined : make(ms)
}

/** Returns the text that parses back to the same instruction. */
export function instructionText(one: Instruction): string {
  switch (one.kind) {
    case 'error':
      return one.code
    case 'delay':
      if (one.sigma !== undefined) return `delay lognormal ${one.from}ms ${one.sigma}`
      return one.from === one.to ? `delay ${one.from}ms` : `delay ${one.from}ms..${one.to}ms`
    case 'slow':
      return `slow ${one.ms}ms`
    case 'wire':
      return `${one.lost ? `lost ${one.wire}` : one.wire}${one.wire === 'dribble' ? ` ${one.ms}ms` : ''}`
    default:
      return one.kind
  }
}

/** Returns whether an instruction applies to an operation. */
export function appliesTo(operation: OperationId, instruction: Instruction): boolean {
  switch (instruction.kind) {
    case 'error':
      return failureFor(operation, instruction.code) !== undefined
    case 'fail':
      return operation === 'runTask' || operation === 'generateCreative'
    case 'slow':
      return operation === 'runTask'
    default:
      return true
  }
}

/** Returns instructions as text for a reason. */
export function instructionsText(instructions: readonly Instruction[]): string {
  return instructions.map(instructionText).join(', ')
}
