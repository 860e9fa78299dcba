/** Texts and ids that services often damage. */

/** By what they contain; `{mark}` is replaced by a unique text of the run. */
export const texts = {
  UNICODE: '{mark} Grüße, 東京 🚀👩‍👩‍👧 עִבְרִית \u00e9 (composed) e\u0301 (decomposed)',
  SPACES: '  {mark} with spaces around and\ta tab, two  spaces and one\u00a0that does not break  ',
  LINES: '{mark}\nfirst\r\nsecond\n\nfourth\n',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is meant to look like a template
  MARKUP: '{mark} <b>&amp; "quotes" \'single\' \\ back / slash </b> ${x} %20 --',
}

/** White space at either end of texts, which a service should keep. */
export const paddings = ['  {mark} ', '\n\t{mark}\n'] as const

/** Texts for the short fields of a document. */
export const fieldTexts = {
  title: 'Über 東京  🚀 e\u0301: “document” <b>&amp;',
  summary: 'Über 東京  🚀 e\u0301: “summary” <b>&amp;\nsecond line',
} as const

/** All of them in one long text, with white space of every kind at either end. */
export function everyText(mark: string): string {
  const inner = Object.values(texts).map((text) => text.replace('{mark}', mark))
  return `  \n\t${[...inner, longText(mark)].join('|')} \n`
}

/** Whether a stored text is the one that was sent; white space may be trimmed at either end (§2). */
export function isKept(stored: unknown, sent: string): boolean {
  return typeof stored === 'string' && sent.includes(stored) && stored.trim() === sent.trim()
}

/** Whether two texts are the same but for white space at either end. */
export function isSameTrimmed(a: unknown, b: unknown): boolean {
  return typeof a === 'string' && typeof b === 'string' ? a.trim() === b.trim() : Object.is(a, b)
}

/** 20,000 characters. */
export function longText(mark: string): string {
  return `${mark} ${'long text '.repeat(2_000)}`.slice(0, 20_000)
}

/**
 * Unusual ids that do not exist, some of them names of built-in properties. None has a slash or a percent sign: servers may refuse those in a path before
 * the request reaches the API.
 */
export const oddIds = ['a b\'c"d', 'a&b=c?d#e', 'ünïcödé-東京', 'x'.repeat(300), '__proto__', 'constructor']
