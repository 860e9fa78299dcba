/**
 * Options in a test key: `wak_test_<name>.credits=0.fault=runTask=busy,ok` creates an organization with these
 * options. A key contains no spaces, so `delay 50ms` is written `delay:50ms`.
 */
import { didYouMean } from '#contract/input/suggestion.ts'
import type { OptionProblem, Options, Settings } from './options.ts'

/** The options that a key may set, by their names in a key. */
const inKey: Readonly<Record<string, keyof Options>> = {
  credits: 'credits',
  variant: 'variant',
  busy: 'busy',
  'run-duration': 'runDuration',
  'run-outcome': 'runOutcome',
  'run-progress': 'runProgress',
  fault: 'fault',
  chaos: 'chaos',
  past: 'past',
  'top-up': 'topUp',
  'strict-client': 'strictClient',
  'rate-limit': 'rateLimit',
  scenario: 'scenario',
}

/** The options that a key may set. */
export const keyOptions: readonly (keyof Options)[] = Object.values(inKey)

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
  const given = Object.keys(own.options)
  const changed = Object.entries(own).filter(([setting]) =>
    given.some((option) => (settingOf[option] ?? option) === setting),
  )
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

/** The setting that an option determines, where it has another name. */
const settingOf: Readonly<Record<string, string>> = {
  busy: 'busyMs',
  runDuration: 'runDurationMs',
  runOutcome: 'failureRate',
  runProgress: 'progress',
  fault: 'faults',
  chaos: 'faults',
  force: 'faults',
}
