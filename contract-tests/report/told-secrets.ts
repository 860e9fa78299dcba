/** Secrets that a service tells in its answers, found by where they stand, also where an answer is malformed. */
import { type Exchange, field, isAccepted } from '../exchange.ts'

/** Fields whose text is a secret wherever it stands. */
const telling = /^(?:(?:\w+_)?secret|(?:access_?|auth_?|api_?|session_?)?token|password|bearer|api_?key)$/i
/** What looks like a secret in an answer that cannot be read: long, with letters and digits. */
const opaque = /(?=\S*\d)(?=\S*[a-z])\S{12,}/gi

/** So much of it is looked through, characters. */
const longest = 20_000

/** Every secret in the answers of a run. `runId`: marks texts of the suite itself, which are none. */
export function toldSecrets(exchanges: readonly Exchange[], runId: string): string[] {
  const told = exchanges.filter(isAccepted).flatMap((exchange) => {
    const named = valuesOf(exchange.json)
    if (exchange.operation !== 'createKey') return named
    if (exchange.json === undefined) return exchange.text.slice(0, longest).match(opaque) ?? []
    const key = field(exchange.json, 'key')
    return typeof key === 'string' ? [...named, key] : named
  })
  return [...new Set(told)].filter((text) => !text.includes(runId))
}

function valuesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' ? (telling.test(name) ? [inner] : []) : valuesOf(inner),
  )
}
