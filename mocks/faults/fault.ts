/**
 * The faults: how each is written, what it does and on which operations. Flags, rules, headers, texts, keys, messages and
 * references all follow from the rows of this table.
 */
import { type ErrorCode, errorCodes, type FailureName, failures } from '#contract/errors.ts'
import { failuresOf, hasVariantSpecificFields, type OperationId, operationIds } from '#contract/operation.ts'
import { boundedDurationMsOf, durationMsOf, maxOptionDurationMs } from '../core/clock.ts'
import { createFailure, type Failure } from '../core/failure.ts'
import type { Organization } from '../core/organization.ts'
import type { RunOverrides } from '../core/tasks.ts'
import { keywordByAlias } from './aliases.ts'
import {
  type ConnectionFault,
  connectionFaults,
  connectionFaultText,
  isSilentFault,
  maxFaultDelayMs,
  parseConnectionFault,
  parseFaultDelayMs,
} from './connection.ts'
import {
  type GatewayAnswer,
  type GatewayFault,
  gatewayAnswerByKeyword,
  gatewayAnswerFor,
  gatewayFaultText,
  gatewayKeywords,
  hasJsonForm,
  parseGatewayFault,
  redirectAnswer,
} from './gateway.ts'

type RetryAfter = 'seconds' | 'date' | 'none'

/** One fault of a rule, parsed from its text. */
export type Fault =
  /** Faults without arguments, described by the row of the word; `ok`: respond as usual, a placeholder in a list. */
  | { readonly kind: 'ok' | 'malformed' | 'wrong_type' | 'redirect' | 'fail' | 'other_variant' | 'quirks' }
  /** Return an `error` code. `form`: the form of `Retry-After`, if not the usual one; `ms`: the wait in it. */
  | { readonly kind: 'error'; readonly code: string; readonly form?: RetryAfter; readonly ms?: number }
  | (GatewayFault & { readonly kind: 'gateway' })
  /** Wait before handling, real ms: uniform from `from` to `to`, or lognormal around the median `from`. */
  | { readonly kind: 'delay'; readonly from: number; readonly to: number; readonly sigma?: number }
  | (ConnectionFault & { readonly kind: 'wire' })
  /** Make the requested run take this long, ms of mock time. */
  | { readonly kind: 'slow'; readonly ms: number }

/** A fault that delays the handling of a request. */
export type DelayFault = Extract<Fault, { kind: 'delay' }>

/** What faults change about one request and its response. */
export interface FaultEffects {
  /** Value of the `X-Mock-Reason` header. */
  reason: string
  /** The faults that the request or a rule asked for; some of them may have had no effect. */
  requested?: Fault[]
  /** The connection fault that replaces or alters the response. */
  wire?: ConnectionFault
  /** True if the client had closed the connection before the request was handled. */
  abandoned?: boolean
  /** True if the body is cut so that it is not valid JSON. */
  malformed?: boolean
  /** True if the request asked for something that the mock cannot do: the answer says so, and no quirk alters it. */
  rejected?: boolean
  /** True if `Content-Type` wrongly says that the body is HTML. */
  wrongType?: boolean
  /** The answer of a gateway in place of the service's. */
  gateway?: GatewayAnswer
  otherVariant?: boolean
  quirks?: boolean
  /** The form of `Retry-After`; undefined: the usual one. */
  retryAfter?: RetryAfter
  runOverrides?: RunOverrides
}

/**
 * The decision of the pipeline on a request that a fault drops before the service handles it: the client gets the
 * answer of a gateway, or none.
 */
export const requestDroppedDecision = {}

interface FaultedRequest {
  readonly operation: OperationId
  readonly org: Organization
  readonly effects: FaultEffects
  readonly url: string
  /** Holds the answer back until the end of a wait; returns whether the client is gone by then. */
  hold(wait: Promise<unknown>): Promise<boolean>
}

interface FaultOutcome {
  readonly operation: OperationId | null
  readonly effects: FaultEffects | undefined
  readonly decided_by: string
  readonly failure: Failure | undefined
}

