/** Documents: the list, and one of them with its Markdown rendered. */
import { Markdown } from '../../markdown/markdown.tsx'
import { Card } from '../../parts/card.tsx'
import { Copy } from '../../parts/copy.tsx'
import { Field, Form, TextField, type Values } from '../../parts/form.tsx'
import { useListKeys } from '../../parts/list-keys.ts'
import { count, momentOf } from '../../parts/text.ts'
import { Toggle } from '../../parts/toggle.tsx'
import { VirtualList } from '../../parts/virtual-list.tsx'
import { change, goAfter, param } from '../../state/address.ts'
import { callApi } from '../../state/calls.ts'
import { moment } from '../../state/details.ts'
import { attempt } from '../../state/notices.ts'
import type { Shown } from './shown.ts'

/** A document as the control route shows it. */
interface Document {
  readonly id: string
  readonly title: string
  readonly kind: string | null
  readonly content_md: string | null
  readonly summary: string | null
  readonly folder_id: string | null
  readonly created_at: string
}

/** The list and the details. */
export function Documents({ all, org }: Shown) {
  const documents = all.documents as readonly object[] as readonly Document[]
  const active = documents.findIndex(({ id }) => id === param('id'))
  const choose = (place: number) => change({ id: documents[place]?.id }, { quiet: active >= 0 })
  useListKeys({ count: documents.length, active, choose })
  const document = documents[active]
  return (
    <div class="split">
      <Card title="Documents" aside={count(documents.length, 'document')}>
        {moment.value === '' && <NewDocument api_key={org.api_key} />}
        <VirtualList
          label="Documents"
          count={documents.length}
          active={active}
          idOf={(place) => `document-${place}`}
          onChoose={choose}
          row={(place) => (
            <>
              <span class="clip grow">{documents[place]?.title}</span>
              <span class="muted clip">{documents[place]?.folder_id}</span>
            </>
          )}
        />
      </Card>
      {document ? (
        <Reader document={document} />
      ) : (
        <p class="empty details" tabIndex={-1}>
          Choose a document.
        </p>
      )}
    </div>
  )
}

function Reader({ document }: { readonly document: Document }) {
  const { id, title, kind, content_md, summary, folder_id, created_at } = document
  const source = param('source') !== ''
  const facts = [id, kind, folder_id && `folder ${folder_id}`, momentOf(created_at)].filter(Boolean)
  return (
    <section class="card details" tabIndex={-1} aria-labelledby="document-title">
      <header>
        <h2 id="document-title">{title}</h2>
        <Toggle label="Source" on={source} set={(on) => change({ source: on ? 1 : undefined })} />
        <Copy what="Markdown" text={content_md ?? ''} />
      </header>
      <p class="muted">{facts.join(' · ')}</p>
      {summary !== null && <p class="text">{summary}</p>}
      {source ? <pre>{content_md}</pre> : <Markdown text={content_md ?? ''} />}
    </section>
  )
}

function NewDocument({ api_key }: { readonly api_key: string }) {
  const create = (values: Values) =>
    attempt('Create a document', () =>
      goAfter(callApi<{ item: { id: string } }>({ api_key }, 'POST /documents', values), ({ item }) =>
        change({ id: item.id }),
      ),
    )
  return (
    <details>
      <summary>New document</summary>
      <Form label="New document" usual={{ title: 'Notes' }} button="Create" submit={create}>
        <Field name="title" label="Title" placeholder="Notes" />
        <Field name="folder_id" label="Folder" size={8} />
        <TextField name="content_md" label="Markdown" rows={5} />
      </Form>
    </details>
  )
}
