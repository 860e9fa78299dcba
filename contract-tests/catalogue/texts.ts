/** Texts and ids that are easily damaged on their way. */

/** By what they are about; `{mark}` is replaced by a text of the run's own. */
export const texts = {
  UNICODE: '{mark} Grüße, 東京 🚀👩‍👩‍👧 עִבְרִית \u00e9 (composed) e\u0301 (decomposed)',
  SPACES: '  {mark} with spaces around and\ta tab, two  spaces and one\u00a0that does not break  ',
  LINES: '{mark}\nfirst\r\nsecond\n\nfourth\n',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is meant to look like one
  MARKUP: '{mark} <b>&amp; "quotes" \'single\' \\ back / slash </b> ${x} %20 --',
}

/** 20,000 characters. */
export function longText(mark: string): string {
  return `${mark} ${'long text '.repeat(2_000)}`.slice(0, 20_000)
}

/**
 * Ids that nobody has and that must not break anything. None has a slash or a percent sign: many servers refuse
 * those in a path before the API is asked, and may.
 */
export const oddIds = ['a b\'c"d', 'a&b=c?d#e', 'ünïcödé-東京', 'x'.repeat(300)]
