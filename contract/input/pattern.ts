/** Escapes texts for use in regular expressions. */

/** The source of a regular expression that matches a text literally. `RegExp.escape` needs Node 24. */
export const patternOfText = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
