/**
 * Parses fault rules in flags and keys:
 * `[OPERATION=]FAULT,FAULT,…[;times=N][;rate=R][;after=N][;seed=S][;cost=N][;in-a-row=N][;delay=D][;id=ID]`.
 */
import { z } from 'zod'
import type { ErrorCode } from '#contract/errors.ts'
import { createOneOfSchema, createStrictObjectSchema, describeUnknownName } from '#contract/input/checked.ts'
import { adviceOnUnknownWord, joinWithAnd } from '#contract/input/suggestion.ts'
import { type CodeOf, isOperationId, type OperationId, operationIds, routeOf } from '#contract/operation.ts'
import type { ConnectionFaultKind } from './connection.ts'
import { type DelayFault, type Fault, faultCanAffect, faultText } from './fault.ts'
import type { GatewayKeyword, gatewayKeywordByStatus } from './gateway.ts'
import { type FaultRuleDraft, ruleIdSchema } from './rule.ts'
import { type ErrorCodeByStatus, faultTextProblem, parseDelay, parseFault } from './words.ts'

/** Parses a fault rule; returns the rule, or the error as text that completes "A fault rule …". */
export function parseFaultRule(text: string): FaultRuleDraft | string {
  const [head = '', ...rest] = text.split(';').map((part) => part.trim())
  const [, operation, list = ''] = /^(?:(\w+)=)?(.*)$/.exec(head) ?? []
  if (operation !== undefined && !isOperationId(operation)) return unknownOperation(operation)
  const faults: Fault[] = []
  for (const word of list.split(',')) {
    const fault = parseFault(word)
    if (!fault && isOperationId(word))
      return `takes one operation, as in "${word}=503": each has rules of its own`
    if (!fault) return faultTextProblem(word)
    faults.push(fault)
  }
  const numbers = readSettings(rest)
  if (typeof numbers === 'string') return numbers
  const draft = { operation, faults, ...numbers }
  return faultRuleProblem(draft) ?? draft
}

/**
 * Parses a forced error such as `402@runTask` (on one operation) or `busy` (on all operations that declare it); returns
 * the fault rule, or a description of what is wrong with the text.
 */
export function parseForcedErrorRule(text: string): FaultRuleDraft | string {
  const [code = '', operation, ...rest] = text.split('@')
  if (rest.length > 0) return `takes CODE or CODE@OPERATION, not "${text}"`
  const fault = parseFault(code)
  if (!fault) return faultTextProblem(code)
  if (fault.kind !== 'error')
    return `takes an error such as 402 or busy, not "${code}"; --fault takes any fault`
  if (operation !== undefined && !isOperationId(operation)) return unknownOperation(operation)
  const draft = { operation, faults: [fault] }
  return faultRuleProblem(draft) ?? draft
}

function unknownOperation(operation: string): string {
  return `does not know the operation "${operation}"; ${adviceOnUnknownWord(operation, operationIds)}`
}

/** The reason why a fault rule is invalid, as text that completes "A fault rule …"; undefined if it is valid. */
export function faultRuleProblem({ operation, faults, ...rest }: FaultRuleDraft): string | undefined {
  if (faults.length === 0) return 'needs at least one fault'
  // A rule with an id may never apply, because it takes the place of another.
  if (rest.id === undefined && [rest.times, rest.rate, rest.mostInARow].includes(0))
    return 'never applies: takes times, rate and in-a-row above 0, unless an id names the rule that it replaces'
  const dearest = Math.max(...operationIds.map((id) => ((operation ?? id) === id ? routeOf(id).cost : 0)))
  if ((rest.cost ?? 0) > dearest)
    return `never applies: ${operation ? `${operation} costs` : 'a request costs at most'} ${dearest}`
  if (operation === undefined) return undefined
  return faults
    .map((fault) => faultOperationProblem(operation, fault))
    .find((problem) => problem !== undefined)
}

/** A name in a rule, such as its seed: a text that `;name=TEXT` can contain. */
const nameInRule = z
  .string()
  .regex(/^[^;\s]([^;\p{Cc}]*[^;\s])?$/u, 'takes a text without ; and without spaces around it')

