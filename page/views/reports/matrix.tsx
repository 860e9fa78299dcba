/** A client under every fault at every request, as a table; a cell opens what happened in it. */
import type { FaultCell, FaultMatrix } from '#client-tests/client-report.ts'
import { CopyLine } from '../../parts/copy.tsx'
import { change, param } from '../../state/address.ts'

const marks: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', warned: '!' }

/** The table and the open cell. */
export function MatrixTable({
  matrix: { faults, requests, cells, others },
}: {
  readonly matrix: FaultMatrix
}) {
  const cell = [...cells, ...others].find(({ id }) => id === param('cell'))
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="scroll-x" tabIndex={0} role="group" aria-label="Every fault at every request">
        <table class="matrix">
          <thead>
            <tr>
              <td />
              {faults.map(({ id, title }) => (
                <th key={id} scope="col" title={title}>
                  {id}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {requests.map((request) => (
              <tr key={request}>
                <th scope="row">{request}</th>
                {faults.map(({ id }) => (
                  <td key={id}>
                    <CellButton cell={cells.find((one) => one.request === request && one.fault === id)} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="row">
        {others.map((one) => (
          <CellButton key={one.id} cell={one} named />
        ))}
      </p>
      {cell && <CellDetails cell={cell} />}
    </>
  )
}

function CellButton({
  cell,
  named = false,
}: {
  readonly cell: FaultCell | undefined
  readonly named?: boolean
}) {
  if (!cell) return null
  const { id, fault, request, outcome } = cell
  return (
    <button
      type="button"
      class={`small ${outcome}`}
      aria-label={`${marks[outcome] ?? '–'} ${named ? id : `${request} ${fault}`}: ${outcome}`}
      aria-pressed={param('cell') === id}
      onClick={() => change({ cell: param('cell') === id ? undefined : id })}
    >
      {marks[outcome] ?? '–'} {named && id}
    </button>
  )
}

function CellDetails({
  cell: { id, outcome, violations, end, repeat, trace },
}: {
  readonly cell: FaultCell
}) {
  return (
    <section class="entry" aria-label={id}>
      <p>
        <strong>{id}</strong> <span class={`tag ${outcome}`}>{outcome}</span> {end}
      </p>
      {violations.map(({ id: rule, what }) => (
        <p key={rule}>
          <strong>{rule}</strong>: {what}
        </p>
      ))}
      <CopyLine what="repeat" text={repeat} />
      <ol class="steps">
        {trace.map(({ request_id, method, path, answer }) => (
          <li key={request_id}>
            <code class="break">
              {method} {path} → {answer}
            </code>
          </li>
        ))}
      </ol>
    </section>
  )
}
