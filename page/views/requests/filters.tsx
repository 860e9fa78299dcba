/** The filters of the list of requests. */
import { Choice } from '../../parts/form.tsx'
import { Search } from '../../parts/search.tsx'
import { change, param } from '../../state/address.ts'
import { organization } from '../../state/overview.ts'
import { vocabulary } from '../../state/vocabulary.ts'

const statuses = [
  ['', 'any status'],
  ['2xx', '2xx'],
  ['4xx', '4xx'],
  ['5xx', '5xx'],
  ['0', 'no answer'],
  ['fault', 'changed by a fault'],
  ...['401', '402', '404', '409', '429', '503'].map((status) => [status, status] as const),
] as const

/** The filters; what they hold is part of the address. */
export function Filters() {
  const operations = vocabulary.value?.operations ?? []
  return (
    <search class="filters" aria-label="Filter requests">
      <Search label="Search requests" />
      <Choice
        quiet
        label="Operation"
        value={param('op')}
        options={[['', 'any operation'], ...operations.map(({ id }) => [id, id] as const)]}
        onPick={(op) => change({ op })}
      />
      <Choice
        quiet
        label="Status"
        value={param('status')}
        options={statuses}
        onPick={(status) => change({ status })}
      />
      <Choice
        quiet
        label="Of"
        value={param('only')}
        options={[
          ['', 'all organizations'],
          ['1', organization.value?.key_name ?? 'this organization'],
        ]}
        onPick={(only) => change({ only })}
      />
    </search>
  )
}
