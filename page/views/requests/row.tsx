/** One request in the list, in columns under a head. */
import { isRequest, type Row } from '../../model/fault-rule.ts'
import { durationOf, signed } from '../../parts/text.ts'
import { organizations } from '../../state/overview.ts'

/** The class of a status, for its colour. */
export const kindOf = (status: number): string => (status === 0 ? 's0' : `s${Math.floor(status / 100)}`)

/** What came of a request: its status; without one, what happened to the connection, and `lost` if it took effect. */
export const outcomeOf = ({
  status,
  wire,
  decided_by,
}: Pick<Row, 'status' | 'wire' | 'decided_by'>): string => {
  if (status !== 0) return String(status)
  return decided_by === 'state' && wire !== 'abandoned' ? 'lost' : (wire ?? 'none')
}

/** The head of the columns. */
export const RowHead = () => (
  <div class="list-head" aria-hidden="true">
    <span class="col-time">Time</span>
    <span class="col-method">Method</span>
    <span class="grow">Path</span>
    <span class="col-status">Status</span>
    <span class="col-error">Error</span>
    <span class="col-credits">Credits</span>
    <span class="col-duration">Took</span>
    <span class="col-fault">Fault</span>
    <span class="col-org">Organization</span>
  </div>
)

/** The row. */
export function RequestRow({ row }: { readonly row: Row | undefined }) {
  if (!row) return null
  const { number, at, method, path, status, error, reason, org_id, credits, duration_ms } = row
  const name = org_id === null ? '–' : (organizations.value.get(org_id)?.key_name ?? org_id)
  const time = (
    <span class="number muted col-time">
      {at.slice(11, 19)}
      <small>{at.slice(19, 23)}</small>
    </span>
  )
  if (!isRequest(number))
    return (
      <>
        {time}
        <span class="clip muted grow">
          Operator: {method} {path}
        </span>
        <span class="clip muted col-org">{name}</span>
      </>
    )
  const outcome = outcomeOf(row)
  const fault = reason && (/fault=([^;]*)/.exec(reason)?.[1] ?? 'fault')
  return (
    <>
      {time}
      <span class="col-method">{method}</span>
      <span class="clip grow" title={path}>
        {path.replace('/api/cli', '').replace(/[a-z]+_([0-9a-z]{4})[0-9a-z]{12}/, '$1…')}
      </span>
      <span class={`number status col-status clip ${kindOf(status)}`}>{outcome}</span>
      <span class="clip col-error" title={error ?? ''}>
        {error}
      </span>
      <span class={`number col-credits ${credits < 0 ? 'down' : 'up'}`}>
        {credits !== 0 && signed(credits)}
      </span>
      <span class="number muted col-duration">{durationOf(duration_ms)}</span>
      <span class="clip col-fault">
        {fault && (
          <span class="mark" title={reason ?? ''}>
            {fault}
          </span>
        )}
      </span>
      <span class="clip muted col-org">{name}</span>
    </>
  )
}
