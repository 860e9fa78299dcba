/** The options of a mock, in the words that the command line, the environment, a file and a test all use. */
import { z } from 'zod'
import { variants } from '#contract/route.ts'
import type { Progress } from './core/agent.ts'
import { milliseconds } from './duration.ts'
import { parseForce } from './faults/force.ts'
import { parseRule } from './faults/grammar.ts'
import { parseInstruction } from './faults/instruction.ts'
import type { RuleDraft } from './faults/rule.ts'

/** Builds a schema that turns what a person writes into what the mock uses, or says what to write. */
function written<In extends z.ZodType, Out>(
  input: In,
  advice: string,
  read: (value: z.output<In>) => Out | undefined,
) {
  return input.transform((value, context): Out => {
    const out = read(value)
    if (out !== undefined) return out
    context.addIssue({ code: 'custom', message: advice })
    return z.NEVER
  })
}

const text = z.string()
const textOrNumber = z.union([z.string(), z.number()])

const number = (advice: string, accept: (n: number) => boolean) =>
  written(textOrNumber, advice, (value) => {
    const n = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value)
    return accept(n) ? n : undefined
  })

const duration = written(textOrNumber, 'takes a duration such as 2s or 150ms', milliseconds)

const year = 8_760 * 3_600_000

const rateLimit = written(
  text,
  'takes N/Ws, such as 600/60s, or off; the window is a year at most',
  (value) => {
    if (value === 'off') return 'off' as const
    const [, limit, span] = /^(\d+)\/(.+)$/.exec(value) ?? []
    const window_ms = milliseconds(span ?? '')
    return limit && window_ms && window_ms <= year ? { limit: Number(limit), window_ms } : undefined
  },
)

