/** The filters of the list of requests. */
import { Choice } from '../../parts/form.tsx'
import { Search } from '../../parts/search.tsx'
import { amount } from '../../parts/text.ts'
import { change, param } from '../../state/address.ts'
import { organization } from '../../state/overview.ts'
import { vocabulary } from '../../state/vocabulary.ts'

/** Statuses to pick, any number of them. */
const statuses = ['2xx', '402', '404', '409', '429', '4xx', '5xx', 'lost', 'fault']

const times = [
  ['', 'any time'],
  ['60', 'last minute'],
  ['600', 'last 10 min'],
  ['3600', 'last hour'],
] as const

const none = { q: '', op: '', status: '', only: '', since: '', task: '' }

/** The filters; what they hold is part of the address. `shown` and `all`: how many requests pass, and how many there are. */
export function Filters({ shown, all }: { readonly shown: number; readonly all: number }) {
  const operations = vocabulary.value?.operations ?? []
  const picked = param('status').split(',').filter(Boolean)
  const toggle = (status: string) => {
    const left = picked.filter((one) => one !== status)
    change({ status: (left.length < picked.length ? left : [...picked, status]).join() })
  }
  return (
    <search aria-label="Filter requests">
      <div class="filters">
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
          label="Time"
          value={param('since')}
          options={times}
          onPick={(since) => change({ since })}
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
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields. */}
      <div class="chips" role="group" aria-label="Status">
        {statuses.map((status) => (
          <button
            key={status}
            type="button"
            class="small"
            aria-pressed={picked.includes(status)}
            onClick={() => toggle(status)}
          >
            {status}
          </button>
        ))}
        {param('task') !== '' && (
          <button type="button" class="small" aria-pressed onClick={() => change({ task: '' })}>
            task {param('task')} ×
          </button>
        )}
        <span class="muted number steady">
          {/* One text: of several, those behind would move as it grows. */}
          {`${amount(shown)} of ${amount(all)}`}
        </span>
        {Object.keys(none).some((name) => param(name) !== '') && (
          <button type="button" class="small" onClick={() => change(none)}>
            Clear
          </button>
        )}
      </div>
    </search>
  )
}
