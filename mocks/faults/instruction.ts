/** A fault instruction and its grammar, shared by flags, headers, text directives and control calls. */
import { hasTwoShapes, type OperationId, operationIds } from '#contract/operation.ts'
import { milliseconds } from '../core/duration.ts'
import { failureFor } from './declared-failures.ts'
import { aliases, byStatus, codes, type Wire, wires } from './fault-words.ts'

/** What to do to a request. */
export type Instruction =
  /** Respond as usual; a placeholder in a list. */
  | { readonly kind: 'ok' }
  /** Return an `error` code. `form`: that of `Retry-After`, where it is not the usual one. */
  | { readonly kind: 'error'; readonly code: string; readonly form?: 'date' }
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
  /** Return a 502 that is not JSON, as something in front of the service would. */
  | { readonly kind: 'bad_gateway' }
  /** Respond in the other variant. */
  | { readonly kind: 'other_variant' }
  /** Respond in every unexpected way at once that the specification allows. */
  | { readonly kind: 'quirks' }

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
  const plain = name.replace(/^return_(?=\d{3}$)/, '')
  const word = aliases[plain] ?? plain
  const [argument, second] = rest
  const code = byStatus[word] ?? (codes.has(word) ? word : undefined)
  if (code !== undefined) return errorOf(code, rest)
  switch (word) {
    case 'ok':
    case 'malformed':
    case 'fail':
    case 'bad_gateway':
    case 'other_variant':
    case 'quirks':
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

function errorOf(code: string, rest: readonly string[]): Instruction | undefined {
  if (rest.length === 0) return { kind: 'error', code }
  return code === 'rate_limited' && rest.join(' ') === 'date'
    ? { kind: 'error', code, form: 'date' }
    : undefined
}

/** Maximum length of a delay or a dribble, which take real time, ms. */
export const longestDelay = 600_000

function realTime(text: string): number | undefined {
  const ms = milliseconds(text)
  return ms === undefined || ms > longestDelay ? undefined : ms
}

/** Default length of a dribble, ms. */
const dribbleTime = 2_000

function wireOf(word: string, lost: boolean, length: string | undefined): Instruction | undefined {
  const wire = wires.find((one) => one === word)
  if (!wire || (length !== undefined && wire !== 'dribble')) return undefined
  const ms = length === undefined ? dribbleTime : realTime(length)
  return ms === undefined ? undefined : { kind: 'wire', wire, lost, ms }
}

function delayOf(
  argument: string | undefined,
  median: string | undefined,
  spread: string | undefined,
): Instruction | undefined {
  if (argument === 'lognormal') {
    const sigma = Number(spread ?? 0.5)
    return timed(median, (ms) =>
      ms <= longestDelay && sigma > 0 && Number.isFinite(sigma)
        ? { kind: 'delay', from: ms, to: ms, sigma }
        : undefined,
    )
  }
  const [from, to] = (argument ?? '').split('..').map(realTime)
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
      return one.form === undefined ? one.code : `${one.code} ${one.form}`
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
    case 'other_variant':
      return hasTwoShapes(operation)
    default:
      return true
  }
}

/** Returns instructions as text for a reason. */
export function instructionsText(instructions: readonly Instruction[]): string {
  return instructions.map(instructionText).join(', ')
}
