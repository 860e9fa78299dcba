/** Text in Markdown. */
import { oneLine } from './one-line.ts'

/** Plain text, in which no tag, link, emphasis or table cell begins. */
export function prose(text: string): string {
  return oneLine(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]~|]/g, '\\$&')
}

/** A code block whose fence is longer than any in the text. */
export function fence(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}text\n${text}\n${mark}`
}

/** A folded block. `title`: HTML. */
export function folded(title: string, body: string): string {
  return `<details><summary>${title}</summary>\n\n${body}\n\n</details>`
}
