/** Untrusted text on a terminal or in a report: no control character of it gets through, and none that hides others. */

/**
 * Control characters, and what shows nothing itself but changes what is shown: the direction of writing (U+202E), or
 * that characters stand there at all. Joiners belong to letters and emoji.
 */
const hidden = /(?!\r?\n|[\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** The same, with what ends a line or moves within it. */
const hiddenInLine = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text with its lines, each hidden character spelled as JSON spells it. */
export function printable(text: string): string {
  return text.replace(hidden, spelled)
}

/** The text in one line, each hidden character spelled as JSON spells it. */
export function oneLine(text: string): string {
  return text.replace(hiddenInLine, spelled)
}

/** A value as JSON that reads the same, with no hidden character in it. */
export function printableJson(value: object, indent?: number): string {
  return printable(JSON.stringify(value, null, indent))
}

/** A character as JSON spells it. */
function spelled(character: string): string {
  const short = JSON.stringify(character).slice(1, -1)
  if (short !== character) return short
  return character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