/** A row of the fault table. By default, a fault takes no argument, applies everywhere, and always has its effect. */
interface FaultRow<F extends Fault = Fault> {
  readonly keyword: string
  /** The kind of the fault, if it differs from the keyword. */
  readonly kind?: string
  /** The written form of the fault with its arguments, for messages. */
  readonly syntax?: string
  /** With an argument, if it needs one. */
  readonly example?: string
  /** Another form of the fault, which does something else. */
  readonly alternative?: string
  readonly description?: string
  /**
   * True for a connection fault that sends nothing, so that the request has no effect unless `lost` comes before it.
   */
  readonly isSilent?: boolean
  /** Set for a connection fault under which the whole answer arrives. */
  readonly delivers?: boolean
  /** True if `before` answers the request: other faults of the same request are applied first. */
  readonly isDecisive?: boolean
  /** Parses the arguments after the keyword; undefined: they are invalid. */
  readonly read?: (args: readonly string[]) => F | undefined
  readonly text?: (fault: F) => string
  readonly on?: (operation: OperationId) => boolean
  /** Applies the fault before the request is handled; returns the decision if the fault decides the request. */
  readonly before?: (request: FaultedRequest, fault: F) => object | undefined | Promise<undefined>
  /**
   * Returns whether an outcome shows the effect of the fault: if not, `Preference-Applied` omits it. Undefined: always.
   */
  readonly after?: (outcome: FaultOutcome) => boolean
}

const row = <K extends Fault['kind']>(kind: K, one: FaultRow<Extract<Fault, { kind: K }>>): FaultRow =>
  ({ ...one, kind }) as unknown as FaultRow

/** Finds the failure that an operation declares for an error code; undefined: it declares none. */
export function findDeclaredFailureName(operation: OperationId, code: string): FailureName | undefined {
  const matching = failuresOf(operation).filter((name) => failures[name].code === code)
  return matching.includes('invalid') ? 'invalid' : matching[0]
}

/** The codes whose answers may say how long to wait. */
const waiting: ReadonlySet<string> = new Set<ErrorCode>(['rate_limited', 'unavailable'])
const forms: readonly RetryAfter[] = ['seconds', 'date', 'none']

/** Reads `seconds`, `date`, `none`, `5s`, `date 5s` or `date -5s` after a code; undefined: not valid. */
function readError(code: string, args: readonly string[]): Extract<Fault, { kind: 'error' }> | undefined {
  if (args.length === 0) return { kind: 'error', code }
  const form = forms.find((one) => one === args[0])
  const [length, ...more] = form === undefined ? args : args.slice(1)
  // A date may be past, as that of a service whose clock is slow.
  const [, sign, duration = ''] = (form === 'date' ? /^(-?)(.*)$/ : /^()(.*)$/).exec(length ?? '') ?? []
  const ms = length === undefined || form === 'none' ? undefined : durationMsOf(duration)
  if (!waiting.has(code) || more.length > 0 || (length !== undefined && ms === undefined)) return undefined
  return { kind: 'error', code, ...(form && { form }), ...(ms !== undefined && { ms: sign ? -ms : ms }) }
}

const errors = [...errorCodes].map((code) =>
  row('error', {
    keyword: code,
    ...(waiting.has(code) && {
      syntax: `${code}, ${code} 5s, ${code} date, ${code} date 5s or ${code} none`,
      alternative: `${code} date`,
    }),
    isDecisive: true,
    read: (args) => readError(code, args),
    text: ({ form, ms }) => [code, form, ms === undefined ? [] : `${ms}ms`].flat().filter(Boolean).join(' '),
    on: (operation) => findDeclaredFailureName(operation, code) !== undefined,
    before({ operation, org, effects }, { form, ms = form && usualWait }) {
      if (form) effects.retryAfter = form
      const failure = findDeclaredFailureName(operation, code)
      if (failure !== 'busy') return failure && createFailure(failure, undefined, ms)
      // The agent is made busy, so that the usual handling answers `busy`.
      const now = org.settled()
      const known = org.overrides.foretold?.runs[0]?.takes_ms ?? Number.POSITIVE_INFINITY
      org.agent.busyUntil(now + Math.max(1, Math.min(org.runPolicy.duration_ms, known)))
      return undefined
    },
    after: ({ failure }) => code !== 'busy' || failure?.name === 'busy',
  }),
)

