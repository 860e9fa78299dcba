/** Texts that recorders and sanitizers put in place of others: what stood there is not known. Pure. */

import { jsonBoundsProblem, parseJson } from './json-bounds.ts'
import { decodePercent } from './malformed-input.ts'
import { isSecretName } from './secret-names.ts'

/** Words that recorders and people put in place of a credential, anywhere in it. */
const secretSign =
  /redacted(?!-\d)|hidden|removed|masked|filtered|omitted|sanitized|scrubbed|anonymi[sz]ed|placeholder|\*{3}|•{3}|x{6}/i
/** A template, dots, or a word that says what belongs there, in place of a whole credential. */
const secretTemplate =
  /^(?:(?:Bearer|Basic|Token)\s+)?(?:<.*>|\{.*\}|\[(?!redacted-\d).*\]|\(.*\)|%\w+%|\$\w+|\$\{.*\}|[.…]+|null|undefined|none|dummy|secret|(?:your|my|the|some)?[-_ ]?(?:api|access|auth)?[-_ ]?(?:key|token|secret)(?:[-_ ]?here)?)$/i

/** The most credentials whose judgement is kept: most entries of a recording have the same one. */
const mostJudged = 100
const judged = new Map<string, boolean>()

/**
 * True if a credential looks like a placeholder, such as `[redacted]`, that a recorder wrote in place of the real one.
 */
export function mayBeSecretPlaceholder(credential: string): boolean {
  const known = judged.get(credential)
  if (known !== undefined) return known
  const isOne = secretSign.test(credential) || secretTemplate.test(credential.trim())
  if (judged.size >= mostJudged) judged.clear()
  judged.set(credential, isOne)
  return isOne
}

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

/** True if a whole text is a placeholder for another one that was removed, such as `[redacted]`. */
export const isPlaceholder = (text: string): boolean =>
  text.length <= longest && (placeholder.test(text) || bare.test(text))

/** Word that any text with a placeholder in it contains. */
const sign = /redacted|hidden|removed|masked|filtered|omitted|sanitized|\*{3}/i

/** True for the fields of keys; a placeholder in them does not hide the rest of a body. */
const isOfKey = (name: string): boolean => name === 'key' || name === 'prefix' || isSecretName(name)

/** True if a body was replaced by a placeholder, or is JSON that contains a placeholder outside the fields of keys. */
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

/** True if a segment of the path, or the value of a query parameter, was replaced by a placeholder. */
export const isReplacedTarget = ({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean =>
  (sign.test(pathname) && pathname.split('/').some((part) => isPlaceholder(decodePercent(part) ?? part))) ||
  (sign.test(search) && [...new URLSearchParams(search).values()].some(isPlaceholder))
