/** One document with its Markdown rendered. */
import { Markdown } from '../../markdown/markdown.tsx'
import type { Item } from '../../model/answers.ts'
import { Copy } from '../../parts/copy.tsx'

/** The document. */
export function DocumentText({ item: { title, content_md, summary } }: { readonly item: Item }) {
  const text = String(content_md ?? '')
  return (
    <>
      <h2>{String(title)}</h2>
      <Copy what="Markdown" text={text} />
      {typeof summary === 'string' && <p class="text">{summary}</p>}
      <Markdown text={text} />
    </>
  )
}
