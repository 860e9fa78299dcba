/** Values: an id as a link to its target, and indented JSON in colours, which can be focused and scrolled. */
import { hrefOf, type Params, type ViewId } from '../state/address.ts'

const data = (kind: string) => (id: string) => ['data', { kind, id }] as const
const task = (id: string) => ['tasks', { task: id }] as const

/** The view that an id links to, by its prefix. */
const places: Readonly<Record<string, (id: string) => readonly [ViewId, Params]>> = {
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

/** An id as a link to the resource that it names; empty if it is null. `text`: shown in place of the id. */
export function IdLink({ id, text }: { readonly id: string | null; readonly text?: string | undefined }) {
  const place = places[id?.split('_')[0] ?? '']
  return id !== null && place ? (
    <a class="number" href={hrefOf(...place(id))}>
      {text ?? id}
    </a>
  ) : (
    <code>{id}</code>
  )
}

/** A value as indented JSON in colours. */
export const JsonCode = ({ value }: { readonly value: unknown }) => (
  <CodeText label="JSON" text={JSON.stringify(value, null, 2)} />
)

/** Longest text that is coloured, characters. */
const longest = 20_000
/** The name of a field of JSON. */
const field = /("(?:[^"\\]|\\.)*"(?=:))/

/** A text shown literally; if it is JSON, the names of fields are coloured. */
export function CodeText({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not preformatted.
    <pre tabIndex={0} role="group" aria-label={label} dir="auto">
      {/^[[{]/.test(text) && text.length < longest
        ? text.split(field).map((part, place) =>
            place % 2 ? (
              <span key={place} class="j-key">
                {part}
              </span>
            ) : (
              part
            ),
          )
        : text}
    </pre>
  )
}
