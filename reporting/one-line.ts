/** Untrusted text on a terminal: no control character and no line break of it gets through. */

/** The text in one line, each control character spelled as JSON spells it. */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, spelled)
}

/** A character as JSON spells it. */
export function spelled(character: string): string {
  const short = JSON.stringify(character).slice(1, -1)
  return short === character ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : short
}
