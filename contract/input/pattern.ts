/** Escapes texts for use in regular expressions. */

/** Escapes a text for use in a regular expression that matches it literally. `RegExp.escape` would need Node 24. */
export const escapeRegExp = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
