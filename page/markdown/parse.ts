/** Reads the common part of Markdown into a tree. Everything that it does not know, HTML included, stays text. */

/** A piece of a line. */
export type Inline =
  | string
  | { readonly kind: 'strong' | 'em' | 'code' | 'del'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }

/** A block. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly children: readonly Inline[] }
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly (readonly Block[])[] }
  | { readonly kind: 'table'; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  | { readonly kind: 'rule' }

/** Deepest nesting; deeper quotes and lists stay text. */
const deepest = 8

const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?: +|$)/
const fence = /^ {0,3}(`{3,}|~{3,})/
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*$/
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const quote = /^ {0,3}> ?/
const row = /^ {0,3}\|(.*)\|[ \t]*$/

/** Parses a document. */
export const parseMarkdown = (text: string): Block[] => blocksOf(text.split(/\r\n|\r|\n/), 0)

/** Returns how many of the lines from `start` on match. */
function lengthOf(lines: readonly string[], start: number, matches: (line: string) => boolean): number {
  let end = start
  while (end < lines.length && matches(lines[end] ?? '')) end++
  return end - start
}

/** Reads one block from the beginning of the lines; returns it, and how many lines it takes. */
type Reader = (lines: readonly string[], start: number, depth: number) => readonly [Block, number] | undefined

const readers: readonly Reader[] = [
  function readFence(lines, start) {
    const mark = fence.exec(lines[start] ?? '')?.[1]
    if (!mark) return undefined
    const inner = lengthOf(lines, start + 1, (line) => !line.trim().startsWith(mark))
    const text = lines.slice(start + 1, start + 1 + inner).join('\n')
    return [{ kind: 'code', text }, inner + 2]
  },
  function readHeading(lines, start) {
    const found = heading.exec(lines[start] ?? '')
    if (!found) return undefined
    const [, marks = '', text = ''] = found
    return [{ kind: 'heading', level: marks.length, children: parseInline(text) }, 1]
  },
  (lines, start) => (rule.test(lines[start] ?? '') ? [{ kind: 'rule' }, 1] : undefined),
  function readQuote(lines, start, depth) {
    const length = depth < deepest ? lengthOf(lines, start, (line) => quote.test(line)) : 0
    if (length === 0) return undefined
    const inner = lines.slice(start, start + length).map((line) => line.replace(quote, ''))
    return [{ kind: 'quote', blocks: blocksOf(inner, depth + 1) }, length]
  },
  function readList(lines, start, depth) {
    const first = item.exec(lines[start] ?? '')
    if (!first || depth >= deepest) return undefined
    const ordered = /\d/.test(first[2] ?? '')
    const belongs = (line: string) =>
      /^ {2,}\S/.test(line) || (/\d/.test(item.exec(line)?.[2] ?? '-') === ordered && item.test(line))
    const length = lengthOf(lines, start, belongs)
    const items: string[][] = []
    for (const line of lines.slice(start, start + length)) {
      const found = item.exec(line)
      if (found && (items.length === 0 || (found[1] ?? '').length < 2))
        items.push([line.slice(found[0].length)])
      else items.at(-1)?.push(line.replace(/^ {1,4}/, ''))
    }
    return [{ kind: 'list', ordered, items: items.map((one) => blocksOf(one, depth + 1)) }, length]
  },
  function readTable(lines, start) {
    if (!/^[\s|:-]*-[\s|:-]*$/.test(lines[start + 1] ?? '')) return undefined
    const length = lengthOf(lines, start, (line) => row.test(line))
    if (length < 2) return undefined
    const shown = lines.slice(start, start + length).filter((_, index) => index !== 1)
    const cells = (line: string) =>
      (row.exec(line)?.[1] ?? '').split('|').map((cell) => parseInline(cell.trim()))
    return [{ kind: 'table', rows: shown.map(cells) }, length]
  },
]

function blocksOf(lines: readonly string[], depth: number): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', children: parseInline(paragraph.join('\n')) })
    paragraph = []
  }
  for (let at = 0; at < lines.length; ) {
    const line = lines[at] ?? ''
    const found = readers.map((read) => read(lines, at, depth)).find((block) => block !== undefined)
    if (found || line.trim() === '') flush()
    if (found) blocks.push(found[0])
    else if (line.trim() !== '') paragraph.push(line.trim())
    at += found?.[1] ?? 1
  }
  flush()
  return blocks
}

const inline =
  /(?<code>`+)(?<text>.+?)\k<code>|\*\*(?<strong>[^\s*](?:.*?[^\s])?)\*\*|~~(?<del>.+?)~~|(?<![\w*])(?<mark>[*_])(?<em>[^\s*_](?:.*?[^\s])?)\k<mark>(?!\w)|\[(?<label>[^\]]*)\]\((?<href>[^()\s]+)\)/s

/** Longest text in which marks are looked for, so that no text takes long. */
const longest = 4_000

/** Parses a line of text. */
export function parseInline(text: string, depth = 0): Inline[] {
  const parts: Inline[] = []
  let rest = text.slice(0, longest)
  for (let found = inline.exec(rest); found && depth < deepest; found = inline.exec(rest)) {
    if (found.index > 0) parts.push(rest.slice(0, found.index))
    parts.push(pieceOf(found, depth))
    rest = rest.slice(found.index + found[0].length)
  }
  const last = rest + text.slice(longest)
  return last === '' ? parts : [...parts, last]
}

function pieceOf({ 0: whole, groups = {} }: RegExpExecArray, depth: number): Inline {
  const { text, strong, del, em, label, href } = groups
  if (text !== undefined) return { kind: 'code', children: [text] }
  if (strong !== undefined) return { kind: 'strong', children: parseInline(strong, depth + 1) }
  if (del !== undefined) return { kind: 'del', children: parseInline(del, depth + 1) }
  if (em !== undefined) return { kind: 'em', children: parseInline(em, depth + 1) }
  if (href === undefined || !isSafe(href)) return whole
  return { kind: 'link', href, children: parseInline(label || href, depth + 1) }
}

/** Whether a link may be followed: only the web and mail, never a script or data. */
const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:)/i.test(href)
