/**
 * The faults: how each is written, what it does and on which operations. Flags, rules, headers, texts, keys, messages and
 * references all follow from the rows of this table.
 */
import { type ErrorCode, errorCodes, type FailureName, failures } from '#contract/errors.ts'
import { didYouMean } from '#contract/input/suggestion.ts'
import { failuresOf, hasTwoShapes, type OperationId, operationIds } from '#contract/operation.ts'
import { milliseconds } from '../core/clock.ts'
import { type Failure, fail } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { RunOverrides } from '../core/tasks.ts'

export type Wire = 'reset' | 'empty' | 'truncate' | 'dribble' | 'hang' | 'stale'

/** What to do to the connection that carries a response. */
export interface WireFault {
  readonly wire: Wire
  /** Whether the request has its effect before, although nothing is sent. */
  readonly lost?: boolean
  /** Length of a dribble, ms. */
  readonly ms: number
}

export type Fault =
  /** What the row of the word says; `ok`: respond as usual, a placeholder in a list. */
  | { readonly kind: 'ok' | 'malformed' | 'fail' | 'bad_gateway' | 'other_variant' | 'quirks' }
  /** Return an `error` code. `form`: that of `Retry-After`, where it is not the usual one. */
  | { readonly kind: 'error'; readonly code: string; readonly form?: 'date' }
  /** Wait before handling, real ms: uniform from `from` to `to`, or lognormal around the median `from`. */
  | { readonly kind: 'delay'; readonly from: number; readonly to: number; readonly sigma?: number }
  | (WireFault & { readonly kind: 'wire' })
  /** Make the requested run take this long, ms of mock time. */
  | { readonly kind: 'slow'; readonly ms: number }

/** What faults change about one request and its response. */
export interface FaultEffects {
  /** Value of the `X-Mock-Reason` header. */
  reason: string
  /** What was requested: some of it may have no effect. */
  requested?: Fault[]
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
  otherVariant?: boolean
  quirks?: boolean
  /** The form of `Retry-After`; undefined: the usual one. */
  retryAfter?: 'date'
  runOverrides?: RunOverrides
}

/** The decision for a request that was dropped before it had an effect; no response is sent. */
export const withoutEffect = {}

interface FaultedRequest {
  readonly operation: OperationId
  readonly org: Organization
  readonly effects: FaultEffects
  /** Returns whether the client waits for the answer no more. */
  isGone(): boolean
}

interface FaultOutcome {
  readonly operation: OperationId | null
  readonly effects: FaultEffects | undefined
  readonly decided_by: string
  readonly failure: Failure | undefined
}

/** A word of the grammar. What is left out: it takes no argument, applies everywhere, and always has its effect. */
interface FaultRow<F extends Fault = Fault> {
  readonly word: string
  /** The kind of its faults, if it is not the word. */
  readonly kind?: string
  /** How it is written with its arguments, for messages. */
  readonly takes?: string
  /** With an argument, if it needs one. */
  readonly example?: string
  readonly says?: string
  /** Of a connection fault: whether it sends nothing, so that the request has no effect unless `lost` comes before. */
  readonly isSilent?: boolean
  /** Whether it is the answer, in which what else was asked for still takes effect. */
  readonly isDecisive?: boolean
  /** Reads what follows the word; undefined: not valid. */
  readonly read?: (args: readonly string[]) => F | undefined
  readonly text?: (fault: F) => string
  readonly on?: (operation: OperationId) => boolean
  /** What it does before the request is handled; returns the decision if it decides the request. */
  readonly before?: (request: FaultedRequest, fault: F) => object | undefined | Promise<undefined>
  /** Whether it took effect, as the answer may claim. */
  readonly after?: (outcome: FaultOutcome) => boolean
}

const row = <K extends Fault['kind']>(kind: K, one: FaultRow<Extract<Fault, { kind: K }>>): FaultRow =>
  ({ ...one, kind }) as unknown as FaultRow

/** Returns the failure of an operation that has a code; undefined if the operation does not declare it. */
export function failureFor(operation: OperationId, code: string): FailureName | undefined {
  const matching = failuresOf(operation).filter((name) => failures[name].code === code)
  return matching.includes('invalid') ? 'invalid' : matching[0]
}

