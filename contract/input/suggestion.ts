/** Suggestions for misspelled words in flags, headers, keys, texts, control calls and plain JavaScript. */
import { distance } from 'fastest-levenshtein'

export { distance }

/** Joins words without `Intl`: loading its locales takes a tenth of the time in which a command starts. */
const joined = (words: readonly string[], conjunction: string): string =>
  words.length < 3
    ? words.join(` ${conjunction} `)
    : `${words.slice(0, -1).join(', ')}, ${conjunction} ${words.at(-1)}`

/** Joins words as `first, second, or third`. */
export const joinWithOr = (words: readonly string[]) => joined(words, 'or')

/** Joins words as `first, second, and third`. */
export const joinWithAnd = (words: readonly string[]) => joined(words, 'and')

/**
 * Writes advice on an unknown word: `did you mean "busy"?` or, if no known word is similar, `write first or second`.
 * `listed`: the words that the latter names; default: all.
 */
export function adviceOnUnknownWord(word: string, words: readonly string[], listed = words): string {
  const meant = similar(word, words)
  return meant === undefined ? `write ${joinWithOr(listed)}` : `did you mean "${meant}"?`
}

/**
 * Finds the known word that was probably meant: the one that differs in the fewest letters, at most `most`; undefined:
 * no word is that close.
 */
export function findClosestWord<W extends string>(
  word: string,
  words: readonly W[],
  most = 2,
): W | undefined {
  const plain = word.toLowerCase()
  const letters = lettersOf(plain)
  let nearest: { word: W; slips: number } | undefined
  for (const known of words) {
    // Letters in another order are one slip.
    const slips = lettersOf(known) === letters ? 1 : distance(plain, known.toLowerCase())
    if (slips <= most && slips < (nearest?.slips ?? Number.POSITIVE_INFINITY))
      nearest = { word: known, slips }
  }
  return nearest?.word
}

/**
 * Writes the end of a message about a misspelled word, such as `; did you mean busy?`; empty if no known word is
 * similar.
 */
export function formatSuggestion(word: string, words: readonly string[]): string {
  const meant = similar(word, words)
  return meant ? `; did you mean ${meant}?` : ''
}

const lettersOf = (word: string) => [...word.toLowerCase()].sort().join('')

/** Returns the most similar known word. Of a number, or of up to three letters, one may differ. */
function similar(word: string, words: readonly string[]): string | undefined {
  if (words.includes(word)) return word
  return findClosestWord(
    word.slice(0, 100),
    words,
    /^(?:\d+|.{1,3})$/.test(word) ? 1 : Math.ceil(word.length * 0.4),
  )
}
