/** The options of a mock, shared by the command line, the environment, the configuration file and tests. */
import { z } from 'zod'
import { adviceOnUnknownWord } from '#contract/input/suggestion.ts'
import type { OperationId } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import {
  boundedDurationMsOf,
  type Duration,
  type DurationText,
  durationFormatAdvice,
  durationMsOf,
  epochMsOf,
  maxOptionDurationMs,
  momentFormatAdvice,
} from '../core/clock.ts'
import {
  type FaultRuleText,
  type ForcedErrorText,
  parseFaultRule,
  parseForcedErrorRule,
} from '../faults/grammar.ts'
import type { FaultRuleDraft } from '../faults/rule.ts'
import { parseServedSlots } from './slots.ts'

/** Creates a schema that parses a value with `read`; `advice` is the message if the result is undefined. */
function parsed<In extends z.ZodType, Out>(
  input: In,
  advice: string,
  read: (value: z.output<In>) => Out | undefined,
) {
  // Values of another type get the same message.
  const advised = input.clone({ ...input.def, error: () => advice })
  return advised.transform((value, context): Out => {
    const out = read(value)
    if (out !== undefined) return out
    context.addIssue({ code: 'custom', message: advice })
    return z.NEVER
  })
}

const text = z.string()
const textOrNumber = z.union([z.string(), z.number()], 'takes a text or a number')

/** Narrows what TypeScript accepts as input of a schema, so that editors complete it and report a wrong literal. */
const typed =
  <In>() =>
  <Out>(schema: z.ZodType<Out>) =>
    schema as z.ZodType<Out, In>

type Numeric = number | `${number}`

/** Reads a number; NaN: the value is none, such as a blank text. */
const numberOf = (value: string | number) => (String(value).trim() === '' ? Number.NaN : Number(value))

const number = (advice: string, accept: (n: number) => boolean) =>
  typed<Numeric>()(
    parsed(textOrNumber, advice, (value) => {
      const n = numberOf(value)
      return accept(n) ? n : undefined
    }),
  )

/** Schema of a duration, such as `2s`; parsed into ms. */
export const durationSchema = typed<Duration>()(parsed(textOrNumber, durationFormatAdvice, durationMsOf))

const runDuration = typed<Duration>()(
  parsed(textOrNumber, `${durationFormatAdvice}, at most 365d`, (value) =>
    boundedDurationMsOf(value, maxOptionDurationMs),
  ),
)

/** Schema of a moment, such as ISO 8601 or a Date; parsed into ms since the epoch. */
export const momentSchema = parsed(z.union([z.string(), z.number(), z.date()]), momentFormatAdvice, epochMsOf)

/** A rate limit, parsed into requests and ms (§8.1). */
const rateLimit = parsed(
  text,
  'takes N/Ws, such as 600/60s, or off; the window is a year at most',
  (value) => {
    if (value === 'off') return 'off' as const
    const [, limit, span] = /^(\d+)\/(.+)$/.exec(value) ?? []
    const window_ms = boundedDurationMsOf(span ?? '', maxOptionDurationMs)
    return limit && window_ms ? { limit: Number(limit), window_ms } : undefined
  },
)

/** A delayed top-up, parsed into credits and ms. */
const topUp = parsed(
  text,
  'takes N/Ws, such as 5/10s: credits above 0, and the delay after a 402',
  (value) => {
    const [, credits, delay] = /^(\d+(?:\.\d+)?)\/(.+)$/.exec(value) ?? []
    const after_ms = boundedDurationMsOf(delay ?? '', maxOptionDurationMs)
    return Number(credits) > 0 && after_ms !== undefined ? { credits: Number(credits), after_ms } : undefined
  },
)

const past = typed<'seeded' | 'none' | Numeric>()(
  parsed(textOrNumber, 'takes seeded, none, or a number of finished tasks, 0 to 100,000', (value) => {
    if (value === 'seeded' || value === 'none') return value
    const tasks = numberOf(value)
    return Number.isInteger(tasks) && tasks >= 0 && tasks <= 100_000 ? tasks : undefined
  }),
)

const strictClient = parsed(
  z.union([z.boolean(), textOrNumber]),
  'takes a seed, ids of quirks, true or false',
  (value): string | boolean | undefined =>
    typeof value === 'boolean' ? value : String(value) === '' ? undefined : String(value),
)

/** A run outcome, parsed into the share of runs that fail, 0 to 1. */
const failureRate = typed<'completed' | 'failed' | Numeric>()(
  parsed(textOrNumber, 'takes completed, failed, or a failure rate from 0 to 1', (value) => {
    const rate = value === 'completed' ? 0 : value === 'failed' ? 1 : numberOf(value)
    return rate >= 0 && rate <= 1 ? rate : undefined
  }),
)

const keyList = parsed(
  z.union([z.string(), z.array(z.string())]),
  'takes one or more keys separated by commas, each once',
  (value) => {
    const keys = (typeof value === 'string' ? value.split(',') : value)
      .map((key) => key.trim())
      .filter(Boolean)
    return keys.length > 0 && new Set(keys).size === keys.length ? keys : undefined
  },
)

