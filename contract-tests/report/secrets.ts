/** The secrets of a run, and the names that reports show in their place, also for what a shell makes of a variable. */

import { printableLine } from '#reporting/markup.ts'
import { createdKeyVariable, nameCreatedKeySecret } from '#traffic/curl.ts'
import { type Exchange, hasSuccessStatus, valueAtPath } from '#traffic/exchange.ts'
import {
  type NamedSecret,
  redactionPlaceholder,
  SecretRedactor,
  secretsInHeader,
} from '#traffic/redaction.ts'
import { isSecretName } from '#traffic/secret-names.ts'
import { swapCase } from '../fixtures/key-use.ts'
import type { SuiteSettings } from '../harness/terms.ts'

/**
 * A shell expression for a text that differs from a named secret in one place, such as `${KEY%?}x`, or has a word before
 * it; undefined: it differs in more.
 */
export function shellExpressionForAlteredSecret(
  text: string,
  { value, name }: NamedSecret,
): string | undefined {
  const variable = name.replace(/^\$/, '')
  const [word = ''] = /^\w+ /.exec(text) ?? []
  if (word !== '' && text === word + value) return `${word}$${variable}`
  if (text === swapCase(value)) return `$(printf %s $${variable} | tr A-Za-z a-zA-Z)`
  const start = commonStart([...text], [...value])
  const end = commonStart([...text.slice(start)].reverse(), [...value.slice(start)].reverse())
  const added = text.slice(start, text.length - end)
  const isCut = end === 0 && /^x+$/.test(added)
  if (!isCut && (added.length > 1 || start + end < value.length - 1)) return undefined
  return (
    part(variable, '%', value.length - start, start) + added + part(variable, '#', value.length - end, end)
  )
}

/** The variable without some characters at one end of its value; empty if none of it is `kept`. */
function part(variable: string, end: '%' | '#', without: number, kept: number): string {
  if (kept === 0) return ''
  return without === 0 ? `\${${variable}}` : `\${${variable}${end}${'?'.repeat(without)}}`
}

/** The number of items that two lists have in common at their start. */
function commonStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((one, i) => one !== b[i])
  return at < 0 ? a.length : at
}

type Credentials = Pick<
  SuiteSettings,
  'apiKey' | 'otherApiKey' | 'sessionCookie' | 'otherSessionCookie' | 'headers' | 'statesHeaders'
>

/** Shortest secret, characters: shorter texts may be ordinary words. */
const shortest = 4

/** The secrets of a run, each with a name: those that the suite was given, and those that the service returned. */
export function namedSecretsOfRun(
  { apiKey, otherApiKey, sessionCookie = '', otherSessionCookie = '', headers, statesHeaders }: Credentials,
  reported: readonly NamedSecret[] = [],
): NamedSecret[] {
  const named: [value: string | undefined, name: string][] = [
    [apiKey, '$WORK_AGENT_API_KEY'],
    // The suite sends the key with another first character, to see it refused.
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter of the shell, without its first character
    [apiKey.slice(1), '${WORK_AGENT_API_KEY#?}'],
    [otherApiKey, '$WORK_AGENT_OTHER_API_KEY'],
    ...cookieSecrets(sessionCookie, '$WORK_AGENT_SESSION'),
    ...cookieSecrets(otherSessionCookie, '$WORK_AGENT_OTHER_SESSION'),
    ...headerSecrets(headers, '$WORK_AGENT_HEADER'),
    ...headerSecrets(statesHeaders, '$WORK_AGENT_STATES_HEADER'),
  ]
  const given = named.map(([value = '', name]) => ({ value, name }))
  return [...given, ...reported].filter(({ value }) => value.length >= shortest)
}

/** A cookie as it is sent, and its values. */
const cookieSecrets = (cookie: string, name: string): [value: string, name: string][] => [
  [cookie, `${name}_COOKIE`],
  ...secretsInHeader('cookie', cookie).map((value): [string, string] => [value, name]),
]

/** The values of headers: each as it is sent, and without a scheme such as `Bearer`. */
function headerSecrets(headers: SuiteSettings['headers'], name: string): [value: string, name: string][] {
  return Object.values(headers ?? {}).flatMap((value): [string, string][] => [
    [value, name],
    [value.replace(/^(?:bearer|basic)\s+/i, ''), name],
  ])
}

/** An error message in one line, without the secrets that the suite was given. */
export function redactedErrorLine(text: string, credentials: Credentials): string {
  return printableLine(new SecretRedactor(namedSecretsOfRun(credentials), { decode: true }).known(text))
}

