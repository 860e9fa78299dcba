/** Classes of texts that services damage, by what a text holds. */

const parts = {
  UNICODE: /[^\0-\x7f\u00a0\u2028]/,
  SPACES: /[^\S\r\n]{2}|[\t\u00a0]/,
  LINES: /[\r\n\u2028]/,
  MARKUP: /[<&{\\`]/,
} as const

/** A class of texts that services damage, by its name in the ids of requirements. */
export type TextClass = keyof typeof parts | 'LONG'

/** Length beyond which many database columns cut a text, in characters. */
const long = 10_000

/** The classes to which a text belongs; white space at its ends does not count. */
export function textClassesOf(text: string): TextClass[] {
  const inner = text.trim()
  const found = (Object.keys(parts) as (keyof typeof parts)[]).filter((name) => parts[name].test(inner))
  return inner.length > long ? [...found, 'LONG'] : found
}

/**
 * The class of a text with a single kind of content that services damage; undefined: it has none or several. White
 * space together with another kind does not count, nor do wide characters in a long text.
 */
export function soleTextClassOf(text: string): TextClass | undefined {
  const all = textClassesOf(text)
  const [isLong, isOther] = [all.includes('LONG'), all.some((one) => one !== 'SPACES')]
  const [only, ...more] = all.filter((one) =>
    one === 'SPACES' ? !isOther : one === 'UNICODE' ? !isLong : true,
  )
  return more.length === 0 ? only : undefined
}