const iso = /^(\d{4}-\d{2}-\d{2})(?:(T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/

/** ms since the epoch, or NaN. A time without a zone is UTC, so that it means the same on every machine. */
function instantOf(text: string): number {
  const [, date = '', time, zone = 'Z'] = iso.exec(text) ?? []
  return Date.parse(time === undefined ? date : date + time + zone)
}

const moment = written(
  z.union([z.string(), z.number(), z.date()]),
  'takes an ISO 8601 date such as 2026-03-01T09:00:00Z',
  (value) => {
    const at = typeof value === 'string' ? instantOf(value) : new Date(value).getTime()
    return Number.isNaN(at) ? undefined : at
  },
)

const failureRate = written(
  textOrNumber,
  'takes completed, failed, or a failure rate from 0 to 1',
  (value) => {
    const rate =
      value === 'completed' ? 0 : value === 'failed' ? 1 : value === '' ? Number.NaN : Number(value)
    return rate >= 0 && rate <= 1 ? rate : undefined
  },
)

const keyList = written(
  z.union([z.string(), z.array(z.string())]),
  'takes one or more keys, separated by commas',
  (value) => {
    const keys = (typeof value === 'string' ? value.split(',') : value)
      .map((key) => key.trim())
      .filter(Boolean)
    return keys.length > 0 ? keys : undefined
  },
)

/** One or more texts, each read into a fault rule. */
const rules = (read: (word: string) => RuleDraft | string) =>
  z.union([text, z.array(text)]).transform((value, context): RuleDraft[] => {
    return [value].flat().flatMap((word) => {
      const rule = read(word)
      if (typeof rule !== 'string') return [rule]
      context.addIssue({ code: 'custom', message: rule })
      return []
    })
  })

const forces = rules((word) => {
  const force = parseForce(word)
  if (typeof force === 'string') return force
  return { operation: force.operation, faults: [{ kind: 'error', code: force.code }] }
})

const progress = written(
  z.union([text, z.strictObject({ polls: z.int().min(1) })]),
  'takes time, immediate or polls:N',
  (value) => {
    if (typeof value === 'object') return value
    const [, polls] = /^polls:(\d+)$/.exec(value) ?? []
    if (value === 'time' || value === 'immediate') return value
    return Number(polls) >= 1 ? { polls: Number(polls) } : undefined
  },
)

/** What chaos does, in turn, with never more than two of it in a row on one operation. */
const chaos = written(
  textOrNumber,
  'takes the share of requests that meet a fault, 0 to 1',
  (value): RuleDraft | undefined => {
    const rate = value === '' ? Number.NaN : Number(value)
    if (!(rate >= 0 && rate <= 1)) return undefined
    const faults = [
      'unavailable',
      'rate_limited',
      'internal_error',
      'reset',
      'delay 50ms..500ms',
      'lost',
      'truncate',
    ]
    return {
      faults: faults.flatMap((word) => parseInstruction(word) ?? []),
      rate,
      times: Number.POSITIVE_INFINITY,
      mostInARow: 2,
    }
  },
)

const busy = z.union([
  z.boolean().transform((on) => (on ? 30_000 : 0)),
  number('takes a number of seconds', (n) => n >= 0 && n < 1e9).transform((seconds) => seconds * 1_000),
])

/** What `createMock` takes. Unknown names are refused. */
export const mockOptions = z.strictObject({
  /** Which description the mock follows where they differ. */
  variant: z.enum(variants, 'takes first or second').default('first'),
  /** Whether the extended route set is offered. */
  extended: z.boolean('takes true or false').default(true),
  /** Work Credits that each organization can spend at the start. */
  credits: number('takes a number of credits, 0 or more', (n) => n >= 0 && n <= 1e12).default(25),
  /** Seconds for which each agent begins busy with other work; `true`: 30. */
  busy: busy.default(0),
  /** Requests for each key in a window, as `N/Ws`, or `off`. */
  rateLimit: rateLimit.default({ limit: 600, window_ms: 60_000 }),
  /** Form of `Retry-After`: whole seconds or an HTTP date. */
  retryAfter: z.enum(['seconds', 'date'], 'takes seconds or date').default('seconds'),
  /** Length of a run in mock time: `2s`, `150ms`, or a number of ms. */
  runDuration: duration.default(2_000),
  /** How runs end: `completed`, `failed`, or the share of runs that fail. */
  runOutcome: failureRate.default(0),
  /** Errors to answer, as `CODE` or `CODE@OPERATION`. */
  force: forces.default([]),
  /** Fault rules, as `[OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=S]`. */
  fault: rules(parseRule).default([]),
  /** Share of requests that meet some fault, 0 to 1; never more than two in a row on one operation. */
  chaos: chaos.optional(),
  /** How a run comes to its end: `time`, `immediate`, or `polls:N` (finished at the Nth look). */
  runProgress: progress.default('time'),
  /** Requests that the journal keeps. */
  journal: number(
    'takes a whole number, 0 or more',
    (n) => Number.isInteger(n) && n >= 0 && n <= 1e6,
  ).default(10_000),
  /** Whether faulted answers say why in `X-Mock-Reason`. */
  reasonHeader: z.boolean('takes true or false').default(true),
  /** The seed of all data, ids and chance. */
  seed: textOrNumber.transform(String).default('work-agent'),
  /** The moment at which mock time starts: ISO 8601, a Date, or ms since the epoch. */
  now: moment.optional(),
  /** The only keys that are valid; each owns an organization. */
  keysOnly: keyList.optional(),
  /** Whether web pages of other origins may call the mock. */
  cors: z.boolean('takes true or false').default(false),
})

/** Options as people write them. */
export type MockOptions = z.input<typeof mockOptions>

/** Options as the mock uses them. Times are ms. */
export interface Settings {
  readonly variant: 'first' | 'second'
  readonly extended: boolean
  readonly credits: number
  readonly busyMs: number
  readonly rateLimit: { readonly limit: number; readonly window_ms: number } | 'off'
  readonly retryAfter: 'seconds' | 'date'
  readonly runDurationMs: number
  readonly failureRate: number
  /** The fault rules of `force`, `fault` and `chaos`, in this order. */
  readonly faults: readonly RuleDraft[]
  readonly progress: Progress
  readonly journal: number
  readonly reasonHeader: boolean
  readonly seed: string
  readonly now: number | undefined
  readonly keysOnly: readonly string[] | undefined
  readonly cors: boolean
}

/** One reason why options cannot be used: the option's name and what to write instead. */
export interface OptionProblem {
  readonly option: string
  readonly problem: string
}

/** Reads options, or answers what is wrong with them. */
export function readOptions(options: MockOptions): Settings | OptionProblem[] {
  const result = mockOptions.safeParse(options)
  if (!result.success) return result.error.issues.flatMap(problemsOf)
  const { busy: busyMs, runDuration: runDurationMs, runOutcome, now, keysOnly, ...others } = result.data
  const { force, fault, chaos: storm, runProgress, ...rest } = others
  const faults = [...force, ...fault, ...(storm ? [storm] : [])]
  return {
    ...rest,
    faults,
    progress: runProgress,
    busyMs,
    runDurationMs,
    failureRate: runOutcome,
    now,
    keysOnly,
  }
}

function problemsOf(issue: z.core.$ZodIssue): OptionProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((option) => ({ option, problem: 'is not an option' }))
  if (issue.code === 'invalid_union') {
    const inner = issue.errors.flat().find((one) => one.code === 'custom')
    return [{ option: String(issue.path[0]), problem: inner?.message ?? 'has a value of the wrong type' }]
  }
  const known =
    issue.code === 'custom' || issue.code === 'invalid_value' || issue.message.startsWith('takes ')
  return [{ option: String(issue.path[0]), problem: known ? issue.message : 'has a value of the wrong type' }]
}
