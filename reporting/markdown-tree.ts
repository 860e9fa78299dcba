/** Reads the common part of Markdown into a tree. Everything that it does not know, HTML included, stays text. */

/** An element that the Markdown stands for. The document chooses among these tags, and brings no other. */
interface Piece {
  readonly tag: Tag
  /** Where a link leads. */
  readonly href?: string
  readonly children: readonly Inline[]
}

/** A text, or an element. */
export type Inline = string | Piece

type Tag =
  | `h${3 | 4 | 5 | 6}`
  | 'p'
  | 'pre'
  | 'blockquote'
  | 'hr'
  | 'ul'
  | 'ol'
  | 'li'
  | 'table'
  | 'tbody'
  | 'tr'
  | 'th'
  | 'td'
  | 'a'
  | 'code'
  | 'strong'
  | 'em'
  | 'del'

const piece = (tag: Tag, children: readonly Inline[]): Piece => ({ tag, children })

/** Deepest nesting; deeper quotes and lists stay text. */
const deepest = 8

const item = /^( {0,3})([-*+]|\d{1,9}[.)])(?: +|$)/
const fence = /^ {0,3}(`{3,}|~{3,})/
const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t]*#*$/
const rule = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/
const quote = /^ {0,3}> ?/
const row = /^ {0,3}\|(.*)\|[ \t]*$/

/** Parses a document. */
export const parseMarkdown = (text: string): Piece[] => blocksOf(text.split(/\r\n|\r|\n/), 0)

/** Returns how many of the lines from `start` on match. */
function lengthOf(lines: readonly string[], start: number, matches: (line: string) => boolean): number {
  let end = start
  while (end < lines.length && matches(lines[end] ?? '')) end++
  return end - start
}

/** Reads one block from the beginning of the lines; returns it, and how many lines it takes. */
type Reader = (lines: readonly string[], start: number, depth: number) => readonly [Piece, number] | undefined

const readers: readonly Reader[] = [
  function readFence(lines, start) {
    const mark = fence.exec(lines[start] ?? '')?.[1]
    if (!mark) return undefined
    const inner = lengthOf(lines, start + 1, (line) => !line.trim().startsWith(mark))
    const text = lines.slice(start + 1, start + 1 + inner).join('\n')
    return [piece('pre', [text]), inner + 2]
  },
  function readHeading(lines, start) {
    const found = heading.exec(lines[start] ?? '')
    if (!found) return undefined
    const [, marks = '', text = ''] = found
    // The page has headings of its own above these.
    return [piece(`h${Math.min(6, marks.length + 2)}` as 'h3', parseInline(text)), 1]
  },
  (lines, start) => (rule.test(lines[start] ?? '') ? [piece('hr', []), 1] : undefined),
  function readQuote(lines, start, depth) {
    const length = depth < deepest ? lengthOf(lines, start, (line) => quote.test(line)) : 0
    if (length === 0) return undefined
    const inner = lines.slice(start, start + length).map((line) => line.replace(quote, ''))
    return [piece('blockquote', blocksOf(inner, depth + 1)), length]
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
    const entries = items.map((one) => piece('li', blocksOf(one, depth + 1)))
    return [piece(ordered ? 'ol' : 'ul', entries), length]
  },
  function readTable(lines, start) {
    if (!/^[\s|:-]*-[\s|:-]*$/.test(lines[start + 1] ?? '')) return undefined
    const length = lengthOf(lines, start, (line) => row.test(line))
    if (length < 2) return undefined
    const shown = lines.slice(start, start + length).filter((_, index) => index !== 1)
    const rows = shown.map((line, place) => {
      const cells = (row.exec(line)?.[1] ?? '').split('|')
      const cell = (text: string) => piece(place === 0 ? 'th' : 'td', parseInline(text.trim()))
      return piece('tr', cells.map(cell))
    })
    return [piece('table', [piece('tbody', rows)]), length]
  },
]

function blocksOf(lines: readonly string[], depth: number): Piece[] {
  const blocks: Piece[] = []
  let paragraph: string[] = []
  const flush = () => {
    if (paragraph.length > 0) blocks.push(piece('p', parseInline(paragraph.join('\n'))))
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
  if (text !== undefined) return piece('code', [text])
  const marked = Object.entries({ strong, del, em } as const).find(([, inner]) => inner !== undefined)
  if (marked) return piece(marked[0] as 'em', parseInline(marked[1] ?? '', depth + 1))
  if (href === undefined || !isSafe(href)) return whole
  return { href, ...piece('a', parseInline(label || href, depth + 1)) }
}

/** Whether a link may be followed: only the web and mail, never a script or data. */
const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:)/i.test(href)
