/** What `verify` was told, read into the settings of the suite. */
import { readFileSync } from 'node:fs'
import { catalogue } from '#contract-tests/catalogue/index.ts'
import type { Conditions } from '#contract-tests/conclude.ts'
import { expectedFailures, unknownEntries } from '#contract-tests/expected-failures.ts'
import type { Level } from '#contract-tests/requirement.ts'
import { fits } from '#contract-tests/selection.ts'
import type { Settings } from '#contract-tests/settings.ts'
import { type Given, UsageError } from '../flags.ts'
import { isHttpUrl, Values } from '../values.ts'
import { type ReportFile, readReportFiles } from './report-files.ts'

export interface VerifyOptions {
  /** Undefined: the embedded mock. */
  readonly baseUrl: string | undefined
  readonly settings: Settings
  readonly conditions: Conditions
  readonly reports: readonly ReportFile[]
  readonly quiet: boolean
  readonly verbose: boolean
}

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY']

/** @throws UsageError for what cannot be used. */
export function readVerifyOptions(
  given: Given,
  env: NodeJS.ProcessEnv,
  suite: { name: string; version: string },
): VerifyOptions {
  const values = new Values(given)
  const baseUrl = readBaseUrl(given, env)
  const apiKey = values.text('apiKey')
  if (baseUrl !== undefined && apiKey === undefined)
    throw new UsageError('a base URL needs --api-key K (or WORK_AGENT_API_KEY)')
  const level = values.choice('level', levels, 'MAY')
  const sessionCookie = values.text('sessionCookie')
  if (sessionCookie !== undefined && !/^[^=\s]+=./.test(sessionCookie))
    throw new UsageError(`${given.sourceOf('sessionCookie')} takes name=value`)
  return {
    baseUrl,
    settings: {
      apiKey: headerValue(given, 'apiKey', apiKey) ?? '',
      otherApiKey: headerValue(given, 'otherApiKey', values.text('otherApiKey')),
      sessionCookie: headerValue(given, 'sessionCookie', sessionCookie),
      statesUrl: values.url('statesUrl'),
      variant: values.choice('variant', ['auto', 'first', 'second'], 'auto'),
      extended: values.choice('extended', ['auto', 'on', 'off'], baseUrl === undefined ? 'on' : 'auto'),
      maxCredits: values.count('maxCredits', baseUrl === undefined ? 20 : 0),
      readOnly: values.on('readOnly'),
      probeRateLimit: values.count('probeRateLimit', 0),
      runTimeout: values.duration('runTimeout', 60_000),
      timeout: values.duration('timeout', 10_000),
      concurrency: values.count('concurrency', 4, 1),
      only: patterns(values.list('only'), '--only'),
      skip: patterns(values.list('skip'), '--skip'),
      levels: levels.slice(0, levels.indexOf(level) + 1),
      userAgent: `${suite.name}/${suite.version}`,
    },
    conditions: {
      strict: values.on('strict'),
      requireComplete: values.on('requireComplete'),
      expected: readExpected(values.text('expectedFailures')),
    },
    reports: readReportFiles(values.list('report')),
    quiet: values.on('quiet'),
    verbose: values.on('verbose'),
  }
}

function readBaseUrl({ operands }: Given, env: NodeJS.ProcessEnv): string | undefined {
  if (operands.length > 1) throw new UsageError(`one base URL at a time, not ${operands.length}`)
  const text = operands[0] ?? env.WORK_AGENT_BASE_URL
  if (text === undefined || text === '') return undefined
  if (!isHttpUrl(text)) throw new UsageError(`"${text}" is not a base URL such as http://127.0.0.1:4402`)
  const url = new URL(text)
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`the base URL takes no query and no fragment`)
  return url.href.replace(/\/+$/, '')
}

/** What goes into a header must be able to; the value itself is never told. */
function headerValue(given: Given, option: string, value: string | undefined): string | undefined {
  if (value !== undefined && !/^[\x20-\x7e]+$/.test(value))
    throw new UsageError(`${given.sourceOf(option)} holds characters that no header can carry`)
  return value
}

/** Patterns that select something; one that selects nothing is a mistake. */
function patterns(list: readonly string[], flag: string): readonly string[] {
  const idle = list.find((pattern) => !catalogue.some(({ id }) => fits(id, pattern)))
  if (idle !== undefined) throw new UsageError(`${flag} ${idle} fits no requirement; --list shows them`)
  return list
}

function readExpected(file: string | undefined): Conditions['expected'] {
  if (file === undefined) return []
  let json: unknown
  try {
    json = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `cannot read ${file}: ${error instanceof SyntaxError ? 'it is not JSON' : (error as NodeJS.ErrnoException).code}`,
    )
  }
  const entries = expectedFailures.safeParse(json)
  if (!entries.success) {
    const [issue] = entries.error.issues
    throw new UsageError(`${file}: ${issue?.path.join('.')} ${issue?.message}`)
  }
  const unknown = unknownEntries(entries.data, catalogue)
  if (unknown.length > 0)
    throw new UsageError(`${file}: no requirement ${unknown.join(', ')}; --list shows them`)
  return entries.data
}