type Settings = Omit<FaultRuleDraft, 'operation' | 'org_id' | 'faults'>

const count = (value: string) => (/^\d{1,15}$/.test(value) ? Number(value) : undefined)
const named = (value: string) => nameInRule.safeParse(value).data

/** Parsers of the settings after the faults, by name; undefined: the value is invalid. */
const settings: Readonly<Record<string, (value: string) => string | number | DelayFault | undefined>> = {
  times: (value) => (value === 'unlimited' ? Number.POSITIVE_INFINITY : count(value)),
  rate: (value) => (value !== '' && Number(value) >= 0 && Number(value) <= 1 ? Number(value) : undefined),
  after: count,
  seed: named,
  cost: count,
  'in-a-row': count,
  delay: parseDelay,
  id: (value) => ruleIdSchema.safeParse(value).data,
}

const names = Object.keys(settings)
const forms = 'times=N, rate=0..1, after=N, seed=TEXT, cost=N, in-a-row=N, delay=500ms and id=TEXT'

function readSettings(texts: readonly string[]): Settings | string {
  const found: Record<string, string | number | DelayFault> = {}
  for (const text of texts) {
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(text) ?? []
    const read = Object.hasOwn(settings, name) ? settings[name]?.(value) : undefined
    if (read === undefined) {
      const meant = names.includes(name) ? '' : `; ${adviceOnUnknownWord(name, names)}`
      return `takes ${forms} after its faults, not "${text}"${meant}`
    }
    const field = name === 'in-a-row' ? 'mostInARow' : name
    if (Object.hasOwn(found, field)) return `takes ${name} once`
    found[field] = read
  }
  return found
}

/** Schema of a text that `read` parses. `problemOf`: why a text is invalid. */
const textReadBy = <T>(read: (text: string) => T | undefined, problemOf: (text: string) => string) =>
  z.string().transform((text, context): T => {
    const found = read(text)
    if (found !== undefined) return found
    context.addIssue({ code: 'custom', message: problemOf(text) })
    return z.NEVER
  })

const asText = textReadBy(parseFault, (text) => `the mock ${faultTextProblem(text)}`)
const asDelay = textReadBy(parseDelay, () => 'takes a delay such as 2s or 100ms..900ms, at most 10m')

/** Examples of the faults whose data has more than a `kind`. */
const examples: Readonly<Record<string, string>> = {
  error: 'rate_limited date 5s',
  delay: 'delay lognormal 1s 0.5',
  wire: 'lost',
  gateway: 'lost gateway_error json',
  slow: 'slow 5s',
}

const asData = z.looseObject({ kind: z.string() }).transform((given, context): Fault => {
  const example = parseFault(examples[given.kind] ?? given.kind)
  const names = Object.keys(example ?? {})
  const other = Object.keys(given).find((name) => !names.includes(name))
  const isValid = example?.kind === given.kind && other === undefined
  if (isValid && parseFault(String(faultText(given as Fault)))) return given as Fault
  const problem =
    example?.kind !== given.kind
      ? `the mock ${faultTextProblem(given.kind)}`
      : other === undefined
        ? `takes a fault such as ${JSON.stringify(example)}`
        : describeUnknownName(other, names)
  context.addIssue({ code: 'custom', message: problem })
  return z.NEVER
})

/** Schemas of the fields of a fault rule in the body of a control call. */
export const ruleFieldSchemas = {
  rule: z
    .string()
    .optional()
    .describe('The rule as text, in the grammar of `--fault`, instead of the other fields.'),
  operation: createOneOfSchema(operationIds).optional().describe('Default: every operation.'),
  faults: z.array(asText).optional().describe('What to do, one fault per request.'),
  times: z
    .int()
    .min(0)
    .optional()
    .describe('How often; default: a list runs once, a single fault applies without limit.'),
  rate: z.number().min(0).max(1).optional().describe('Share of requests affected, 0 to 1.'),
  after: z.int().min(0).optional().describe('Number of requests to skip first.'),
  seed: nameInRule.optional().describe('Seed of `rate`; default: the seed of the mock.'),
  cost: z.int().min(0).optional().describe('Only requests that cost at least so many credits.'),
  'in-a-row': z
    .int()
    .min(0)
    .optional()
    .describe('Most faults that come one after the other on an operation of an organization.'),
  delay: asDelay.optional().describe('Delay before each fault, such as 2s; default: none.'),
  id: ruleIdSchema.optional().describe('The id of the rule; default: the next of f1, f2 and so on.'),
}