/** Schema of an upper limit on how many of something are kept. */
const most = number('takes a whole number, 1 or more', (n) => Number.isInteger(n) && n >= 1)

/** Creates a schema for one or more texts, each parsed into a fault rule. */
const rules = <Text extends string>(read: (word: string) => FaultRuleDraft | string) =>
  typed<Text | readonly Text[]>()(
    z
      .union([text, z.array(text)], 'takes a text or a list of texts')
      .transform((value, context): FaultRuleDraft[] => {
        return [value].flat().flatMap((word) => {
          const rule = read(word)
          if (typeof rule !== 'string') return [rule]
          context.addIssue({ code: 'custom', message: rule })
          return []
        })
      }),
  )

/** The end of a run: by time, immediately or after a number of polls. */
const progress = typed<'time' | 'immediate' | `polls:${number}` | { readonly polls: number }>()(
  parsed(
    z.union([text, z.strictObject({ polls: z.int().min(1) })]),
    'takes time, immediate or polls:N',
    (value) => {
      if (typeof value === 'object') return value
      const [, polls] = /^polls:(\d+)$/.exec(value) ?? []
      if (value === 'time' || value === 'immediate') return value
      return Number(polls) >= 1 ? { polls: Number(polls) } : undefined
    },
  ),
)

const chaosFaults = 'unavailable,rate_limited,internal_error,reset,delay 50ms..500ms,lost,truncate'

/** A chaos rate, parsed into a rule with the faults of chaos in order, at most two in a row on one operation. */
const chaos = typed<Numeric>()(
  parsed(textOrNumber, 'takes the share of requests that get a fault, 0 to 1', (value) => {
    const rate = numberOf(value)
    const rule = parseFaultRule(`${chaosFaults};rate=${rate};times=unlimited;in-a-row=2;id=chaos`)
    return typeof rule === 'string' ? undefined : rule
  }),
)

const takesSeconds = `takes a number of seconds, 0 or more, or ${durationFormatAdvice.slice('takes '.length)}`

/** The time for which the agent has other work: seconds, a duration with its unit, or a boolean; parsed into ms. */
const busy = typed<boolean | Numeric | DurationText>()(
  z.union(
    [
      z.boolean().transform((on) => (on ? 30_000 : 0)),
      parsed(textOrNumber, takesSeconds, (value) => {
        const seconds = numberOf(value)
        const ms = Number.isNaN(seconds) ? durationMsOf(value) : seconds * 1_000
        return ms !== undefined && ms >= 0 && ms < 1e12 ? ms : undefined
      }),
    ],
    takesSeconds,
  ),
)

/** The largest number of credits that a single option or control call can give, add or remove. */
export const maxCreditChange = 1e12

/** Schema of the options of `createMock`. Unknown names are rejected. */
export const mockOptionsSchema = z.strictObject({
  /** The variant of the API that the mock follows where the two differ. */
  variant: z.enum(variants, 'takes first or second').default('first'),
  /** True if the extended route set is offered. */
  extended: z.boolean('takes true or false').default(true),
  /** Initial Work Credits of each organization. */
  credits: number(
    'takes a number of credits, 0 to 1,000,000,000,000',
    (n) => n >= 0 && n <= maxCreditChange,
  ).default(25),
  /** The time for which each agent is initially busy with other work: seconds, or `10s`; `true`: 30 seconds. */
  busy: busy.default(0),
  /** Requests per key and window, as `N/Ws`, or `off`. */
  rateLimit: rateLimit.default({ limit: 600, window_ms: 60_000 }),
  /** Format of `Retry-After`: whole seconds or an HTTP date. */
  retryAfter: z.enum(['seconds', 'date'], 'takes seconds or date').default('seconds'),
  /** Length of a run in mock time: `2s`, `150ms`, or a number of ms. */
  runDuration: runDuration.default(2_000),
  /** The outcome of runs: `completed`, `failed`, or the share of runs that fail. */
  runOutcome: failureRate.default(0),
  /** Errors to return, as `CODE` or `CODE@OPERATION`. */
  force: rules<ForcedErrorText>(parseForcedErrorRule).default([]),
  /** Fault rules, as `[OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=TEXT][;cost=N][;in-a-row=N][;id=ID]`. */
  fault: rules<FaultRuleText>(parseFaultRule).default([]),
  /** Share of requests that get a random fault, 0 to 1; at most two in a row on one operation. */
  chaos: chaos.optional(),
  /** The end of a run: `time`, `immediate`, or `polls:N` (finished at the Nth poll). */
  runProgress: progress.default('time'),
  /** Maximum number of requests in the journal. */
  journal: number(
    'takes a whole number, 0 to 1,000,000',
    (n) => Number.isInteger(n) && n >= 0 && n <= 1e6,
  ).default(10_000),
  /** Maximum number of organizations; a credential of one more is refused with 401. */
  organizations: most.default(100_000),
  /**
   * Maximum number of tasks, documents, landing pages and keys of an organization together; one more is refused with
   * 503.
   */
  rows: most.default(1_000_000),
  /** True if responses altered by a fault name it in `X-Mock-Reason`. */
  reasonHeader: z.boolean('takes true or false').default(true),
  /** The seed of all generated data, ids and random decisions. */
  seed: textOrNumber.transform(String).default('work-agent'),
  /** Start of mock time: ISO 8601, a Date, or ms since the epoch. */
  now: momentSchema.optional(),
  /** The only valid keys; each owns an organization. */
  keysOnly: keyList.optional(),
  /**
   * The slots (shares of the organizations) of a fleet that this mock serves, such as `0-255/1024`; requests for others
   * get 421. Snapshots leave this option out.
   */
  slots: parsed(
    text,
    'takes the slots of this mock and their number in all, such as 0-255/1024',
    parseServedSlots,
  ).optional(),
  /**
   * The tasks and documents that each organization starts with: `seeded` (a few), `none`, or a number of finished
   * tasks.
   */
  past: past.default('seeded'),
  /** Credits to add some time after a request failed with `no_credits`, as `N/Ws`. */
  topUp: topUp.optional(),
  /** True if responses vary in every way that the specification allows: a seed, or `true` for the seed of the mock. */
  strictClient: strictClient.default(false),
  /** A scenario by id; other options override those of the scenario. */
  scenario: z.string('takes the id of a scenario').optional(),
  /** True if web pages from other origins may call the API. */
  cors: z.boolean('takes true or false').default(false),
})

