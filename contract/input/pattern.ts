/** Texts in regular expressions. */

/** A text as a regular expression that finds it and nothing else. `RegExp.escape` needs Node 24. */
export const patternOfText = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')
