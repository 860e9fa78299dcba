/** The options of a mock, in the words that the command line, the environment, a file and a test all use. */
import { z } from 'zod'
import type { OperationId } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import type { Progress } from '../core/state.ts'
import type { RuleDraft } from '../faults/rule.ts'
import * as values from './option-values.ts'

/** What `createMock` takes. Unknown names are refused. */
export const mockOptions = z.strictObject({
  /** Which description the mock follows where they differ. */
  variant: z.enum(variants, 'takes first or second').default('first'),
  /** Whether the extended route set is offered. */
  extended: z.boolean('takes true or false').default(true),
  /** Work Credits that each organization can spend at the start. */
  credits: values.number('takes a number of credits, 0 or more', (n) => n >= 0 && n <= 1e12).default(25),
  /** Seconds for which each agent begins busy with other work; `true`: 30. */
  busy: values.busy.default(0),
  /** Requests for each key in a window, as `N/Ws`, or `off`. */
  rateLimit: values.rateLimit.default({ limit: 600, window_ms: 60_000 }),
  /** Form of `Retry-After`: whole seconds or an HTTP date. */
  retryAfter: z.enum(['seconds', 'date'], 'takes seconds or date').default('seconds'),
  /** Length of a run in mock time: `2s`, `150ms`, or a number of ms. */
  runDuration: values.duration.default(2_000),
  /** How runs end: `completed`, `failed`, or the share of runs that fail. */
  runOutcome: values.failureRate.default(0),
  /** Errors to answer, as `CODE` or `CODE@OPERATION`. */
  force: values.forces.default([]),
  /** Fault rules, as `[OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=S]`. */
  fault: values.faultRules.default([]),
  /** Share of requests that meet some fault, 0 to 1; never more than two in a row on one operation. */
  chaos: values.chaos.optional(),
  /** How a run comes to its end: `time`, `immediate`, or `polls:N` (finished at the Nth look). */
  runProgress: values.progress.default('time'),
  /** Requests that the journal keeps. */
  journal: values
    .number('takes a whole number, 0 or more', (n) => Number.isInteger(n) && n >= 0 && n <= 1e6)
    .default(10_000),
  /** Whether faulted answers say why in `X-Mock-Reason`. */
  reasonHeader: z.boolean('takes true or false').default(true),
  /** The seed of all data, ids and chance. */
  seed: values.textOrNumber.transform(String).default('work-agent'),
  /** The moment at which mock time starts: ISO 8601, a Date, or ms since the epoch. */
  now: values.moment.optional(),
  /** The only keys that are valid; each owns an organization. */
  keysOnly: values.keyList.optional(),
  /** What the seeded past holds: a few tasks and documents, nothing, or so many finished tasks. */
  past: values.past.default('seeded'),
  /** Credits that are added so long after a request was refused for want of them, as `N/Ws`. */
  topUp: values.topUp.optional(),
  /** Surprise clients in every way that the specification leaves open: by a seed, or, if `true`, by the mock's own. */
  strictClient: values.strictClient.default(false),
  /** A scenario by id: options that hold where no others are given. */
  scenario: z.string().optional(),
  /** Whether web pages of other origins may call the mock. */
  cors: z.boolean('takes true or false').default(false),
})

/** Options as people write them. */
export type MockOptions = z.input<typeof mockOptions>

/** Options as the mock uses them. Times are ms. */
export interface Settings {
  /** The options that these came of, those of the scenario included. */
  readonly options: MockOptions
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
  /** Share of requests that meet chaos; undefined: none do. */
  readonly chaos: number | undefined
  readonly progress: Progress
  readonly journal: number
  readonly reasonHeader: boolean
  readonly seed: string
  readonly now: number | undefined
  readonly keysOnly: readonly string[] | undefined
  /** A number: so many finished tasks. */
  readonly past: 'seeded' | 'none' | number
  readonly topUp: { readonly credits: number; readonly after_ms: number } | undefined
  /** The seed of the quirks; undefined: none. */
  readonly strictClient: string | undefined
  readonly scenario: OptionPreset | undefined
  readonly cors: boolean
}

/** Operations answered in another variant than the rest, or with the fields of both. */
export type VariantOverrides = Readonly<Partial<Record<OperationId, Variant | 'both'>>>

/** Options under a name, which those that a person gives override. */
export interface OptionPreset {
  /** Stable, unique, kebab-case: what `--scenario` takes. */
  readonly id: string
  readonly title: string
  readonly options: Omit<MockOptions, 'scenario'>
  readonly variants?: VariantOverrides
}

/** One reason why options cannot be used: the option's name and what to write instead. */
export interface OptionProblem {
  readonly option: string
  readonly problem: string
}

/** Reads options on top of those of a preset, or returns what is wrong with them. */
export function readOptions(options: MockOptions, preset?: OptionPreset): Settings | OptionProblem[] {
  const all = { ...preset?.options, ...options }
  const result = mockOptions.safeParse(all)
  if (!result.success) return result.error.issues.flatMap(problemsOf)
  const { busy: busyMs, runDuration: runDurationMs, runOutcome, now, keysOnly, ...others } = result.data
  const { force, fault, chaos: storm, runProgress, strictClient, topUp, ...rest } = others
  const faults = [...force, ...fault, ...(storm ? [storm] : [])]
  return {
    ...rest,
    options: all,
    faults,
    chaos: storm?.rate,
    progress: runProgress,
    busyMs,
    runDurationMs,
    failureRate: runOutcome,
    now,
    keysOnly,
    topUp,
    strictClient: strictClient === true ? rest.seed : strictClient || undefined,
    scenario: preset,
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
