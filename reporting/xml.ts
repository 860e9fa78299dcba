/** Text in XML and HTML. */
import { spelled } from './one-line.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an XML 1.0 element or attribute, without the characters that XML forbids. */
export function xml(text: string): string {
  return html(text.toWellFormed().replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''))
}

/** The same inside an attribute, where a line end would be read as a space. */
export function xmlAttribute(text: string): string {
  return xml(text).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Text inside an HTML element or attribute. */
export function html(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '').replace(controls, spelled)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: whoever prints the file would send them to the terminal
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g
