/** The options of a mock, shared by the command line, the environment, the configuration file and tests. */
import { z } from 'zod'
import { didYouMean } from '#contract/input/suggestion.ts'
import type { OperationId } from '#contract/operation.ts'
import { type Variant, variants } from '#contract/route.ts'
import type { RuleDraft } from '../faults/rule.ts'
import * as values from './option-values.ts'

/** Schema of the options of `createMock`. Unknown names are rejected. */
export const mockOptions = z.strictObject({
  /** The variant of the API that the mock follows where the two differ. */
  variant: z.enum(variants, 'takes first or second').default('first'),
  /** Whether the extended route set is offered. */
  extended: z.boolean('takes true or false').default(true),
  /** Initial Work Credits of each organization. */
  credits: values.number('takes a number of credits, 0 or more', (n) => n >= 0 && n <= 1e12).default(25),
  /** How long each agent is initially busy with other work: seconds, or `10s`; `true`: 30 seconds. */
  busy: values.busy.default(0),
  /** Requests per key and window, as `N/Ws`, or `off`. */
  rateLimit: values.rateLimit.default({ limit: 600, window_ms: 60_000 }),
  /** Format of `Retry-After`: whole seconds or an HTTP date. */
  retryAfter: z.enum(['seconds', 'date'], 'takes seconds or date').default('seconds'),
  /** Length of a run in mock time: `2s`, `150ms`, or a number of ms. */
  runDuration: values.duration.default(2_000),
  /** How runs end: `completed`, `failed`, or the share of runs that fail. */
  runOutcome: values.failureRate.default(0),
  /** Errors to return, as `CODE` or `CODE@OPERATION`. */
  force: values.forces.default([]),
  /** Fault rules, as `[OPERATION=]FAULT,…[;times=N][;rate=R][;after=N][;seed=TEXT][;in-a-row=N][;id=ID]`. */
  fault: values.faultRules.default([]),
  /** Share of requests that get a random fault, 0 to 1; at most two in a row on one operation. */
  chaos: values.chaos.optional(),
  /** How a run ends: `time`, `immediate`, or `polls:N` (finished at the Nth poll). */
  runProgress: values.progress.default('time'),
  /** Maximum number of requests in the journal. */
  journal: values
    .number('takes a whole number, 0 or more', (n) => Number.isInteger(n) && n >= 0 && n <= 1e6)
    .default(10_000),
  /** Most organizations; a credential of another one is refused with 401. */
  organizations: values.most.default(100_000),
  /** Most tasks, documents, landing pages and keys of an organization together; one more is refused with 503. */
  rows: values.most.default(1_000_000),
  /** Whether responses altered by a fault name it in `X-Mock-Reason`. */
  reasonHeader: z.boolean('takes true or false').default(true),
  /** The seed of all data, ids and random decisions. */
  seed: values.textOrNumber.transform(String).default('work-agent'),
  /** Start of mock time: ISO 8601, a Date, or ms since the epoch. */
  now: values.moment.optional(),
  /** The only valid keys; each owns an organization. */
  keysOnly: values.keyList.optional(),
  /** The slots of a fleet that this mock has, such as `0-255/1024`; others get 421. No snapshot holds them. */
  slots: values.slots.optional(),
  /** The seeded past: `seeded` (a few tasks and documents), `none`, or a number of finished tasks. */
  past: values.past.default('seeded'),
  /** Credits to add some time after a request failed with `no_credits`, as `N/Ws`. */
  topUp: values.topUp.optional(),
  /** Whether responses vary in every way that the specification allows: a seed, or `true` for the seed of the mock. */
  strictClient: values.strictClient.default(false),
  /** A scenario by id; other options override those of the scenario. */
  scenario: z.string('takes the id of a scenario').optional(),
  /** Whether web pages from other origins may call the API. */
  cors: z.boolean('takes true or false').default(false),
})

/** Options as written by a person. `ScenarioId`: the scenarios that there are. */
export type Options<ScenarioId extends string = string> = Omit<z.input<typeof mockOptions>, 'scenario'> & {
  /** A scenario by id; other options override those of the scenario. */
  scenario?: ScenarioId | undefined
}

type Parsed = Readonly<z.output<typeof mockOptions>>

/** The setting that an option determines, where it has another name. */
const settingOf = {
  busy: 'busyMs',
  runDuration: 'runDurationMs',
  runOutcome: 'failureRate',
  runProgress: 'progress',
  fault: 'faults',
  chaos: 'faults',
  force: 'faults',
} as const satisfies Partial<Record<keyof Parsed, string>>

/** Parsed options. Times are ms. */
export interface Settings extends Omit<Parsed, keyof typeof settingOf | 'strictClient' | 'scenario'> {
  /** The options that the settings were parsed from, including those of the scenario. */
  readonly options: Options
  readonly busyMs: Parsed['busy']
  readonly runDurationMs: Parsed['runDuration']
  readonly failureRate: Parsed['runOutcome']
  readonly progress: Parsed['runProgress']
  /** The fault rules of `force`, `fault` and `chaos`, in that order. */
  readonly faults: readonly RuleDraft[]
  /** Share of requests that get a random fault; undefined: chaos is off. */
  readonly chaos: number | undefined
  /** The seed of the quirks; undefined: no quirks. */
  readonly strictClient: string | undefined
  readonly scenario: OptionPreset | undefined
}