/**
 * The options of `createMock` before they are parsed and completed with defaults. `ScenarioId`: the ids that `scenario`
 * accepts.
 */
export type MockOptionsInput<ScenarioId extends string = string> = Omit<
  z.input<typeof mockOptionsSchema>,
  'scenario'
> & {
  /** A scenario by id; other options override those of the scenario. */
  scenario?: ScenarioId | undefined
}

type Parsed = Readonly<z.output<typeof mockOptionsSchema>>

/** Operations whose responses use another variant than the rest, or the fields of both. */
type VariantOverrides = Readonly<Partial<Record<OperationId, Variant | 'both'>>>

/** A named set of options, such as a scenario. Options that a user gives explicitly override those of the preset. */
export interface OptionPreset {
  /** Stable, unique and kebab-case: the value of `--scenario`. */
  readonly id: string
  readonly title: string
  readonly options: Omit<MockOptionsInput, 'scenario'>
  readonly variants?: VariantOverrides
}

/** A problem with an invalid option: the name of the option, and advice on what to write instead. */
export interface OptionProblem {
  readonly option: string
  readonly problem: string
}

/** The parsed options of a mock; times are ms. */
export type MockSettings = Readonly<ReturnType<typeof settingsFrom>>

/** Parses options, merged over those of a preset, or returns what is wrong with them. */
export function parseMockOptions(
  options: MockOptionsInput,
  preset?: OptionPreset,
): MockSettings | OptionProblem[] {
  const all = { ...preset?.options, ...options }
  const result = mockOptionsSchema.safeParse(all)
  return result.success ? settingsFrom(result.data, all, preset) : result.error.issues.flatMap(problemsOf)
}

function settingsFrom(parsed: Parsed, options: MockOptionsInput, preset: OptionPreset | undefined) {
  const { busy, runDuration, runOutcome, runProgress, force, fault, chaos, strictClient, ...rest } = parsed
  return {
    ...rest,
    /** The options that the settings were parsed from, including those of the scenario. */
    options,
    busyMs: busy,
    runDurationMs: runDuration,
    failureRate: runOutcome,
    progress: runProgress as Parsed['runProgress'],
    /** The fault rules of `force`, `fault` and `chaos`, in that order. */
    faults: [...force, ...fault, ...(chaos ? [chaos] : [])] as readonly FaultRuleDraft[],
    /** Share of requests that get a random fault; undefined: chaos is off. */
    chaos: chaos?.rate || undefined,
    /** The seed of the quirks; undefined: no quirks. */
    strictClient: strictClient === true ? rest.seed : strictClient || undefined,
    scenario: preset,
  }
}

/** Names that are no options of a mock, each with what takes it instead. */
const elsewhere = new Map([
  ...['port', 'host', 'adminToken'].map((option) => [option, 'listen() and the command take it'] as const),
  ...['log', 'readyFile', 'state'].map((option) => [option, 'the command takes it'] as const),
])

function problemsOf(issue: z.core.$ZodIssue): OptionProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((option) => ({
      option,
      problem: `is not an option of a mock; ${elsewhere.get(option) ?? adviceOnUnknownWord(option, Object.keys(mockOptionsSchema.shape))}`,
    }))
  const inner =
    issue.code === 'invalid_union' ? issue.errors.flat().find(({ code }) => code === 'custom') : undefined
  return [{ option: String(issue.path[0]), problem: inner?.message ?? issue.message }]
}
