/**
 * Options in a test key: `wak_test_<name>.credits=0.fault=runTask=busy,ok` is an organization of its own, made so.
 * A key has no blanks: `delay:50ms` is `delay 50ms`.
 */
import { type MockOptions, type OptionProblem, readOptions, type Settings } from './options.ts'

/** The options that a key may say, by the words it says them in. */
const inKey: Readonly<Record<string, keyof MockOptions>> = {
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
}

/** The options that a key may say. */
export const keyOptions: readonly (keyof MockOptions)[] = Object.values(inKey)

/** The name of an organization with options, as its key says it; or what is wrong with them. */
export function keyNameOf(
  name: string,
  options: Readonly<Record<string, string | number | undefined>>,
  settings: Settings,
): string | OptionProblem[] {
  const said = Object.entries(inKey).flatMap(([word, option]) => {
    const value = options[option]
    return value === undefined ? [] : [`.${word}=${String(value).trim().replace(/\s+/g, ':')}`]
  })
  const whole = name + said.join('')
  const problems = settingsOf(whole, settings)
  return Array.isArray(problems) ? problems : whole
}

/** The settings of the organization of a name: the mock's, but for what the name says; or what is wrong with it. */
export function settingsOf(name: string, settings: Settings): Settings | OptionProblem[] {
  const said = name.split(/\.(?=[a-z-]+=)/).slice(1)
  if (said.length === 0) return settings
  const options: Record<string, string> = {}
  const problems: OptionProblem[] = []
  for (const part of said) {
    const at = part.indexOf('=')
    const option = inKey[part.slice(0, at)]
    if (option) options[option] = part.slice(at + 1)
    else problems.push({ option: part.slice(0, at), problem: `is none of ${Object.keys(inKey).join(', ')}` })
  }
  const read = readOptions(options as MockOptions)
  if (Array.isArray(read)) return [...problems, ...read]
  if (problems.length > 0) return problems
  const changed = Object.entries(read).filter(([setting]) =>
    Object.keys(options).some((option) => settingOf[option] === setting),
  )
  return { ...settings, ...Object.fromEntries(changed) }
}

/** The setting that each option becomes. */
const settingOf: Readonly<Record<string, string>> = {
  credits: 'credits',
  variant: 'variant',
  busy: 'busyMs',
  runDuration: 'runDurationMs',
  runOutcome: 'failureRate',
  runProgress: 'progress',
  fault: 'faults',
  chaos: 'faults',
  past: 'past',
  topUp: 'topUp',
  strictClient: 'strictClient',
}
