/** Text in Markdown, in XML, and in one line. */

/** Escapes plain text for Markdown, so that it contains no tag, link, emphasis or table cell. */
export function escapeMarkdown(text: string): string {
  return printableLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]~|]/g, '\\$&')
}

/** Writes a Markdown code block whose fence is longer than any in the text. */
export function fencedCode(text: string): string {
  const longest = text.matchAll(/`+/g).reduce((most, [run]) => Math.max(most, run.length), 2)
  const mark = '`'.repeat(longest + 1)
  return `${mark}text\n${printable(text)}\n${mark}`
}

/** Writes a collapsible block for Markdown. `title`: HTML; `body`: Markdown. */
export function renderCollapsibleBlock(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`
}

/** Writes a Markdown table; its heads and cells are Markdown. */
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

/** Escapes text for an XML 1.0 element or attribute, and drops the characters that XML forbids. */
export function escapeXml(text: string): string {
  return escapeHtml(
    text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''),
  )
}

/** Escapes text for an XML 1.0 attribute, including line ends, which would otherwise be read as spaces. */
export function escapeXmlAttribute(text: string): string {
  return escapeXml(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Escapes text for an HTML element or attribute. */
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

/** Escapes the invisible characters of a text as JSON does; line ends stay. */
export function printable(text: string): string {
  return text.replace(hidden, spelled)
}

/** Writes a text in one line, with its invisible characters escaped as JSON does. */
export function printableLine(text: string): string {
  return text.replace(hiddenInLine, spelled)
}

/** Writes a value as JSON without invisible characters; parsing it gives the same value. */
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
