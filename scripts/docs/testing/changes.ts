/** Diffs as a page shows them: context lines, added lines, removed lines, with `@@` between hunks. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Block } from './pages.ts'

/** Applies a diff to a copy of the repository. @throws Error unless each hunk matches the file exactly once. */
export function applyChange(copy: string, { file = '', text, page, line }: Block): void {
  const path = join(copy, file)
  let content = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const hunk of text.split(/^@@\n/m)) {
    const lines = hunk.replace(/\n$/, '').split('\n')
    const [before, after] = ['+', '-'].map((sign) =>
      lines
        .filter((one) => !one.startsWith(sign))
        .map((one) => `${one.slice(1)}\n`)
        .join(''),
    ) as [string, string]
    if (before !== '' && content.split(before).length !== 2)
      throw new Error(`${page}:${line}: does not match ${file} exactly once:\n${before}`)
    content = before === '' ? after : content.replace(before, () => after)
  }
  writeFileSync(path, content)
}

/** How many lines a diff adds. */
export function sizeOf({ text }: Block): number {
  return text.split('\n').filter((line) => /^\+./.test(line)).length
}
