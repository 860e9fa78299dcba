/** A `curl` line that sends the same request, with a shell variable in place of each credential. */
import type { Caller, Exchange } from './exchange.ts'

/** The variables that hold what callers with valid credentials send. */
const keys: Partial<Record<Caller, string>> = {
  main: '$WORK_AGENT_API_KEY',
  other: '$WORK_AGENT_OTHER_API_KEY',
  'created key': '$CREATED_KEY',
}
const cookies: Partial<Record<Caller, string>> = {
  session: '$WORK_AGENT_SESSION_COOKIE',
  other: '$WORK_AGENT_OTHER_SESSION_COOKIE',
}

/** A new one for each request: a service may answer a repeated one from memory. */
const uninteresting = new Set(['x-request-id'])

/** The headers of a request as reports show them: valid credentials by name, all others as they were sent. */
export function shownHeaders({ requestHeaders, caller }: Exchange): Record<string, string> {
  return Object.fromEntries(
    Object.entries(requestHeaders).map(([name, value]) => [name, shown(name, value, caller)]),
  )
}

function shown(name: string, value: string, caller: Caller): string {
  const variable = name === 'authorization' ? keys[caller] : name === 'cookie' ? cookies[caller] : undefined
  if (variable === undefined) return value
  return name === 'cookie' ? variable : `${value.split(' ')[0]} ${variable}`
}

/** The line, for a shell in which the named variables are set. Takes headers as they are shown. */
export function curlOf(request: Pick<Exchange, 'method' | 'url' | 'requestHeaders' | 'requestBody'>): string {
  const { method, url, requestHeaders, requestBody } = request
  const parts = ['curl -i', ...(method === 'GET' ? [] : [`-X ${method}`]), quoted(url)]
  for (const [name, value] of Object.entries(requestHeaders)) {
    if (!uninteresting.has(name)) parts.push(`-H ${named(`${name}: ${value}`)}`)
  }
  if (requestBody !== undefined) parts.push(`--data-raw ${quoted(requestBody)}`)
  return parts.join(' ')
}

/** One of our variables, as a whole or without its first character. */
const variable = String.raw`\$(?:(?:WORK_AGENT_|CREATED_KEY)|\{WORK_AGENT_API_KEY#\?\})`

/** In single quotes, where the shell expands nothing; in double quotes if the text has one of our variables. */
function quoted(text: string): string {
  return new RegExp(variable).test(text) ? named(text) : `'${text.replaceAll("'", `'\\''`)}'`
}

/** In double quotes, where the shell expands our variables and nothing else. */
function named(text: string): string {
  return `"${text.replace(new RegExp(`["\\\\\`]|(?!${variable})\\$`, 'g'), '\\$&')}"`
}