/** The wait in a `Retry-After` if a fault gives only its form, ms. */
const usualWait = 1_000

const delay = row('delay', {
  keyword: 'delay',
  syntax: 'delay 500ms, delay 100ms..900ms or delay lognormal 90ms 0.4, at most 10m',
  example: 'delay 500ms',
  description: 'The request takes effect, and is answered, later.',
  read([argument = '', ...rest]) {
    if (rest.length > (argument === 'lognormal' ? 2 : 0)) return undefined
    if (argument === 'lognormal') {
      const [median, sigma] = [parseFaultDelayMs(rest[0] ?? ''), Number(rest[1] ?? 0.5)]
      const isValid = median !== undefined && sigma > 0 && Number.isFinite(sigma)
      return isValid ? { kind: 'delay', from: median, to: median, sigma } : undefined
    }
    const [from, to = argument.includes('..') ? undefined : from] = argument
      .split('..')
      .map(parseFaultDelayMs)
    return from === undefined || to === undefined || to < from ? undefined : { kind: 'delay', from, to }
  },
  text({ from, to, sigma }) {
    if (sigma !== undefined) return `delay lognormal ${from}ms ${sigma}`
    return from === to ? `delay ${from}ms` : `delay ${from}ms..${to}ms`
  },
  async before({ org, effects, hold }, { from, to, sigma }) {
    const random = org.random.delays
    const uniform = () => from + (to - from) * (from === to ? 0 : random.fraction())
    const normal = () =>
      Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction())
    const ms = sigma === undefined ? uniform() : Math.min(from * Math.exp(sigma * normal()), maxFaultDelayMs)
    effects.abandoned = await hold(new Promise((resolve) => setTimeout(resolve, ms)))
  },
})

const connectionRows = connectionFaults.map((one) =>
  row('wire', {
    ...one,
    read(args) {
      const fault = parseConnectionFault(one.keyword, args, false)
      return fault && { kind: 'wire', ...fault }
    },
    text: connectionFaultText,
    before({ effects }, fault) {
      effects.wire = fault
      return isSilentFault(fault.wire) && !fault.lost ? requestDroppedDecision : undefined
    },
  }),
)

const gatewayRows = gatewayKeywords.map((keyword) =>
  row('gateway', {
    keyword,
    ...(hasJsonForm(keyword) && { syntax: `${keyword} or ${keyword} json`, alternative: `${keyword} json` }),
    description: gatewayAnswerByKeyword[keyword].description,
    isDecisive: true,
    read(args) {
      const fault = parseGatewayFault(keyword, args, false)
      return fault && { kind: 'gateway', ...fault }
    },
    text: gatewayFaultText,
    before({ effects }, { lost, form }) {
      effects.gateway = gatewayAnswerFor(keyword, form === 'json')
      return lost ? undefined : requestDroppedDecision
    },
  }),
)

/** Reads what follows `lost`: a connection fault or an answer of a gateway. */
function readLost([word = 'reset', ...rest]: readonly string[]): Fault | undefined {
  const name = word.replaceAll('-', '_')
  const known = keywordByAlias[name] ?? name
  const wire = parseConnectionFault(known, rest, true)
  if (wire) return { kind: 'wire', ...wire }
  const gateway = parseGatewayFault(known, rest, true)
  return gateway && { kind: 'gateway', ...gateway }
}

/** True if the answer is the service's, not a gateway's. */
const isOwnAnswer = ({ effects }: FaultOutcome) => !effects?.gateway

/** True if a run or a generation took place, even where the answer is `busy`, or that the generation failed. */
function changedRun({ operation, decided_by, failure }: FaultOutcome): boolean {
  if (!failure) return true
  return operation === 'runTask'
    ? failure.name === 'busy'
    : failure.name === 'unavailable' && decided_by === 'state'
}

