/** Quotes a word for a shell. */
export const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
