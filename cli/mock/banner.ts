/**
 * Output of the mock: what a client needs to reach it, what differs from the defaults, and a line for each request with
 * its fault and its id. It never holds a key or a cookie, and bodies only on request.
 */
import { lstatSync, readFileSync, rmSync } from 'node:fs'
import { Help } from 'commander'
import type { Mock } from '#mocks/app.ts'
import { type MockOptionsInput, type MockSettings, mockOptionsSchema } from '#mocks/config/options.ts'
import type { Listener } from '#mocks/edges/http.ts'
import type { FaultRuleWithCounts } from '#mocks/faults/rule.ts'
import type { RequestView } from '#mocks/journal/view.ts'
import type { RequestSummary } from '#mocks/pipeline/service.ts'
import type { Scenario } from '#mocks/scenarios/index.ts'
import { printableJson, printableLine } from '#reporting/markup.ts'
import { valueAtPath } from '#traffic/exchange.ts'
import { parseJson } from '#traffic/json-bounds.ts'
import { mockCommandDefinition } from '../command-lines.ts'
import { readTextFile, UsageError, valueOrFallback, writeAtomically } from '../files.ts'
import { configurableOptionsByName } from '../flags.ts'
import { invocationOf, shellQuote, shellQuoteIfNeeded } from '../invocation.ts'

/** The address and credentials by which a client reaches a mock; the ready file (`--ready-file`) contains the same. */
export type ConnectionInfo = Readonly<ReturnType<typeof mockStartData>>

const withToken = (url: string, token: string | undefined) =>
  token === undefined ? url : `${url}?token=${encodeURIComponent(token)}`

/** The data that `mock --json` prints about a started mock. */
export function mockStartData(mock: Mock, { url, adminToken: admin_token }: Listener) {
  const { apiKey, otherApiKey, sessionCookie, otherSessionCookie } = mock.credentials()
  return {
    url,
    pid: process.pid,
    api_key: apiKey,
    other_api_key: otherApiKey,
    session_cookie: sessionCookie,
    other_session_cookie: otherSessionCookie,
    /** Contains the admin token, if there is one. */
    states_url: withToken(`${url}/__admin/states`, admin_token),
    // The token that control calls must send; absent: none.
    ...(admin_token !== undefined && { admin_token }),
  }
}

/** The address and credentials of a mock as environment variables, with the names that `verify` and `check` read. */
export function connectionEnvironmentVariables({
  url,
  pid: _,
  admin_token: __,
  ...access
}: ConnectionInfo): Record<string, string> {
  const named = Object.entries({ base_url: url, ...access })
  return Object.fromEntries(named.map(([name, value]) => [`WORK_AGENT_${name.toUpperCase()}`, value]))
}

/**
 * Removes a ready file that an earlier mock left behind; nothing but a regular file is removed. @throws UsageError for
 * a file that no mock has written.
 */
export function removeOldReadyFile(file: string): void {
  if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return
  const text = readTextFile(file)
  const [url, pid] = ['url', 'pid'].map((name) => valueAtPath(parseJson(text), name))
  if (text.trim() !== '' && (typeof url !== 'string' || typeof pid !== 'number'))
    throw new UsageError(`--ready-file would replace ${file}, which no mock has written`)
  rmSync(file, { force: true })
}

/** Writes the ready file, which is removed when the process exits. @throws UsageError if it cannot be written. */
export function writeReadyFile(file: string, ready: ConnectionInfo): void {
  const text = `${JSON.stringify(ready, null, 2)}\n`
  writeAtomically(file, text, 0o600)
  process.once('exit', () => {
    // A mock that was started since may have written its own.
    const isOurs = valueOrFallback(
      false,
      () => lstatSync(file).isFile() && readFileSync(file, 'utf8') === text,
    )
    if (isOurs) removeOldReadyFile(file)
  })
}

/**
 * The text that `mock` prints when it starts; its `curl` lines work when pasted. `state`: the path of the state file.
 */
export function bannerText(
  ready: ConnectionInfo,
  settings: MockSettings,
  faults: readonly FaultRuleWithCounts[],
  state?: string,
): string {
  const { url, api_key, other_api_key, session_cookie, admin_token } = ready
  const auth = `-H ${shellQuote(`Authorization: Bearer ${api_key}`)}`
  const anyKey = settings.options.keysOnly
    ? ''
    : '   (any wak_test_<name> is a key, with an organization of its own)'
  return [
    `Work-agent mock listening on ${url}`,
    '',
    `  API key         ${api_key}`,
    ...(other_api_key === api_key ? [] : [`  other org's key ${other_api_key}${anyKey}`]),
    `  session cookie  ${session_cookie}`,
    ...(admin_token === undefined
      ? []
      : [`  admin token     ${admin_token}   (X-Admin-Token, or ?token=, for /__admin)`]),
    ...(state === undefined ? [] : [`  state           ${state}`]),
    ...changeLines(settings, faults),
    '',
    `  curl ${url}/api/cli/whoami ${auth}`,
    `  curl ${url}/api/cli/tasks ${auth} --json '{"text":"Say hello"}'`,
    `  curl ${url}/api/cli/keys -H ${shellQuote(`Cookie: ${session_cookie}`)}`,
    '',
    `  More: ${withToken(url, admin_token)} in a browser; ${invocationOf('mock', process).join(' ')} --help. Ctrl-C stops it.`,
    '',
  ].join('\n')
}

