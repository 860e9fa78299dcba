/** Options in the name of an organization, as its key contains it: `wak_test_ada.credits=0`. */
import { adviceOnUnknownWord } from '#contract/input/suggestion.ts'
import type { MockOptionsInput, MockSettings, OptionProblem } from '../config/options.ts'
import { parseOptionsWithScenario } from './index.ts'

/** The options that can be set in the text of an API key, such as `wak_test_ada.credits=0`. */
export const optionsInKeys: readonly (keyof MockOptionsInput)[] = [
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

/** Options by their names in a key, such as `run-duration`. */
const inKey: Readonly<Record<string, keyof MockOptionsInput>> = Object.fromEntries(
  optionsInKeys.map((option) => [option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), option]),
)

/** The name of an option in an API key; undefined: a key cannot set it. */
export function keyWordOfOption(option: keyof MockOptionsInput): string | undefined {
  return Object.keys(inKey).find((word) => inKey[word] === option)
}

/**
 * Writes options into the name of an organization, as its key contains them; returns that name, or the options that are
 * invalid.
 */
export function organizationNameWithOptions(
  name: string,
  options: Readonly<Record<string, string | number | undefined>>,
  settings: MockSettings,
): string | OptionProblem[] {
  const parts = Object.entries(inKey).flatMap(([word, option]) => {
    const value = options[option]
    const unit = option === 'runDuration' && typeof value === 'number' ? 'ms' : ''
    return value === undefined ? [] : [`.${word}=${String(value).trim().replace(/\s+/g, ':')}${unit}`]
  })
  const whole = name + parts.join('')
  const problems = parseOrganizationSettings(whole, settings)
  return Array.isArray(problems)
    ? problems.map((one) => ({ ...one, option: inKey[one.option] ?? one.option }))
    : whole
}

/** The setting that an option determines, where it has another name. */
const settingNames: Readonly<Record<string, keyof MockSettings>> = {
  busy: 'busyMs',
  runDuration: 'runDurationMs',
  runOutcome: 'failureRate',
  runProgress: 'progress',
  fault: 'faults',
  chaos: 'faults',
  force: 'faults',
}

/** Start of an option in the name of an organization. */
const beforeOption = /\.(?=[\w-]+=)/

/** Returns the name of an organization without its options. */
export const nameWithoutOptions = (name: string): string => name.split(beforeOption)[0] ?? name

/**
 * Parses the settings of an organization: those of the mock, overridden by the options in its name. Returns the invalid
 * options if there are any.
 */
export function parseOrganizationSettings(
  name: string,
  settings: MockSettings,
): MockSettings | OptionProblem[] {
  const [before, ...parts] = name.split(beforeOption)
  if (before === '' && parts.length > 0) return [{ option: 'the name', problem: 'is missing before them' }]
  const slip = misspelled(name)
  if (slip) return [slip]
  if (parts.length === 0) return settings
  const options: Record<string, string> = {}
  const problems: OptionProblem[] = []
  for (const part of parts) {
    const at = part.indexOf('=')
    const word = part.slice(0, at)
    const option = Object.hasOwn(inKey, word) ? inKey[word] : undefined
    if (option && options[option] === undefined) options[option] = part.slice(at + 1)
    else
      problems.push({
        option: word,
        problem: option
          ? 'is given twice'
          : `is not an option of a key; ${adviceOnUnknownWord(word, Object.keys(inKey))}`,
      })
  }
  const own = parseOptionsWithScenario(options as MockOptionsInput)
  if (Array.isArray(own))
    return [
      ...problems,
      ...own.map((one) => ({
        ...one,
        option: keyWordOfOption(one.option as keyof MockOptionsInput) ?? one.option,
      })),
    ]
  if (typeof own.past === 'number' && own.past > longestPast)
    problems.push({ option: 'past', problem: `takes at most ${longestPast} tasks in a key` })
  if (problems.length > 0) return problems
  // Options of the scenario count as given, too.
  const given = new Set(Object.keys(own.options).map((option) => settingNames[option] ?? option))
  const changed = Object.entries(own).filter(([setting]) => given.has(setting))
  return { ...settings, ...Object.fromEntries(changed) }
}

/**
 * Maximum number of past tasks: whoever knows no secret can send a key, and each task takes memory. The mock's option
 * takes more.
 */
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
