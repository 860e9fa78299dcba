/** Renders Markdown as elements whose contents are text nodes: nothing that a client sent is ever read as HTML. */
import type { ComponentChildren } from 'preact'
import { type Inline, parseMarkdown } from './parse.ts'

/** Longest document that is rendered; a longer one is shown as text. */
const longest = 200_000

/** The document. */
export function Markdown({ text }: { readonly text: string }) {
  if (text.length > longest) return <pre>{text}</pre>
  return <div class="markdown">{draw(parseMarkdown(text))}</div>
}

const draw = (pieces: readonly Inline[]): ComponentChildren =>
  pieces.map((piece, place) => {
    if (typeof piece === 'string') return piece
    const { tag, href, children } = piece
    const Tag = tag as 'a'
    const link = href === undefined ? {} : { href, target: '_blank', rel: 'noopener noreferrer' }
    return (
      <Tag key={place} {...link}>
        {draw(children)}
      </Tag>
    )
  })
