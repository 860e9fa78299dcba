/** Text in Markdown. */
import { oneLine, printable } from './one-line.ts'

/** Plain text, in which no tag, link, emphasis or table cell begins. */
export function prose(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]~|]/g, '\\$&')
}

/** A code block whose fence is longer than any in the text. */
export function fence(text: string): string {
  const longest = text.matchAll(/`+/g).reduce((most, [run]) => Math.max(most, run.length), 2)
  const mark = '`'.repeat(longest + 1)
  return `${mark}text\n${printable(text)}\n${mark}`
}

/** A folded block. `title`: HTML. */
export function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`
}

/** A table. Heads and cells: Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
