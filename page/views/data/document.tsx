/** One document with its Markdown rendered. */
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Item } from '../../model/answers.ts'
import { Copy } from '../../parts/copy.tsx'
import { loadDocument, Rendered } from '../../parts/rendered.tsx'

/** The document. */
export function DocumentText({ item: { title, content_md, summary } }: { readonly item: Item }) {
  const text = String(content_md ?? '')
  const rendered = useSignal<Document | undefined>(undefined)
  useEffect(() => {
    let current = true
    void loadDocument('/render', {}, { text, as: 'markdown' }).then((document) => {
      if (current) rendered.value = document
    })
    return () => {
      current = false
    }
  }, [text])
  return (
    <>
      <h2>{String(title)}</h2>
      <Copy what="Markdown" text={text} />
      {typeof summary === 'string' && <p class="text">{summary}</p>}
      <div class="markdown">{rendered.value && <Rendered document={rendered.value} />}</div>
    </>
  )
}
