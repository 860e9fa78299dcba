/** Texts that recorders and sanitizers put in place of others: what stood there is not known. Pure. */

import { jsonBoundsProblem, parseJson } from './json-bounds.ts'
import { decodePercent } from './malformed-input.ts'
import { isSecretName } from './secret-names.ts'

/** True if a credential may be a placeholder, which a recorder may put in place of any credential. */
export const mayBeSecretPlaceholder = (credential: string): boolean =>
  /redacted(?!-\d)|hidden|removed|masked|filtered|omitted|sanitized|\*{3}|x{6}/i.test(credential)

/**
 * A word in brackets or other marks for what became of a text, perhaps with a name, such as `[application/json
 * redacted]`.
 */
const placeholder =
  /^[[<({*_#%-]+\s*(?:[\w/+.:-]+\s+)?(?:redacted|hidden|removed|masked|filtered|omitted|sanitized)(?:[\s:][^\])>}]*)?[\])>}*_#%-]+$/i
/** Asterisks alone, or the word alone. */
const bare = /^(?:\*{3,}|REDACTED)$/
/** A longer text is none. */
const longest = 100

/** True if the whole of a text stands in place of another. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= longest && (placeholder.test(text) || bare.test(text))

/** Word that any text with a placeholder in it contains. */
const sign = /redacted|hidden|removed|masked|filtered|omitted|sanitized|\*{3}/i

/** True for the fields of keys; a placeholder in them does not hide the rest of a body. */
const isOfKey = (name: string): boolean => name === 'key' || name === 'prefix' || isSecretName(name)

/** True if a body is a placeholder, or JSON that holds one outside the fields of keys. */
export function isReplacedBody(text: string): boolean {
  if (!sign.test(text)) return false
  return isPlaceholder(text) || (jsonBoundsProblem(text) === undefined && holdsPlaceholder(parseJson(text)))
}

function holdsPlaceholder(value: unknown, name = ''): boolean {
  if (typeof value === 'string') return isPlaceholder(value) && !isOfKey(name)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([inner, one]) =>
    holdsPlaceholder(one, Array.isArray(value) ? name : inner),
  )
}

/** True if a segment of a path is a placeholder. */
export const isReplacedPath = (path: string): boolean =>
  sign.test(path) && path.split('/').some((part) => isPlaceholder(decodePercent(part) ?? part))