/** All faults that fault rules can name, as rows of a table: keyword, arguments, description and effect. */
export const faultRows: readonly FaultRow[] = [
  ...errors,
  { keyword: 'ok' },
  delay,
  ...connectionRows,
  ...gatewayRows,
  {
    keyword: 'redirect',
    description: '307 to another address of the mock, which answers the same request.',
    isDecisive: true,
    before({ effects, url }) {
      const answer = redirectAnswer(url)
      if (!answer) return undefined
      effects.gateway = answer
      return requestDroppedDecision
    },
    after: ({ effects }) => effects?.gateway?.status === 307,
  },
  {
    keyword: 'malformed',
    description: 'The body is not valid JSON.',
    before({ effects }) {
      effects.malformed = true
    },
  },
  {
    keyword: 'wrong_type',
    description: 'The body is JSON, but its type is text/html.',
    before({ effects }) {
      effects.wrongType = true
    },
    after: isOwnAnswer,
  },
  {
    keyword: 'lost',
    syntax:
      'lost, or lost before what loses an answer: reset, empty, cut_header, truncate, hang or a gateway, as in lost 502',
    read: readLost,
  },
  {
    keyword: 'fail',
    description: 'The run or generation fails, and its credit is refunded.',
    on: (operation) => operation === 'runTask' || operation === 'generateCreative',
    before({ effects }) {
      effects.runOverrides = { ...effects.runOverrides, outcome: 'failed' }
    },
    after: changedRun,
  },
  row('slow', {
    keyword: 'slow',
    syntax: 'slow 5s',
    example: 'slow 5s',
    description: 'The run takes longer.',
    read([length = '', ...rest]) {
      const ms = rest.length > 0 ? undefined : boundedDurationMsOf(length, maxOptionDurationMs)
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
    keyword: 'other_variant',
    description: 'The answer is that of the other variant.',
    on: hasVariantSpecificFields,
    before({ effects }) {
      effects.otherVariant = true
    },
    after: isOwnAnswer,
  },
  {
    keyword: 'quirks',
    description: 'The answer is unusual in every legal way at once.',
    before({ effects }) {
      effects.quirks = true
    },
  },
]

/** The rows of `faultRows` by keyword. */
export const faultRowByWord = new Map(faultRows.map((one) => [one.keyword, one]))

function wordOf(fault: Fault): string {
  if (fault.kind === 'error') return fault.code
  if (fault.kind === 'wire') return fault.wire
  return fault.kind === 'gateway' ? fault.gateway : fault.kind
}

/** The row of the table of faults that describes a fault; undefined: the data of the fault is invalid. */
export function faultRowOf(fault: Fault): FaultRow | undefined {
  const word = wordOf(fault)
  const found = faultRowByWord.get(word)
  return (found?.kind ?? word) === fault.kind ? found : undefined
}

/** A row for each form of a fault. */
const formsOf = (row: FaultRow): FaultRow[] =>
  row.alternative === undefined ? [row] : [row, { ...row, keyword: row.alternative }]

const described = faultRows.filter((one) => one.description !== undefined).flatMap(formsOf)
/** True if `lost` can stand before a fault in a rule. */
const mayBeLost = ({ kind, delivers }: FaultRow) => kind === 'gateway' || (kind === 'wire' && !delivers)

/** The faults of the connection and of gateways that lose the answer of the service, each with what it does. */
export const faultsThatLoseAnswers = described
  .filter(mayBeLost)
  .map(({ keyword, description = '' }) => ({ word: keyword, says: description }))

/**
 * Descriptions of the faults that are neither errors nor in `faultsThatLoseAnswers`, such as delays: their effects,
 * and the operations to which they apply.
 */
export const remainingFaultDescriptions = described
  .filter((one) => one.kind !== 'error' && !mayBeLost(one))
  .map(({ keyword, description = '', on = () => true }) => ({
    word: keyword,
    says: description,
    operations: operationIds.filter(on),
  }))

/** Writes a fault as text for a fault rule. */
export function faultText(fault: Fault): string {
  return faultRowOf(fault)?.text?.(fault) ?? fault.kind
}

/** True if a fault can have an effect on an operation. */
export function faultCanAffect(operation: OperationId, fault: Fault): boolean {
  return faultRowOf(fault)?.on?.(operation) ?? true
}