const errors = [...errorCodes].map((code) =>
  row('error', {
    word: code,
    ...(code === 'rate_limited' && { takes: 'rate_limited or rate_limited date' }),
    isDecisive: true,
    read(args) {
      if (args.length === 0) return { kind: 'error', code }
      const isDate = code === 'rate_limited' && args.join(' ') === 'date'
      return isDate ? { kind: 'error', code, form: 'date' } : undefined
    },
    text: ({ form }) => (form === undefined ? code : `${code} ${form}`),
    on: (operation) => failureFor(operation, code) !== undefined,
    before({ operation, org, effects }, { form }) {
      if (form) effects.retryAfter = form
      const failure = failureFor(operation, code)
      if (failure !== 'busy') return failure && fail(failure)
      // It makes the agent actually busy instead.
      const now = org.settled()
      const known = org.overrides.foretold?.runs[0]?.takes_ms ?? Number.POSITIVE_INFINITY
      org.agent.busyUntil(now + Math.max(1, Math.min(org.runPolicy.duration_ms, known)))
      return undefined
    },
    after: ({ failure }) => code !== 'busy' || failure?.name === 'busy',
  }),
)

/** Maximum length of a delay or a dribble, which take real time, ms. */
const longestDelay = 600_000

function realTime(text: string): number | undefined {
  const ms = milliseconds(text)
  return ms === undefined || ms > longestDelay ? undefined : ms
}

const delay = row('delay', {
  word: 'delay',
  takes: 'delay 500ms, delay 100ms..900ms or delay lognormal 90ms 0.4, at most 10m',
  example: 'delay 500ms',
  says: 'The response comes later.',
  read([argument = '', ...rest]) {
    if (rest.length > (argument === 'lognormal' ? 2 : 0)) return undefined
    if (argument === 'lognormal') {
      const [median, sigma] = [realTime(rest[0] ?? ''), Number(rest[1] ?? 0.5)]
      const isValid = median !== undefined && sigma > 0 && Number.isFinite(sigma)
      return isValid ? { kind: 'delay', from: median, to: median, sigma } : undefined
    }
    const [from, to = argument.includes('..') ? undefined : from] = argument.split('..').map(realTime)
    return from === undefined || to === undefined || to < from ? undefined : { kind: 'delay', from, to }
  },
  text({ from, to, sigma }) {
    if (sigma !== undefined) return `delay lognormal ${from}ms ${sigma}`
    return from === to ? `delay ${from}ms` : `delay ${from}ms..${to}ms`
  },
  async before({ org, effects, isGone }, { from, to, sigma }) {
    const random = org.random.delays
    const uniform = () => from + (to - from) * (from === to ? 0 : random.fraction())
    const normal = () =>
      Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
    const ms = sigma === undefined ? uniform() : Math.min(from * Math.exp(sigma * normal()), longestDelay)
    await new Promise((resolve) => setTimeout(resolve, ms))
    effects.abandoned = isGone()
  },
})

const dribbleTime = 2_000

const wire = (word: Wire, says: string, more: Partial<FaultRow> = {}) => ({
  ...row('wire', {
    word,
    read: (args) => (args.length > 1 ? undefined : connectionFault(word, args[0], false)),
    text: ({ lost, ms }) => `${lost ? 'lost ' : ''}${word}${word === 'dribble' ? ` ${ms}ms` : ''}`,
    before({ effects }, fault) {
      effects.wire = fault
      return isSilent(word) && !fault.lost ? withoutEffect : undefined
    },
  }),
  ...more,
  word,
  says,
})

export const wires = [
  wire('reset', 'The connection is reset; no response is sent.', { isSilent: true }),
  wire('empty', 'The connection is closed; no response is sent.', { isSilent: true }),
  wire('truncate', 'The connection is closed in the middle of the body.'),
  wire('dribble', 'The body is sent in small parts.', { takes: 'dribble or dribble 2s, at most 10m' }),
  wire('hang', 'No response is ever sent.', { isSilent: true }),
  wire('stale', 'The response is sent; the next request on the connection is reset.'),
]

/** Returns whether a connection fault sends nothing of the response. */
export function isSilent(word: Wire): boolean {
  return wires.some((one) => one.word === word && one.isSilent)
}

function connectionFault(
  word: string,
  length: string | undefined,
  lost: boolean,
): Extract<Fault, WireFault> | undefined {
  const wire = wires.find((one) => one.word === word)?.word
  if (!wire || (length !== undefined && wire !== 'dribble')) return undefined
  const ms = length === undefined ? dribbleTime : realTime(length)
  return ms === undefined ? undefined : { kind: 'wire', wire, lost, ms }
}

/** Whether a run was accepted although it is refused as `busy`, or a generation has failed. */
function changedRun({ operation, decided_by, failure }: FaultOutcome): boolean {
  if (!failure) return true
  return operation === 'runTask'
    ? failure.name === 'busy'
    : failure.name === 'unavailable' && decided_by === 'state'
}

