/** Headers that keep other pages from framing the mock, and text from becoming code. */

/** The page loads nothing but its own files, and runs nothing that stands in HTML. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** For everything that an operator gets: not to be framed, guessed or read by other sites. */
export const unframed: Readonly<Record<string, string>> = {
  'x-frame-options': 'DENY',
  'content-security-policy': "frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** For the page. The token in its address is not passed on to where its links lead. */
export const pageHeaders: Readonly<Record<string, string>> = {
  ...unframed,
  'content-security-policy': policy,
}

/**
 * For a page with a token in its address: another page that opens it gets no hold of its window. Without a token there
 * is nothing to hide, and the new process that this takes would delay the first paint by 70 ms.
 */
export const tokenHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'cross-origin-opener-policy': 'same-origin',
}
