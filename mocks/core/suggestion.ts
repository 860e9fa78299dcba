/** Suggestions for misspelled words in flags, headers, keys, texts and control calls. */
import { closest, distance } from 'fastest-levenshtein'

export { distance }

/** Returns the question that names the most similar word, such as `did you mean "busy"?`. */
export function didYouMean(word: string, words: readonly string[]): string {
  return `did you mean "${closest(word, words)}"?`
}

/** Returns the word that was probably meant: at most `most` letters differ; undefined: there is none. */
export function probablyMeant<W extends string>(word: string, words: readonly W[], most = 2): W | undefined {
  const plain = word.toLowerCase()
  let nearest: { word: W; slips: number } | undefined
  for (const known of words) {
    const slips = distance(plain, known.toLowerCase())
    if (slips <= most && slips < (nearest?.slips ?? Number.POSITIVE_INFINITY))
      nearest = { word: known, slips }
  }
  return nearest?.word
}

/** Returns `; did you mean busy?` if a word is similar to a known one, else an empty text. */
export function suggestion(word: string, words: readonly string[]): string {
  const meant = probablyMeant(word, words, Math.ceil(word.length * 0.4))
  return meant ? `; did you mean ${meant}?` : ''
}
