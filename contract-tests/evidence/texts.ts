/** Texts and ids that services often damage. */

/** By what they contain; `{mark}` is replaced by a unique text of the run. */
export const texts = {
  UNICODE:
    '{mark} Grüße, 東京 𠮷野家 🚀👩‍👩‍👧 ❤\ufe0f עִבְרִית\u200f co\u00adoperate \u00e9 (composed) e\u0301 (decomposed) zero\u200bwidth Ｆｕｌｌ ﬁ ² \ue000 \ufeffmark \u202aembedded\u202c \u2066isolated\u2069',
  SPACES: '  {mark} with spaces around and\ta tab, two  spaces and one\u00a0that does not break  ',
  LINES: '{mark}%41\nfirst\r\nsecond\n\n  fourth  \n\n\n\neighth\u2028ninth\rtenth\n- eleventh\n',
  MARKUP:
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is meant to look like a template
    '{mark} <b onclick="x">&amp;<script>x</script> "quotes" \'single\' \'\' \\ / \\n \\u0041 </b> ${x} {{x}} *x* _y_ `z`# %20 100% %s 1+1 -- ... (c) :) :smile: http://a@b.example <!--c-->',
}

/** White space at either end of texts, which a service should keep. */
export const paddings = ['  {mark} ', '\n\t{mark}\n'] as const

/** Texts for the short fields of a document. */
export const fieldTexts = {
  title: "=1+1 “Ü”'s 東京  🚀👩‍👩‍👧 ❤\ufe0f e\u0301: a/b\\<b>&amp;</b>{{x}}%s%20 *x* _y_ `z`#",
  summary:
    "-1+1 “Ü”'s 東京\t🚀👩‍👩‍👧 ❤\ufe0f e\u0301: a/b \\ <b>&amp;</b> {{x}} %s %20 *x* _y_ `z` #  \r\nsecond line",
} as const

/** Lengths of the same that are longer than usual columns, in characters. */
export const fieldLengths = { title: 1_100, summary: 2_100 } as const

/** Texts that services take for values of another type. */
const lookalikes = ['007', '0', 'true', 'null', '[]', '2026-01-02', '2026-01-02T03:04:05Z'] as const
export const lookalike = (nth: number) => lookalikes[nth % lookalikes.length] ?? ''

/** The same with a mark in them. */
export const markedLookalike = (mark: string, nth: number) => JSON.stringify(nth % 2 === 0 ? mark : [mark])

/** All of them in one text, without white space at either end. */
export const allTexts = (mark: string): string =>
  Object.values(texts)
    .map((text) => text.replace('{mark}', mark))
    .join('|')

/** The same, made long, with a beginning like that of a formula and white space of every kind at either end. */
export const everyText = (mark: string): string => `  \n\t=1+1|${allTexts(mark)}|${longText(mark)} \n`

/** Whether a stored text is the one that was sent, but for white space at either end (§2). */
export function isKept(stored: unknown, sent: string): boolean {
  return typeof stored === 'string' && stored.trim() === sent.trim()
}

/** Lengths of long texts, in characters: the first is more than a column of 65,535 bytes holds, the others for services that refuse it. */
export const longLengths = [70_000, 20_000] as const

/** Repeated in long texts: a service that decodes a body piece by piece damages characters of several bytes. */
const wide = 'long text long text 長い文章 '

export function longText(mark: string, length: number = longLengths[0]): string {
  return `${mark} ${wide.repeat(length / wide.length)}`.slice(0, length)
}

/**
 * Unusual ids that do not exist: with characters that mean something in an address, long, a name of a built-in
 * property, and a number that no integer of 64 bits holds. None has a slash or a percent sign (`malformedIds`).
 */
export const oddIds = ['a b\'c"d&e=f?g#ünïcödé-東京', 'x'.repeat(300), 'constructor', '99999999999999999999']

/** Another of them, which no double holds. */
export const inexactId = '9007199254740993'

/** Ids that services take for one that exists: with more after it, and of numbers 2³² further. */
export const nearIds = (id: string): string[] => [
  `${id}abc`,
  ...(/^\d{1,15}$/.test(id) ? [String(Number(id) + 2 ** 32)] : []),
]

/**
 * Ids as they stand in a path: with NUL, with a byte that is not UTF-8, with a percent sign that encodes nothing, and
 * with an encoded percent sign and slash. Servers may refuse each before the API sees it.
 */
export const malformedIds = ['a%00', '%ff', '%', '%25', 'a%2Fb']

/** Those of them that fail in the routes themselves rather than in their server. */
export const malformedIdsEverywhere = malformedIds.slice(0, 2)

/** What may stand in a JSON text and damages it: a byte that is no UTF-8, half a pair of surrogates, and NUL. */
export const oddJson = {
  'a byte that is not UTF-8': '\udcff',
  'a lone surrogate': '\\ud800',
  NUL: '\\u0000',
} as const

/** Levels of a body that is nested deeper than any that clients send. */
export const deepLevels = 10_000
