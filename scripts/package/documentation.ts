/** The documentation while it is packed: links to what is not in the package, and pictures, lead nowhere there. */
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseArgs } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }

const { files } = manifest
const leftOut = files.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1))
const pages = globSync(
  files.filter((pattern) => /^[^!].*\.md$/.test(pattern)),
  { exclude: leftOut },
)
const packed = new Set([...pages, 'LICENSE'])

/** Returns a page with the text of such links in their place, and without its pictures. */
export const selfContained = (page: string, text: string): string =>
  text
    .replace(/<picture>.*?<\/picture>\n|<img .*?>\n/gs, '')
    .replace(/\[([^\]\n]+)\]\((?!\w+:)([^)#\s]+)[^)\s]*\)/g, (link, label, target) =>
      packed.has(normalize(join(dirname(page), target))) ? link : label,
    )

/** The pages as they were. */
const kept = '.packing'

/** Rewrites the pages of this folder before it is packed; `--restore`: writes them as they were. */
if (import.meta.main) {
  const { restore } = parseArgs({ options: { restore: { type: 'boolean' } } }).values
  if (restore) cpSync(kept, '.', { recursive: true })
  rmSync(kept, { recursive: true, force: true })
  for (const page of restore ? [] : pages) {
    const text = readFileSync(page, 'utf8')
    mkdirSync(join(kept, dirname(page)), { recursive: true })
    writeFileSync(join(kept, page), text)
    writeFileSync(page, selfContained(page, text))
  }
}
