/** Quotes a word for a shell. */
export const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`

/** The same where a shell would read more into it. */
export const quoteIfNeeded = (word: string) => (/^[\w./:=@%+,-]+$/.test(word) ? word : quote(word))