/**
 * Shortest secret in a field with a secret name, characters: shorter values may be words, such as its kind or "none".
 */
const shortestWord = 8
/** True if a text looks like a secret in an answer that is not JSON: long, with letters and digits. */
const opaque = (text: string) =>
  (text.match(/\S{12,}/g) ?? []).filter((word) => /\d/.test(word) && /[a-z]/i.test(word))
/** Characters of an answer that is not JSON in which secrets are searched. */
const longest = 20_000
/** Shortest credential that counts as a secret, characters: shorter ones are words such as `Bearer`. */
const shortestTried = 8

/**
 * Every secret in the exchanges of a run: those in secret fields of answers, those that valid callers sent, and texts
 * that differ little from one of these. `runId`: tags texts of the suite, which are no secrets.
 */
export function secretsInExchanges(exchanges: readonly Exchange[], runId: string): NamedSecret[] {
  const accepted = exchanges.filter(hasSuccessStatus)
  const named = accepted.flatMap(({ json }) => valuesOf(json))
  const shown = publicValues(accepted)
  const keys = accepted
    .filter(({ operation }) => operation === 'createKey')
    .flatMap(({ json, text }) => {
      if (json === undefined) return opaque(text.slice(0, longest))
      const key = valueAtPath(json, 'key')
      return typeof key === 'string' && !shown.has(key) ? [key] : []
    })
  const valid = exchanges.flatMap((one) => {
    // A created key is one if it opens something: other texts of the answer that shows it are tried too.
    const name = one.caller === 'created key' && !hasSuccessStatus(one) ? undefined : names[one.caller]
    return name === undefined ? [] : credentialsIn(one).map((value) => ({ value, name }))
  })
  const real = distinct([...named.map(nameCreatedKeySecret), ...keys.map(nameCreatedKeySecret), ...valid])
  const altered = [...new Set(exchanges.flatMap(credentialsIn))].flatMap((text): NamedSecret[] => {
    const alike = real.filter(({ value }) => isSimilar(text, value))
    const [name] = alike.flatMap((one) => shellExpressionForAlteredSecret(text, one) ?? [])
    return alike.length > 0 ? [{ value: text, name: name ?? redactionPlaceholder }] : []
  })
  return distinct([...real, ...altered]).filter(({ value }) => !value.includes(runId))
}

/** The variables that hold what callers with valid credentials send. */
const names: Partial<Record<Exchange['caller'], string>> = {
  main: '$WORK_AGENT_API_KEY',
  other: '$WORK_AGENT_OTHER_API_KEY',
  session: '$WORK_AGENT_SESSION',
  'created key': createdKeyVariable,
}

/** The secrets, without those whose value an earlier one has. */
const distinct = (secrets: readonly NamedSecret[]): NamedSecret[] => {
  const values = new Map(secrets.toReversed().map((one) => [one.value, one]))
  return [...new Set(secrets.map(({ value }) => values.get(value) as NamedSecret))]
}

/** The ids and prefixes that lists of keys show. */
function publicValues(accepted: readonly Exchange[]): Set<unknown> {
  const listed = accepted
    .filter(({ operation }) => operation === 'listKeys')
    .flatMap(({ json }) => [valueAtPath(json, 'keys')].flat())
  return new Set(listed.flatMap((key) => [valueAtPath(key, 'id'), valueAtPath(key, 'prefix')]))
}

/** The credentials of a request, without words such as `Bearer`. */
function credentialsIn({ requestHeaders: { authorization = '', cookie = '' } }: Exchange): string[] {
  return [...secretsInHeader('authorization', authorization), ...secretsInHeader('cookie', cookie)].filter(
    ({ length }) => length >= shortestTried,
  )
}

/** True if the first or the last half of a secret is in a text of nearly its length, or its end is replaced by x. */
function isSimilar(text: string, secret: string): boolean {
  const [a, b] = [text.toLowerCase(), secret.toLowerCase()]
  const half = Math.floor(b.length / 2)
  const start = a.replace(/x+$/, '')
  if (a.length === b.length && start.length >= shortest && b.startsWith(start)) return true
  return a.length >= b.length - 2 && (a.includes(b.slice(0, half)) || a.includes(b.slice(half + 1)))
}

/** The secrets in the fields of an answer, which is no deeper than `jsonBounds`. */
function valuesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (isSecretName(name) && opens(inner) ? [inner] : []) : valuesOf(inner),
  )
}

const opens = (value: string) => value.length >= shortestWord || /\d/.test(value)
