/** Values: an id as a link to what it is the id of, and indented JSON in colours, which can be focused and scrolled. */
import { hrefOf, type Params, type View } from '../state/address.ts'

const data = (kind: string) => (id: string) => ['data', { kind, id }] as const
const task = (id: string) => ['tasks', { task: id }] as const

/** Where each kind of id leads, by its prefix. */
const places: Readonly<Record<string, (id: string) => readonly [View, Params]>> = {
  org: (org) => ['overview', { org }],
  task,
  run: task,
  req: (q) => ['requests', { q }],
  artifact: data('creatives'),
  document: data('documents'),
  notification: data('notifications'),
  key: data('keys'),
  site: data('landing_pages'),
}

/** The id; null: nothing. `text`: what is shown instead of it. */
export function Id({ id, text }: { readonly id: string | null; readonly text?: string | undefined }) {
  const place = places[id?.split('_')[0] ?? '']
  return id !== null && place ? (
    <a class="number" href={hrefOf(...place(id))}>
      {text ?? id}
    </a>
  ) : (
    <code>{id}</code>
  )
}

export const Json = ({ value }: { readonly value: unknown }) => (
  <Code label="JSON" text={JSON.stringify(value, null, 2)} />
)

/** Longest text that is coloured. */
const longest = 20_000
/** A string, and the colon that makes it a key; or another value. */
const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null|-?\d[\d.eE+-]*)\b/g

/** A text as it is; JSON is coloured. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not preformatted.
    <pre tabIndex={0} role="group" aria-label={label}>
      {/^[[{]/.test(text) && text.length < longest ? coloured(text) : text}
    </pre>
  )
}

function coloured(text: string) {
  const parts = []
  let end = 0
  for (const found of text.matchAll(token)) {
    const [all, string, colon] = found
    const name = colon ? 'j-key' : string ? 'j-text' : 'j-value'
    parts.push(text.slice(end, found.index), <span class={name}>{all}</span>)
    end = found.index + all.length
  }
  return [...parts, text.slice(end)]
}
