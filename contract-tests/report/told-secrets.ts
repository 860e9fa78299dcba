/** Secrets of a run: those that a service tells, found by where they stand, and keys like them that were tried. */
import { type Exchange, field, isAccepted } from '#traffic/exchange.ts'

/** Fields whose text is a secret wherever it stands. */
const telling = /^(?:(?:\w+_)?secret|(?:access_?|auth_?|api_?|session_?)?token|password|bearer|api_?key)$/i
/** What looks like a secret in an answer that cannot be read: long, with letters and digits. */
const opaque = /(?=\S*\d)(?=\S*[a-z])\S{12,}/gi

/** So much of it is looked through, characters. */
const longest = 20_000

/** Every secret in the exchanges of a run. `runId`: marks texts of the suite itself, which are none. */
export function toldSecrets(exchanges: readonly Exchange[], runId: string): string[] {
  const told = exchanges.filter(isAccepted).flatMap((exchange) => {
    const named = valuesOf(exchange.json)
    if (exchange.operation !== 'createKey') return named
    if (exchange.json === undefined) return exchange.text.slice(0, longest).match(opaque) ?? []
    const key = field(exchange.json, 'key')
    return typeof key === 'string' ? [...named, key] : named
  })
  const sent = exchanges.flatMap(({ requestHeaders }) => credentialsIn(requestHeaders))
  return [...new Set([...told, ...sent])].filter((text) => !text.includes(runId))
}

/** Shorter credentials are words such as `Bearer`, sent to see them refused. */
const shortest = 8

/** What a request was to be let in by: a key that is wrong by one letter gives the right one away. */
function credentialsIn({ authorization = '', cookie = '' }: Exchange['requestHeaders']): string[] {
  const key = authorization.slice(authorization.indexOf(' ') + 1)
  return [key, cookie].filter((value) => value.length >= shortest)
}

function valuesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (telling.test(name) ? [inner] : []) : valuesOf(inner),
  )
}