/** The scenario, every active fault, and every option that differs from its default. */
function changeLines(settings: MockSettings, faults: readonly FaultRuleWithCounts[]): string[] {
  const { scenario, strictClient, chaos, seed, options } = settings
  const line = (name: string, text: string) => `  ${name.padEnd(14)}  ${text}`
  const changed = changedOptionFlags(options).join(' ')
  return [
    ...(chaos === undefined ? [] : [line('chaos', `--chaos ${chaos} --seed ${shellQuote(seed)} replays it`)]),
    ...(scenario ? [line('scenario', `${scenario.id}: ${scenario.title}`)] : []),
    ...(strictClient === undefined
      ? []
      : [line('quirks', `--strict-client ${shellQuote(strictClient)} replays them`)]),
    ...faults.map((rule) => line(`fault ${rule.id}`, ruleTextWithRemainingUses(rule))),
    ...(changed === '' ? [] : [line('options', changed)]),
  ]
}

/**
 * Writes a fault rule as `--fault` takes it, followed by how often it still applies, if it has applied before, and for
 * which organization.
 */
export function ruleTextWithRemainingUses({ text, times, remaining, org_id }: FaultRuleWithCounts): string {
  const notes = [
    ...(remaining === times ? [] : [`${remaining} left`]),
    ...(org_id === null ? [] : [`for ${org_id}`]),
  ]
  return notes.length > 0 ? `${text} (${notes.join(', ')})` : text
}

const flags = configurableOptionsByName(mockCommandDefinition)

/**
 * Writes the options that differ from their defaults, including those that a scenario sets, as flags such as `--credits
 * 3`.
 */
export const changedOptionFlags = (options: MockOptionsInput) => optionDifferenceFlags(options, {})

/** Writes the options that differ from `others` as flags. */
export function optionDifferenceFlags(options: MockOptionsInput, others: MockOptionsInput): string[] {
  return Object.entries(options).flatMap(([name, value]) => {
    const option = flags.get(name)
    if (!option || isSame(name as keyof MockOptionsInput, value, others)) return []
    if (value === false) return `--no-${option.name()}`
    if (value === true) return `${option.long}`
    const written = typeof value === 'number' ? (inFlags[name]?.(value) ?? value) : value
    return [written].flat().map((one) => `${option.long} ${word(one)}`)
  })
}

/** The spelling in flags of the numbers that are ms in a file or in a test. */
const inFlags: Readonly<Record<string, (ms: number) => string | Date>> = {
  runDuration: (ms) => `${ms}ms`,
  now: (ms) => new Date(ms),
}

function isSame(name: keyof MockOptionsInput, value: unknown, others: MockOptionsInput): boolean {
  const schema = mockOptionsSchema.shape[name]
  return JSON.stringify(schema.parse(value)) === JSON.stringify(schema.parse(others[name]))
}

function word(value: unknown): string {
  if (value instanceof Date) return shellQuoteIfNeeded(value.toISOString())
  const isPolls = typeof value === 'object' && value !== null && 'polls' in value
  return shellQuoteIfNeeded(isPolls ? `polls:${value.polls}` : String(value))
}

/** A text in indented lines of at most 78 characters. */
const wrapped = (text: string) => `    ${new Help().boxWrap(text, 74).replaceAll('\n', '\n    ')}`

/** The text of `mock --list-scenarios`: each scenario with its id, its title and what it shows. */
export function scenarioListText(scenarios: readonly Scenario[]): string {
  const longest = Math.max(...scenarios.map(({ id }) => id.length))
  return scenarios
    .map(({ id, title, shows }) => `${id.padEnd(longest)}  ${title}\n${wrapped(shows)}\n`)
    .join('\n')
}

type LogForm = 'human' | 'json'

/** Redacted bodies; null if none was sent. */
interface Bodies {
  readonly request: string | null
  readonly answer: string
}

/** Passes the log line of each request to `print`. `bodies`: true to add the redacted bodies. */
export function logRequests(mock: Mock, form: LogForm, bodies: boolean, print: (text: string) => void): void {
  let recorded: RequestView | undefined
  // The journal redacts the bodies, and records a request just before it tells observers.
  if (bodies) mock.journal.follow((view) => (recorded = view))
  mock.observe((summary) => {
    const { request, answer } = recorded?.id === summary.id ? recorded : {}
    const shown = request && answer && { request: request.body, answer: answer.body }
    print(`${requestLogLine(summary, form, shown)}\n`)
  })
}

/** The log line of a request, without a line break at its end; the human form has one more line for each body. */
export function requestLogLine(summary: RequestSummary, form: LogForm, bodies?: Bodies): string {
  const { at, duration_ms, ...rest } = summary
  const time = new Date(at).toISOString()
  const duration = Math.round(duration_ms * 100) / 100
  const { id, operation, method, path, status, error, reason, wire, org_id, org_name } = rest
  if (form === 'json') {
    const told = { id, operation, method, path, status, error, reason, wire, org_id, org_name }
    const shown = bodies && { request_body: bodies.request, answer_body: bodies.answer }
    return printableJson({ time, ...told, duration_ms: duration, ...shown })
  }
  const words = [
    time.slice(11, 23),
    method.padEnd(6),
    path.replace(unprintable, encodeURIComponent),
    status,
    error ?? '-',
    org_name === null ? '-' : `"${printableLine(org_name.slice(0, longestName))}"`,
    org_id ?? '-',
    `${duration}ms`,
    id,
    ...(wire === null ? [] : [`wire=${wire}`]),
    ...(reason === null ? [] : [printableLine(reason)]),
  ]
  const shown = [bodies?.request && `  > ${bodies.request}`, bodies?.answer && `  < ${bodies.answer}`]
  const bodyLines = shown.flatMap((text) => (text ? printableLine(text.trimEnd()) : []))
  return [words.join(' '), ...bodyLines].join('\n')
}

/** Longest part of a name in a line, characters. */
const longestName = 60

/** Characters of a decoded path that would break the line or its columns. */
const unprintable = /[\s\p{Cc}\p{Cf}]/gu
