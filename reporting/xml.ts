/** Text in XML and HTML. */
import { printable } from './one-line.ts'

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
  return printable(text).replace(/[&<>"']/g, (character) => entities[character] ?? '')
}
