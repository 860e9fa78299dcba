/** A value as indented JSON, which can be focused and scrolled. */

/** The value. */
export const Json = ({ value }: { readonly value: unknown }) => (
  <Code label="JSON" text={JSON.stringify(value, null, 2)} />
)

/** A text as it is. */
export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not preformatted.
    <pre tabIndex={0} role="group" aria-label={label}>
      {text}
    </pre>
  )
}