/** Operations whose responses use another variant than the rest, or the fields of both. */
type VariantOverrides = Readonly<Partial<Record<OperationId, Variant | 'both'>>>

/** A named set of options; options given explicitly override them. */
export interface OptionPreset {
  /** Stable, unique and kebab-case: the value of `--scenario`. */
  readonly id: string
  readonly title: string
  readonly options: Omit<Options, 'scenario'>
  readonly variants?: VariantOverrides
}

/** An invalid option: its name and what to write instead. */
export interface OptionProblem {
  readonly option: string
  readonly problem: string
}

/** Parses options, merged over those of a preset, or returns what is wrong with them. */
export function readOptions(options: Options, preset?: OptionPreset): Settings | OptionProblem[] {
  const all = { ...preset?.options, ...options }
  const result = mockOptions.safeParse(all)
  if (!result.success) return result.error.issues.flatMap(problemsOf)
  const { busy, runDuration, runOutcome, runProgress, force, fault, chaos, strictClient, ...rest } =
    result.data
  return {
    ...rest,
    options: all,
    busyMs: busy,
    runDurationMs: runDuration,
    failureRate: runOutcome,
    progress: runProgress,
    faults: [...force, ...fault, ...(chaos ? [chaos] : [])],
    chaos: chaos?.rate,
    strictClient: strictClient === true ? rest.seed : strictClient || undefined,
    scenario: preset,
  }
}

function problemsOf(issue: z.core.$ZodIssue): OptionProblem[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((option) => ({
      option,
      problem: `is not an option; ${didYouMean(option, Object.keys(mockOptions.shape))}`,
    }))
  const inner =
    issue.code === 'invalid_union' ? issue.errors.flat().find(({ code }) => code === 'custom') : undefined
  return [{ option: String(issue.path[0]), problem: inner?.message ?? issue.message }]
}

/** The options that a key may set. */
export const keyOptions: readonly (keyof Options)[] = [
  'credits',
  'variant',
  'busy',
  'runDuration',
  'runOutcome',
  'runProgress',
  'fault',
  'chaos',
  'past',
  'topUp',
  'strictClient',
  'rateLimit',
  'scenario',
]

/** The same by their names in a key, such as `run-duration`. */
const inKey: Readonly<Record<string, keyof Options>> = Object.fromEntries(
  keyOptions.map((option) => [option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), option]),
)

/** Returns the name of an option in a key; undefined: a key cannot set it. */
export function keyWordOf(option: keyof Options): string | undefined {
  return Object.keys(inKey).find((word) => inKey[word] === option)
}

/** Returns the name of an organization including its options, as its key contains it, or the invalid options. */
export function keyNameOf(
  name: string,
  options: Readonly<Record<string, string | number | undefined>>,
  settings: Settings,
  read: ReadOptions,
): string | OptionProblem[] {
  const parts = Object.entries(inKey).flatMap(([word, option]) => {
    const value = options[option]
    return value === undefined ? [] : [`.${word}=${String(value).trim().replace(/\s+/g, ':')}`]
  })
  const whole = name + parts.join('')
  const problems = settingsOf(whole, settings, read)
  return Array.isArray(problems) ? problems : whole
}

type ReadOptions = (options: Options) => Settings | OptionProblem[]

/**
 * Returns the settings of the mock, overridden by the options in the name of an organization, or the invalid options.
 * `read` reads options, those of a scenario included.
 */
export function settingsOf(name: string, settings: Settings, read: ReadOptions): Settings | OptionProblem[] {
  const parts = name.split(/\.(?=[a-z-]+=)/).slice(1)
  const slip = misspelled(name)
  if (slip) return [slip]
  if (parts.length === 0) return settings
  const options: Record<string, string> = {}
  const problems: OptionProblem[] = []
  for (const part of parts) {
    const at = part.indexOf('=')
    const option = inKey[part.slice(0, at)]
    if (option) options[option] = part.slice(at + 1)
    else
      problems.push({
        option: part.slice(0, at),
        problem: `is not an option of a key; ${didYouMean(part.slice(0, at), Object.keys(inKey))}`,
      })
  }
  const own = read(options as Options)
  if (Array.isArray(own)) return [...problems, ...own]
  if (typeof own.past === 'number' && own.past > longestPast)
    problems.push({ option: 'past', problem: `takes at most ${longestPast} tasks in a key` })
  if (problems.length > 0) return problems
  // Those of the scenario, too.
  const names: Readonly<Record<string, string>> = settingOf
  const given = new Set(Object.keys(own.options).map((option) => names[option] ?? option))
  const changed = Object.entries(own).filter(([setting]) => given.has(setting))
  return { ...settings, ...Object.fromEntries(changed) }
}

/** Whoever knows no secret can send a key, and each task takes memory. The option of a mock takes more. */
const longestPast = 5_000

const names = Object.keys(inKey).join('|')
/** `.credits0` or `.credits:0`: an option without its `=`. */
const withoutSign = new RegExp(`\\.((${names})(?![=a-z-]).*)$`)
/** `,credits=0`: an option without its point. */
const withoutPoint = new RegExp(`[^.](?<!=)((${names})=.*)$`)

/** Returns a part of a name that was probably meant as an option. */
function misspelled(name: string): OptionProblem | undefined {
  if (!/[.=]/.test(name)) return undefined
  const [, option, word] = withoutSign.exec(name) ?? withoutPoint.exec(name) ?? []
  return option === undefined ? undefined : { option, problem: `is not an option; did you mean .${word}=…?` }
}
