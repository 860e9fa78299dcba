/** Renders Markdown as elements whose contents are text nodes: nothing that a client sent is ever read as HTML. */
import type { ComponentChildren } from 'preact'
import { type Block, type Inline, parseMarkdown } from './parse.ts'

/** Longest document that is rendered; a longer one is shown as text. */
const longest = 200_000

/** The document. */
export function Markdown({ text }: { readonly text: string }) {
  if (text.length > longest) return <pre>{text}</pre>
  return <div class="markdown">{blocks(parseMarkdown(text))}</div>
}

const blocks = (all: readonly Block[]): ComponentChildren =>
  all.map((block, place) => <Part key={place} block={block} />)

const inlines = (all: readonly Inline[]): ComponentChildren =>
  all.map((one, place) => (typeof one === 'string' ? one : <Piece key={place} piece={one} />))

function Part({ block }: { readonly block: Block }) {
  switch (block.kind) {
    case 'heading': {
      // The page has headings of its own above these.
      const Heading = `h${Math.min(6, block.level + 2)}` as 'h3'
      return <Heading>{inlines(block.children)}</Heading>
    }
    case 'paragraph':
      return <p>{inlines(block.children)}</p>
    case 'code':
      return <pre>{block.text}</pre>
    case 'quote':
      return <blockquote>{blocks(block.blocks)}</blockquote>
    case 'rule':
      return <hr />
    case 'list': {
      const List = block.ordered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, place) => (
            <li key={place}>{blocks(item)}</li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <table>
          <tbody>
            {block.rows.map((cells, place) => (
              <tr key={place}>
                {cells.map((cell, column) =>
                  place === 0 ? <th key={column}>{inlines(cell)}</th> : <td key={column}>{inlines(cell)}</td>,
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )
  }
}

function Piece({ piece }: { readonly piece: Exclude<Inline, string> }) {
  if (piece.kind === 'link')
    return (
      <a href={piece.href} target="_blank" rel="noopener noreferrer">
        {inlines(piece.children)}
      </a>
    )
  const Mark = piece.kind
  return <Mark>{inlines(piece.children)}</Mark>
}
