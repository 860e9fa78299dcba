/** Credentials without access: what a request sends in place of a key or a session, by what the run knows of both. */
import { routeOf } from '#contract/operation.ts'
import { decodePercent } from '#traffic/malformed-input.ts'
import { minSearchedKeyLength } from '#traffic/redaction.ts'
import type { SentRequest } from '../client/recorder.ts'
import { similarInvalidKeys } from '../fixtures/key-use.ts'
import type { CredentialKind } from '../model/index.ts'

/** Values that the run knows; none of them is ever stored in a history. */
interface KnownValues {
  /** API keys that work or have worked. */
  readonly keys: readonly string[]
  /** Cookies of sessions. */
  readonly cookies: readonly string[]
  /** True for texts that answers show of keys and organizations. */
  isPublic(text: string): boolean
}

/** The kind of a credential that gives no access; undefined: it may give access, or its kind is unknown. */
export function misusedCredentialKind(
  {
    operation,
    url,
    requestHeaders,
    requestBody,
  }: Pick<SentRequest, 'operation' | 'url' | 'requestHeaders' | 'requestBody'>,
  known: KnownValues,
): CredentialKind | undefined {
  const { authorization, cookie } = requestHeaders
  const holdsKey = holding(known.keys)
  if (routeOf(operation).auth === 'cookie')
    return authorization === undefined && holdsKey(cookie) ? 'key-as-session' : undefined
  if (authorization === undefined) {
    // A short key may stand in a text by chance.
    const holdsLongKey = holding(known.keys.filter(({ length }) => length >= minSearchedKeyLength))
    const query = url.includes('?') ? [...new URL(url).searchParams.values()] : []
    const inQuery = [...query, cookie, requestBody].some(holdsLongKey)
    const inHeader = Object.entries(requestHeaders).some(
      ([name, value]) => name !== 'cookie' && holdsLongKey(value),
    )
    return inQuery ? (inHeader ? 'everywhere' : 'query') : inHeader ? 'header' : undefined
  }
  if (/[^\t -~]/.test(authorization)) return 'not-ascii'
  const token = /^Bearer (.+)$/.exec(authorization)?.[1]
  if (token !== undefined) {
    if (token === 'Bearer') return 'malformed'
    if (known.cookies.some((one) => one.split(';')[0]?.replace(/^[^=]*=/, '') === token))
      return 'session-as-key'
    if (known.keys.some((key) => similarInvalidKeys(key).includes(token))) return 'altered'
    if (known.isPublic(token)) return 'public'
    return token.includes(' ') && holdsKey(token) ? 'scheme' : undefined
  }
  if (!holdsKey(authorization)) return /^(?:Bearer|Basic Og==)$/.test(authorization) ? 'malformed' : undefined
  return /^bearer /i.test(authorization) ? undefined : 'scheme'
}

/** A test of whether a text holds one of these keys, also encoded as credentials or cookies are. */
const holding =
  (keys: readonly string[]) =>
  (text = '') =>
    keys.some((key) => text.includes(key) || decodedOf(text).includes(key))

/** A text decoded as the user and password of Basic authentication, or as the value of a cookie. */
function decodedOf(text: string): string {
  const [, basic] = /^Basic (\S+)$/.exec(text) ?? []
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString()
  return (text.includes('%') ? decodePercent(text) : undefined) ?? text
}
