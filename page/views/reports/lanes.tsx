/** A history in lanes, one for each organization, with what was possible before what contradicted it. */
import { layOut, type Moment } from '../../model/lanes.ts'

/** The lanes. */
export function HistoryLanes({ moments }: { readonly moments: readonly Moment[] }) {
  const { columns, names, boxes } = layOut(moments)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class="lanes" tabIndex={0} role="group" aria-label="History in lanes">
      <ol style={{ gridTemplateColumns: `repeat(${columns}, minmax(9rem, 1fr))` }}>
        {names.map(({ name, row, column }) => (
          <li key={name} class="lane-name" style={{ gridRow: row, gridColumn: column }}>
            {name}
          </li>
        ))}
        {boxes.map(({ row, column, kind, text, answer }, place) => (
          <li key={place} class={`box ${kind}`} style={{ gridRow: row, gridColumn: column }}>
            <code>{text}</code> <strong>{answer}</strong>
          </li>
        ))}
      </ol>
    </div>
  )
}
