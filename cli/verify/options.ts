/** The options of `verify`, read into the settings of the suite, and the service under test. */
import { tryParse } from '#contract/input/checked.ts'
import { formatSuggestion } from '#contract/input/suggestion.ts'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { Target } from '#contract-tests/client/target.ts'
import type { RequirementLevel, SuiteSettings } from '#contract-tests/harness/terms.ts'
import {
  expectedFailuresSchema,
  noExpectedFailures,
  type PassConditions,
  unusableExpectedFailures,
} from '#contract-tests/runner/outcome-of-run.ts'
import { matchesPattern, type RequirementSelection } from '#contract-tests/runner/selection.ts'
import { readJsonFile, readTextFile } from '../files.ts'
import { type GivenOptions, UsageError } from '../flags.ts'
import { checkRequestableUrl, readBaseUrl } from '../service-url.ts'
import { readSearchOptions } from './explore.ts'

/** The options of `verify`, validated and completed with their defaults. */
export type VerifyOptions = Readonly<ReturnType<typeof readVerifyOptions>>

/**
 * Options that only make sense for a service: with an empty base URL, the embedded mock would be tested without notice.
 */
const ofService = [
  'apiKey',
  'otherApiKey',
  'sessionCookie',
  'otherSessionCookie',
  'statesUrl',
  'freshKeys',
  'freshSessions',
  'header',
  'statesHeader',
]

const levels: readonly RequirementLevel[] = ['MUST', 'SHOULD']

/** Reads the options of `verify`. @throws UsageError for an invalid option. */
export function readVerifyOptions(given: GivenOptions, suite: { name: string; version: string }) {
  const typed = readBaseUrl(given, 'baseUrl')
  const baseUrl = typed?.replace(/\/api\/cli$/, '')
  const apiKey = given.text('apiKey')
  const statesUrl = given.url('statesUrl')
  if (baseUrl !== undefined && apiKey === undefined)
    throw new UsageError('a base URL needs --api-key K (or WORK_AGENT_API_KEY)')
  const idle = ofService.find((option) => given.texts(option).some(Boolean))
  if (baseUrl === undefined && given.values.judge === undefined && idle)
    throw given.wrong(idle, 'needs a base URL')
  const trust = { ca: readCertificates(given.text('ca')), insecure: given.on('insecure') }
  const settings: SuiteSettings = {
    apiKey: headerValue(given, 'apiKey') ?? '',
    otherApiKey: headerValue(given, 'otherApiKey'),
    sessionCookie: cookieValue(given, 'sessionCookie'),
    otherSessionCookie: cookieValue(given, 'otherSessionCookie'),
    freshKeys: marked(given, 'freshKeys', headerValue(given, 'freshKeys')),
    freshSessions: marked(given, 'freshSessions', cookieValue(given, 'freshSessions')),
    statesUrl: statesUrl && checkRequestableUrl(given, 'statesUrl', statesUrl),
    headers: readHeaders(given, 'header'),
    statesHeaders: readHeaders(given, 'statesHeader'),
    variant: given.choice('variant', ['auto', 'first', 'second'], 'auto'),
    extended: given.choice('extended', ['auto', 'on', 'off'], baseUrl === undefined ? 'on' : 'auto'),
    maxCredits: given.count('maxCredits', baseUrl === undefined ? 20 : 0),
    readOnly: given.on('readOnly'),
    probeRateLimit: given.count('probeRateLimit', 0),
    runTimeout: given.duration('runTimeout', 60_000, 1),
    consistency: given.duration('consistency', 2_000),
    outage: given.duration('outage', 10_000),
    timeout: given.duration('timeout', 10_000, 1),
    retryLimit: given.duration('retryLimit', 120_000),
    concurrency: given.count('concurrency', 8, 1),
    shared: given.on('shared'),
    ...readSelection(given),
    userAgent: `${suite.name}/${suite.version}`,
  }
  return {
    /** Undefined: the embedded mock. */
    baseUrl,
    /** Corrections of the options, for the report. */
    notes:
      baseUrl === typed ? [] : [`the base URL is used without /api/cli, which the suite adds: ${baseUrl}`],
    trust,
    settings,
    conditions: {
      strict: given.on('strict'),
      requireComplete: given.on('requireComplete'),
      expected: readExpected(given.text('expectedFailures')),
      skip: given.list('skip'),
    },
    reports: given.reports(),
    history: given.output('history'),
    /** Undefined: no search. */
    search: readSearchOptions(given),
    quiet: given.on('quiet'),
    verbose: given.on('verbose'),
    strength: given.on('strength'),
  }
}

