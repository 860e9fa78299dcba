/** A `curl` line that sends the same request, with a shell variable in place of each credential. */
import type { Caller, Exchange } from './exchange.ts'

/** The variable that holds what a caller sends. */
const variables: Readonly<Record<Caller, string>> = {
  main: '$WORK_AGENT_API_KEY',
  other: '$WORK_AGENT_OTHER_API_KEY',
  session: '$WORK_AGENT_SESSION_COOKIE',
  'created key': '$CREATED_KEY',
  stranger: 'not-a-key',
  nobody: '',
}

const uninteresting = new Set(['accept', 'user-agent', 'x-request-id'])

/** The headers of a request as reports show them: credentials by name. */
export function shownHeaders({ requestHeaders, caller }: Exchange): Record<string, string> {
  return Object.fromEntries(
    Object.entries(requestHeaders).map(([name, value]) => [name, shown(name, value, caller)]),
  )
}

function shown(name: string, value: string, caller: Caller): string {
  if (name === 'authorization') return `${value.split(' ')[0]} ${variables[caller]}`
  if (name === 'cookie') return caller === 'session' ? variables.session : 'work_agent_session=not-a-session'
  return value
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

/** In single quotes, where the shell expands nothing. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** In double quotes, where the shell expands our variables and nothing else. */
function named(text: string): string {
  return `"${text.replace(/["\\`]|\$(?!WORK_AGENT_|CREATED_KEY)/g, '\\$&')}"`
}
