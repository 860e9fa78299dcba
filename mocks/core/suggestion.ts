/** Suggestions for misspelled words in flags, headers, keys, texts and control calls. */
import { closest, distance } from 'fastest-levenshtein'

export { distance }

/** Returns the question that names the most similar word, such as `did you mean "busy"?`. */
export function didYouMean(word: string, words: readonly string[]): string {
  return `did you mean "${closest(word.toLowerCase(), words)}"?`
}

/** Returns the word that was probably meant: at most `most` letters differ; undefined: there is none. */
export function probablyMeant<W extends string>(word: string, words: readonly W[], most = 2): W | undefined {
  const nearest = closest(word.toLowerCase(), words) as W
  return distance(word.toLowerCase(), nearest) <= most ? nearest : undefined
}
