/** A history in lanes, one for each organization, with what was possible before what contradicted it. */
import { layOut, type Moment } from '../../model/lanes.ts'

/** The lanes. */
export function HistoryLanes({ moments }: { readonly moments: readonly Moment[] }) {
  const { columns, names, boxes } = layOut(moments)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields.
    <div class="lanes" tabIndex={0} role="group" aria-label="History, one lane for each organization">
      <ol style={{ gridTemplateColumns: `repeat(${columns}, minmax(9rem, 1fr))` }}>
        {names.map(({ name, row, column }) => (
          <li key={name} class="lane-name" style={{ gridRow: row, gridColumn: column }}>
            {name}
          </li>
        ))}
        {boxes.map(({ row, column, ...box }, place) => (
          <li
            key={place}
            class={`box ${'possible' in box ? 'possible' : box.kind}`}
            style={{ gridRow: row, gridColumn: column }}
          >
            {'possible' in box ? (
              <>
                <strong>Possible before:</strong> {box.possible.join(' ')}
              </>
            ) : (
              <>
                <code class="break">{box.text}</code> {box.answer && <strong>{box.answer}</strong>}
              </>
            )}
          </li>
        ))}
      </ol>
    </div>
  )
}
