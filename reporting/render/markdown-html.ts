/** Renders Markdown as HTML: nothing of the text is read as HTML, whatever it contains. */
import { type Inline, parseMarkdown } from '../markdown-tree.ts'
import { html } from '../markup.ts'
import { documentOf } from './html.ts'

/** Longest text that is rendered; a longer one is shown as it is. */
const longest = 200_000

/** Renders a text as a document. */
export const renderMarkdownText = (text: string): string =>
  documentOf('Markdown', '', text.length > longest ? `<pre>${html(text)}</pre>` : draw(parseMarkdown(text)))

const draw = (pieces: readonly Inline[]): string =>
  pieces
    .map((piece) => {
      if (typeof piece === 'string') return html(piece)
      const { tag, href, children } = piece
      const link = href === undefined ? '' : ` href="${html(href)}"`
      return tag === 'hr' ? '<hr>' : `<${tag}${link}>${draw(children)}</${tag}>`
    })
    .join('')
