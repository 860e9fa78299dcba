/** One request in the list. */
import type { Row } from '../../model/answers.ts'
import { timeOf } from '../../parts/text.ts'
import { organizations } from '../../state/overview.ts'

/** The class of a status, for its colour. */
export const kindOf = (status: number): string => (status === 0 ? 's0' : `s${Math.floor(status / 100)}`)

/** The row; what it leaves out on a narrow page is in the details. */
export function RequestRow({ row }: { readonly row: Row | undefined }) {
  if (!row) return null
  const { number, at, method, path, status, error, reason, org_id, operation } = row
  const name = org_id === null ? '–' : (organizations.value.get(org_id)?.key_name ?? org_id)
  return (
    <>
      <span class="number muted col-number">{number}</span>
      <span class="number muted col-time">{timeOf(at)}</span>
      <span class={`number status ${kindOf(status)}`}>{status === 0 ? 'none' : status}</span>
      <span class="col-method">{method}</span>
      <span class="clip grow" title={path}>
        {path.replace('/api/cli', '').replace(/(_[0-9a-z]{4})[0-9a-z]{12}/, '$1…')}
      </span>
      <span class="clip col-error">{error}</span>
      <span class="clip muted col-org">{name}</span>
      <span class="clip muted col-operation">{operation}</span>
      <span class="col-fault">
        {reason !== null && (
          <abbr title={reason} class="mark">
            fault
          </abbr>
        )}
      </span>
    </>
  )
}