const rows: readonly FaultRow[] = [
  ...errors,
  { word: 'ok' },
  delay,
  ...wires,
  {
    word: 'malformed',
    says: 'The body is not valid JSON.',
    before({ effects }) {
      effects.malformed = true
    },
  },
  {
    word: 'lost',
    takes: 'lost, lost truncate or lost dribble 2s, at most 10m',
    read: ([word = 'reset', ...rest]) =>
      rest.length > 1 ? undefined : connectionFault(aliases[word] ?? word, rest[0], true),
  },
  {
    word: 'fail',
    says: 'The run or generation fails, and its credit is refunded.',
    on: (operation) => operation === 'runTask' || operation === 'generateCreative',
    before({ effects }) {
      effects.runOverrides = { ...effects.runOverrides, outcome: 'failed' }
    },
    after: changedRun,
  },
  row('slow', {
    word: 'slow',
    takes: 'slow 5s',
    example: 'slow 5s',
    says: 'The run takes longer.',
    read([length = '', ...rest]) {
      const ms = rest.length > 0 ? undefined : milliseconds(length)
      return ms === undefined ? undefined : { kind: 'slow', ms }
    },
    text: ({ ms }) => `slow ${ms}ms`,
    on: (operation) => operation === 'runTask',
    before({ effects }, { ms }) {
      effects.runOverrides = { ...effects.runOverrides, duration_ms: ms }
    },
    after: changedRun,
  }),
  {
    word: 'bad_gateway',
    says: '502, not in JSON, as from something in front of the service.',
    isDecisive: true,
    before({ effects }) {
      effects.badGateway = true
      return withoutEffect
    },
  },
  {
    word: 'other_variant',
    says: 'The answer is that of the other variant.',
    on: hasTwoShapes,
    before({ effects }) {
      effects.otherVariant = true
    },
    after: ({ effects }) => !effects?.badGateway,
  },
  {
    word: 'quirks',
    says: 'The answer is unusual in every legal way at once.',
    before({ effects }) {
      effects.quirks = true
    },
  },
]

const byWord = new Map(rows.map((one) => [one.word, one]))

/** The row of a fault in the table; undefined: the data of a fault is wrong. */
export function rowOf(fault: Fault): FaultRow | undefined {
  const word = fault.kind === 'error' ? fault.code : fault.kind === 'wire' ? fault.wire : fault.kind
  const found = byWord.get(word)
  return (found?.kind ?? word) === fault.kind ? found : undefined
}

/** Faults that are neither errors nor of the connection, what each does, and the operations that it applies to. */
export const otherFaults = rows.flatMap(({ word, says, on = () => true }) =>
  says === undefined || wires.some((one) => one.word === word)
    ? []
    : [{ word, says, operations: operationIds.filter(on) }],
)

/** Every fault, for messages; those that need an argument by an example. */
export const vocabulary: readonly string[] = rows.map(({ word, example = word }) => example)

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
  502: 'bad_gateway',
}

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

export const byStatus: Readonly<Record<string, string>> = statusCodes

/** Every first word of a fault, for suggestions. */
export const words: readonly string[] = [
  ...rows.map(({ word }) => word),
  ...Object.keys(aliases),
  ...Object.keys(byStatus),
]

/** The first word of a fault as it was written, and as it is known here; and its arguments. */
function wordsOf(text: string, read = (name: string) => name) {
  const [first = '', ...args] = text
    .trim()
    .toLowerCase()
    .split(/[\s:]+/)
  const name = read(first.replaceAll('-', '_'))
  return { first, name, word: aliases[name] ?? name, args }
}

/** Parses a fault such as `rate_limited`, `402`, `delay 100ms..900ms`, `lost` or `dribble 2s`; undefined: invalid. */
export function parseFault(text: string): Fault | undefined {
  const { word, args } = wordsOf(text, (name) => name.replace(/^return_(?=\d{3}$)/, ''))
  const found = byWord.get(byStatus[word] ?? word)
  if (found?.read) return found.read(args)
  return found && args.length === 0 ? ({ kind: found.word } as Fault) : undefined
}

/** Returns why a text is not a fault, with a suggestion; it completes "The mock …". */
export function problemOfFault(text: string): string {
  const { first, name, word } = wordsOf(text)
  const takes = byWord.get(word)?.takes
  if (takes !== undefined) return `takes ${takes}, not "${text.trim()}"`
  return words.includes(word)
    ? `takes "${first}" without an argument, not "${text.trim()}"`
    : `does not know the fault "${text.trim()}"; ${didYouMean(name, words, vocabulary)}`
}

/** Returns the text that parses back to the same fault. */
export function faultText(fault: Fault): string {
  return rowOf(fault)?.text?.(fault) ?? fault.kind
}

export function appliesTo(operation: OperationId, fault: Fault): boolean {
  return rowOf(fault)?.on?.(operation) ?? true
}