/** A cookie `name=value` for a header. */
function cookieValue(given: GivenOptions, option: string): string | undefined {
  const value = given.text(option)
  if (value !== undefined && !/^[^=\s]+=./.test(value)) throw given.wrong(option, 'takes name=value')
  return headerValue(given, option)
}

/** A credential with `*` for a mark, without which the search could use one organization only. */
function marked(given: GivenOptions, option: string, value: string | undefined): string | undefined {
  if (value !== undefined && !value.includes('*')) throw given.wrong(option, 'needs * where a mark is put')
  return value
}

/** A value that a header can carry. No error repeats the value. */
function headerValue(given: GivenOptions, option: string, value = given.text(option)): string | undefined {
  if (value !== undefined && !/^[\x20-\x7e]+$/.test(value))
    throw given.wrong(option, 'contains characters that a header cannot carry')
  return value
}

/** Headers by name, from `name: value`. No error repeats a value. */
function readHeaders(given: GivenOptions, option: string): Record<string, string> {
  const texts = given.texts(option).filter(Boolean)
  const list = texts.map((one) => headerValue(given, option, one) ?? '')
  return Object.fromEntries(
    list.map((text) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):\s*(\S.*)$/.exec(text) ?? []
      if (name === undefined || value === undefined) throw given.wrong(option, "takes 'name: value'")
      if (option === 'header' && /^(?:authorization|cookie)$/i.test(name))
        throw given.wrong(option, `does not take ${name}, which the suite sets itself`)
      return [name.toLowerCase(), value]
    }),
  )
}

function readCertificates(file: string | undefined): string | undefined {
  if (file === undefined) return undefined
  const text = readTextFile(file)
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new UsageError(`cannot read ${file}: it holds no certificate in PEM form`)
  return text
}

/** The end of an error message about an unknown requirement id: similar ids. */
export const similarRequirementsText = (id: string): string =>
  formatSuggestion(
    id,
    catalogue.map((one) => one.id),
  ) || '; --list shows them'

/** Patterns for requirements. @throws UsageError for one that matches none. */
function patterns(list: readonly string[], flag: string): readonly string[] {
  const idle = list.find((pattern) => !catalogue.some(({ id }) => matchesPattern(id, pattern)))
  if (idle !== undefined)
    throw new UsageError(`${flag} ${idle} matches no requirement${similarRequirementsText(idle)}`)
  return list
}

/** Reads from flags which requirements are selected. @throws UsageError for a pattern that matches nothing. */
export function readSelection(given: GivenOptions): RequirementSelection {
  const level = given.choice('level', [...levels, 'MAY'], 'MAY')
  return {
    only: patterns(given.list('only'), '--only'),
    skip: patterns(given.list('skip'), '--skip'),
    levels: level === 'MUST' ? ['MUST'] : levels,
  }
}

/** The entries of a file of expected failures. @throws UsageError for a file that is none. */
function readExpected(file: string | undefined): PassConditions['expected'] {
  if (file === undefined) return noExpectedFailures
  const entries = tryParse(expectedFailuresSchema, readJsonFile(file), 'the file')
  if (entries.problem !== undefined)
    throw new UsageError(`${file}: ${entries.problem}; each entry has an "id" and a "reason"`)
  for (const list of Object.values(entries.data)) {
    const { unknown, repeated } = unusableExpectedFailures(list, catalogue)
    if (unknown.length > 0)
      throw new UsageError(`${file}: no requirement ${unknown.join(', ')}; --list shows them`)
    if (repeated.length > 0) throw new UsageError(`${file}: more than one entry for ${repeated.join(', ')}`)
  }
  return entries.data
}

/** Opens the target to test, a remote service or else an embedded mock, and returns it with its settings. */
export async function openTargetWithSettings(
  options: VerifyOptions,
): Promise<{ target: Target; settings: SuiteSettings }> {
  const { baseUrl, trust, settings } = options
  if (baseUrl !== undefined) {
    const { createHttpTarget } = await import('#contract-tests/targets/http.ts')
    return { target: createHttpTarget(baseUrl, trust), settings }
  }
  const { createEmbeddedMock } = await import('#contract-tests/targets/in-process.ts')
  const variant = settings.variant === 'auto' ? 'first' : settings.variant
  const { target, access } = createEmbeddedMock({ variant })
  return { target, settings: { ...settings, ...access } }
}