/**
 * Schema of a fault rule given as a JavaScript value. It also accepts options that only other parts of the mock use.
 */
export const ruleInputSchema = z.union([
  z.string().transform((rule) => ({ rule })),
  createStrictObjectSchema({
    ...ruleFieldSchemas,
    faults: z.array(z.union([asText, asData])).optional(),
    times: z
      .number()
      .refine(
        (n) => n >= 0 && (Number.isInteger(n) || n === Number.POSITIVE_INFINITY),
        'takes a whole number, 0 or more',
      )
      .optional(),
    org_id: z.string().optional(),
  }),
])

/** A fault rule as a caller gives it in data. */
export interface FaultRuleInput extends Omit<FaultRuleDraft, 'faults' | 'mostInARow' | 'delay'> {
  /** The faults in their order: texts such as `503` or `delay 50ms`, or data with a `kind`. */
  readonly faults: readonly (string | Fault)[]
  /** Most faults that come one after the other on an operation of an organization; undefined: any number. */
  readonly 'in-a-row'?: number | undefined
  /** The delay before each fault, such as `2s` or `100ms..900ms`; undefined if there is none. */
  readonly delay?: string | undefined
}

interface RuleGiven extends Partial<Omit<FaultRuleInput, 'faults' | 'delay'>> {
  readonly faults?: readonly Fault[] | undefined
  readonly delay?: DelayFault | undefined
  readonly rule?: string | undefined
}

/** Parses a fault rule given as text or data; returns the rule, or the error as text that completes "The rule …". */
export function ruleDraftOfInput({ rule, ...given }: RuleGiven): FaultRuleDraft | string {
  if (rule === undefined) {
    const { faults = [], 'in-a-row': mostInARow, ...rest } = given
    const draft = { ...rest, faults, mostInARow }
    return faultRuleProblem(draft) ?? draft
  }
  const others = Object.values(given).some((value) => value !== undefined)
  return others ? 'is given either as "rule" or as the other fields, not both' : parseFaultRule(rule)
}

type Status = `${keyof ErrorCodeByStatus}`
type StatusOf<C> = {
  [S in keyof ErrorCodeByStatus]: ErrorCodeByStatus[S] extends C ? `${S}` : never
}[keyof ErrorCodeByStatus]
type ForcedOn<O extends OperationId> = `${CodeOf<O> | StatusOf<CodeOf<O>>}@${O}`

/** An error that requests are forced to get, as text: `CODE`, or `CODE@OPERATION`. A status stands for its code. */
export type ForcedErrorText = ErrorCode | Status | { [O in OperationId]: ForcedOn<O> }[OperationId]

type FaultWord =
  | ErrorCode
  | Status
  | ConnectionFaultKind
  | GatewayKeyword
  | `${keyof typeof gatewayKeywordByStatus}`
  | 'lost'
  | Exclude<Fault['kind'], 'error' | 'wire' | 'gateway'>

type FaultList = FaultWord | `${FaultWord}${' ' | ',' | ';'}${string}`

/** A fault rule as text: `[OPERATION=]FAULT,…[;times=N]…`. The types check the operation and the first word. */
export type FaultRuleText = FaultList | `${OperationId}=${FaultList}`

/**
 * The reason why a fault has no effect on an operation, as text that completes "The mock …"; undefined: it has an
 * effect.
 */
export function faultOperationProblem(operation: OperationId, fault: Fault): string | undefined {
  if (faultCanAffect(operation, fault)) return undefined
  const able = joinWithAnd(operationIds.filter((id) => faultCanAffect(id, fault)))
  return fault.kind === 'error'
    ? `cannot make ${operation} return ${fault.code}; that is an answer of ${able}`
    : `cannot apply "${faultText(fault)}" to ${operation}; it applies to ${able}`
}
