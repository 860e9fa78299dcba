/** A `curl` line that sends the same request, with a shell variable in place of each credential. */
import { routeOf } from '#contract/operation.ts'
import type { Caller, Exchange } from './exchange.ts'
import { basicCredentials, headerWithoutSecret, type NamedSecret } from './redaction.ts'
import { isSecretName } from './secret-names.ts'

/** The shell variables that hold the credentials of callers. */
const keys: Partial<Record<Caller, string>> = {
  main: '$WORK_AGENT_API_KEY',
  other: '$WORK_AGENT_OTHER_API_KEY',
}
const cookies: Partial<Record<Caller, string>> = {
  session: '$WORK_AGENT_SESSION_COOKIE',
  other: '$WORK_AGENT_OTHER_SESSION_COOKIE',
}
/** The sessions that callers send beside a key: those of the organization that the key does not open. */
const foreignCookies: typeof cookies = {
  main: '$WORK_AGENT_OTHER_SESSION_COOKIE',
  other: '$WORK_AGENT_SESSION_COOKIE',
}

/**
 * Headers that curl sends by itself, and `X-Request-Id`: a service may answer a second request with the same id from
 * memory.
 */
const uninteresting = new Set(['x-request-id', 'host', 'connection', 'content-length', 'accept-encoding'])

/** The shell variable that stands for the secret of a created key in curl lines. */
export const createdKeyVariable = '$CREATED_KEY'

/** Pairs the secret of a created key with the shell variable that reports show in its place. */
export const nameCreatedKeySecret = (value: string): NamedSecret => ({ value, name: createdKeyVariable })

/** A cookie besides the session. The suite sometimes sends it first, as browsers do. */
export const unrelatedCookie = 'theme=dark; '

/**
 * The headers of a request as reports show them: valid credentials are replaced by the names of shell variables, others
 * shown as they were sent.
 */
export function headersWithNamedSecrets({ requestHeaders, caller }: Exchange): Record<string, string> {
  const session = ('authorization' in requestHeaders ? foreignCookies : cookies)[caller]
  const cookie = (value: string) => (value.startsWith(unrelatedCookie) ? unrelatedCookie : '') + session
  const shown = (name: string, value: string) => {
    if (name === 'authorization') return shownKey(value, keys[caller])
    return name === 'cookie' && session ? cookie(value) : value
  }
  return Object.fromEntries(Object.entries(requestHeaders).map(([name, value]) => [name, shown(name, value)]))
}

/** True for a key with or without `Bearer`, the only forms in which the API takes one. */
const isKey = /^(?:bearer\s+)?\S+$/i

/**
 * The headers of a recorded request as reports show them. Which credentials are valid is not known: the one that the
 * route takes is replaced by its shell variable, and any other secret is hidden.
 */
export function recordedHeadersWithNamedSecrets(request: Exchange): Record<string, string> {
  const { operation, caller, requestHeaders } = request
  const takesKey = routeOf(operation).auth === 'key'
  const nameOf = (header: string, value: string) => {
    if (header === 'authorization') return takesKey && isKey.test(value) ? keys[caller] : undefined
    return header === 'cookie' && !takesKey ? cookies[caller] : undefined
  }
  const shown = (name: string, value: string) =>
    isSecretName(name) ? headerWithoutSecret(value, nameOf(name, value)) : value
  return Object.fromEntries(Object.entries(requestHeaders).map(([name, value]) => [name, shown(name, value)]))
}

function shownKey(value: string, variable: string | undefined): string {
  const pair = basicCredentials(value)
  if (pair !== undefined) return `Basic base64(${pair})`
  return variable === undefined ? value : `${value.split(' ')[0]} ${variable}`
}

/**
 * Writes the curl line that sends a request, for a shell in which the variables for credentials are set. Its headers
 * are given as reports show them.
 */
export function curlOf(request: Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>): string {
  const { method, url, requestHeaders, requestBody } = request
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`]), quoted(url)]
  for (const [name, value] of Object.entries(requestHeaders)) {
    const [, pair] = (name === 'authorization' && /^Basic base64\((.*)\)$/s.exec(value)) || []
    if (pair !== undefined) parts.push(`-u ${named(pair)}`)
    else if (!uninteresting.has(name)) parts.push(`-H ${named(`${name}: ${value}`)}`)
  }
  // Clients send a length; curl leaves it out, and some servers refuse that with 411.
  const isWithoutLength = requestHeaders['content-length'] === ''
  if (requestBody === undefined && method === 'POST' && !isWithoutLength) parts.push('-H "content-length: 0"')
  if (requestBody !== undefined)
    parts.push(`--data-raw ${requestBody.isWellFormed() ? quoted(requestBody) : printed(requestBody)}`)
  return parts.join(' ')
}

/** A variable of a curl line, also in a changed form: without some characters at one end, or in the other case. */
const name = '(?:WORK_AGENT_[A-Z_]+|CREATED_KEY)'
const variable = String.raw`\$(?:${name}|\{${name}(?:[%#]\?+)?\}|\(printf %s \$${name} \| tr A-Za-z a-zA-Z\))`

/** A text that repeats itself, such as those that test how long a text may be. */
const repetition = /([^\n]{1,40}?)\1{24,}/g
/** Shortest repetition that the shell generates, characters. */
const minGenerated = 500

/**
 * A text as a word of the shell; long repetitions become a command that generates them, so that the line stays short.
 */
function quoted(text: string): string {
  let [word, end] = ['', 0]
  for (const { 0: repeated, 1: unit = '', index } of text.matchAll(repetition)) {
    if (repeated.length < minGenerated) continue
    const times = repeated.length / unit.length
    word += `${quotedWhole(text.slice(end, index))}"$(yes ${quotedWhole(unit)} | head -n ${times} | tr -d '\\n')"`
    end = index + repeated.length
  }
  return word === '' || end < text.length ? word + quotedWhole(text.slice(end)) : word
}

/** A text in single quotes, where the shell expands nothing, or in double quotes if it has one of the variables. */
function quotedWhole(text: string): string {
  return new RegExp(variable).test(text) ? named(text) : `'${text.replaceAll("'", `'\\''`)}'`
}

/** A body with bytes that no text can hold, as a call of `printf` (`bodyBytesOf`). */
function printed(text: string): string {
  const format = text
    .replaceAll(/[\\%]/g, (one) => one + one)
    .replaceAll(/[\udc80-\udcff]/gu, (one) => `\\${(one.charCodeAt(0) - 0xdc00).toString(8)}`)
  return `"$(printf ${quoted(format)})"`
}

/** A text in double quotes, where the shell expands the variables of curl lines and nothing else. */
function named(text: string): string {
  return `"${text.replace(new RegExp(`["\\\\\`]|(?!${variable})\\$`, 'g'), '\\$&')}"`
}
