/** Text in Markdown, in XML, and in one line. */

/** Plain text, in which no tag, link, emphasis or table cell begins. */
export function escapeMarkdown(text: string): string {
  return printableLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]~|]/g, '\\$&')
}

/** A code block whose fence is longer than any in the text. */
export function fencedCode(text: string): string {
  const longest = text.matchAll(/`+/g).reduce((most, [run]) => Math.max(most, run.length), 2)
  const mark = '`'.repeat(longest + 1)
  return `${mark}text\n${printable(text)}\n${mark}`
}

/** A collapsible block for Markdown. `title`: HTML; `body`: Markdown. */
export function renderCollapsibleBlock(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`
}

/** A Markdown table; its heads and cells are Markdown. */
export function renderMarkdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an XML 1.0 element or attribute, without the characters that XML forbids. */
export function escapeXml(text: string): string {
  return escapeHtml(
    text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''),
  )
}

/** Text for an XML 1.0 attribute, where a line end would be read as a space if it was not escaped. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text inside an HTML element or attribute. */
export function escapeHtml(text: string): string {
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}

/**
 * Control characters and invisible ones that change how the others are shown, such as the direction of writing
 * (U+202E). Joiners are left alone: they belong to letters and emoji.
 */
const hidden = /(?!\r?\n|[\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu
/** The same, and characters that end a line or move within it. */
const hiddenInLine = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The text with its lines, each hidden character spelled as JSON spells it. */
export function printable(text: string): string {
  return text.replace(hidden, spelled)
}

/** The text in one line, each hidden character spelled as JSON spells it. */
export function printableLine(text: string): string {
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

/** A number with its noun: `1 request`, `2 requests`. */
export const countWithNoun = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? '' : 's'}`
