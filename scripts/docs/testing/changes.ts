/** Changes as a page shows them: lines that stay, that come and that go, `@@` between places of a file. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Block } from './pages.ts'

/** Makes the change in a copy of the repository. @throws Error where its lines are not in the file, or not once. */
export function makeChange(copy: string, { file = '', text, page, line }: Block): void {
  const path = join(copy, file)
  let content = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const place of text.split(/^@@\n/m)) {
    const lines = place.replace(/\n$/, '').split('\n')
    const [before, after] = ['+', '-'].map((sign) =>
      lines
        .filter((one) => !one.startsWith(sign))
        .map((one) => `${one.slice(1)}\n`)
        .join(''),
    ) as [string, string]
    if (before !== '' && content.split(before).length !== 2)
      throw new Error(`${page}:${line}: not once in ${file}:\n${before}`)
    content = before === '' ? after : content.replace(before, () => after)
  }
  writeFileSync(path, content)
}

/** How many lines come. */
export function sizeOf({ text }: Block): number {
  return text.split('\n').filter((line) => /^\+./.test(line)).length
}
