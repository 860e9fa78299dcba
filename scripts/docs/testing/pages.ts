/** The pages that people read, and their parts: fenced blocks, inline code, headings, links, and diffs that apply to a copy. */
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A fenced code block. */
export interface Block {
  readonly page: string
  /** Number of its first line, from 1. */
  readonly line: number
  readonly language: string
  /** The path of the file that it shows, written after the language. */
  readonly file: string | undefined
  readonly text: string
  /** True if nothing but a blank line is between it and the block before. */
  readonly follows: boolean
}

/** A page of the documentation, split into code blocks and prose. */
export interface Page {
  readonly path: string
  readonly blocks: readonly Block[]
  /** The text outside of fenced blocks. */
  readonly prose: string
}

/** All pages of the documentation, sorted by their path in the repository. */
export const pages: readonly Page[] = globSync(['*.md', 'docs/**/*.md', 'examples/*/README.md'])
  .filter((path) => !path.includes('node_modules'))
  .sort()
  .map((path) => parsePage(path, readFileSync(path, 'utf8')))

/** Splits the Markdown text of a page into code blocks and prose. */
export function parsePage(path: string, text: string): Page {
  const blocks: Block[] = []
  const prose: string[] = []
  let open: { line: number; info: string; lines: string[] } | undefined
  let sinceBlock = 'text before'
  for (const [i, line] of text.split('\n').entries()) {
    const [, info] = /^\s*```(.*)$/.exec(line) ?? []
    if (open && info !== undefined) {
      const [language = '', file] = open.info.split(' ')
      const follows = sinceBlock === ''
      blocks.push({ page: path, line: open.line, language, file, text: open.lines.join('\n'), follows })
      open = undefined
      sinceBlock = ''
    } else if (open) open.lines.push(line)
    else if (info !== undefined) open = { line: i + 2, info: info.trim(), lines: [] }
    else {
      prose.push(line)
      sinceBlock += line.trim()
    }
  }
  if (open) throw new Error(`${path}:${open.line}: a block that does not end`)
  return { path, blocks, prose: prose.join('\n') }
}

/** The anchors of a page: those that it sets, and those that GitHub derives from its headings. */
export function anchorsOf({ prose }: Page): string[] {
  const seen = new Map<string, number>()
  const set = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, anchor = '']) => anchor)
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '')
      .replaceAll(' ', '-')
    const times = seen.get(anchor) ?? 0
    seen.set(anchor, times + 1)
    return times === 0 ? anchor : `${anchor}-${times}`
  })
  return [...set, ...headings]
}

/** The targets of the links and pictures of a page. */
export function linksOf({ prose }: Page): string[] {
  const text = prose.replace(/`[^`\n]*`/g, '')
  return [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g)].map(
    ([, target, attribute]) => target ?? attribute ?? '',
  )
}

/** The inline code in the text of a page, outside of tables. */
export function inlineCodeOf({ prose }: Page): string[] {
  // The rows of recipes are tried by their own test.
  const text = prose.replace(/^(?:\||- control: ).*$/gm, '')
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/**
 * Applies a diff block of a page to a copy of the repository. @throws Error unless each hunk matches the file exactly
 * once.
 */
export function applyDiffBlock(copy: string, { file = '', text, page, line }: Block): void {
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
      throw new Error(
        `${page}:${line}: does not match ${file} exactly once; where the file has changed, change the block, too:\n${before}`,
      )
    content = before === '' ? after : content.replace(before, () => after)
  }
  writeFileSync(path, content)
}
