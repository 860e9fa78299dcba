/** A value as indented JSON in colours, which can be focused and scrolled. */

/** The value. */
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
