/** Texts that recorders and sanitizers put in place of others: what stood there is not known. Pure. */

import { jsonBoundsProblem, parseJson } from './json-bounds.ts'
import { decodePercent } from './malformed-input.ts'
import { isSecretName } from './secret-names.ts'

/** True if a recorder may have put a text in the place of every credential. */
export const isSecretPlaceholder = (credential: string): boolean =>
  /redacted(?!-\d)|hidden|removed|masked|filtered|omitted|sanitized|\*{3}|x{6}/i.test(credential)

/** Words in marks that tell what became of a text, perhaps with its name, such as `[application/json redacted]`. */
const placeholder =
  /^[[<({*_#%-]+\s*(?:[\w/+.:-]+\s+)?(?:redacted|hidden|removed|masked|filtered|omitted|sanitized)(?:[\s:][^\])>}]*)?[\])>}*_#%-]+$/i
/** Marks without such a word, or the word without marks. */
const bare = /^(?:\*{3,}|REDACTED)$/
/** A longer text is none. */
const longest = 100

/** True if the whole of a text stands in place of another. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= longest && (placeholder.test(text) || bare.test(text))

/** Part of any text that holds a placeholder. */
const sign = /redacted|hidden|removed|masked|filtered|omitted|sanitized|\*{3}/i

/** Fields of keys, which are judged only where they are known. */
const isOfKey = (name: string): boolean => name === 'key' || name === 'prefix' || isSecretName(name)

/** True if a body stands in place of another, or is JSON with such a text in it; secrets of keys may be replaced. */
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

/** True if a part of a path stands in place of another. */
export const isReplacedPath = (path: string): boolean =>
  sign.test(path) && path.split('/').some((part) => isPlaceholder(decodePercent(part) ?? part))
