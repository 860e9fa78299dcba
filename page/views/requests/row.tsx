/** Requests in a list: its rows in columns under a head, the newest first. */
import type { ComponentChildren, ComponentProps } from 'preact'
import { actionTextOf, isRequestNumber, type LogRow } from '../../model/fault-rule.ts'
import { VirtualList } from '../../parts/list.tsx'
import { formatDuration, formatSignedNumber } from '../../parts/text.ts'
import { organizationsById } from '../../state/overview.ts'
import { requestLog } from '../../state/requests.ts'

/** The CSS class of a status, for its colour. */
export const statusClassOf = (status: number): string =>
  status === 0 ? 's0' : `s${Math.floor(status / 100)}`

/**
 * The outcome of a request in one word: its status or, without one, `lost` if the request took effect, and else what
 * happened to the connection.
 */
export const requestOutcomeText = ({
  status,
  wire,
  decided_by,
}: Pick<LogRow, 'status' | 'wire' | 'decided_by'>): string => {
  if (status !== 0) return String(status)
  return decided_by === 'state' && wire !== 'abandoned' ? 'lost' : (wire ?? 'none')
}

/** The columns: their class and their head. */
const columns = {
  'col-time': 'Time',
  'col-method': 'Method',
  grow: 'Path',
  'col-status': 'Status',
  'col-error': 'Error',
  'col-credits': 'Credits',
  'col-duration': 'Took',
  'col-fault': 'Fault',
  'col-org': 'Organization',
}

/** A cell: its classes, what it shows, and a longer text for those who point at it. */
type Cell = readonly [classes: string, shown: ComponentChildren, title?: string]

function cellsOf(row: LogRow): readonly Cell[] {
  const { number, at, method, path, status, error, reason, org_id, credits, duration_ms } = row
  const name = org_id === null ? '–' : (organizationsById.value.get(org_id)?.key_name ?? org_id)
  const time: Cell = ['number muted col-time', [at.slice(11, 19), <small key="ms">{at.slice(19, 23)}</small>]]
  const organization: Cell = ['clip muted col-org', name]
  if (!isRequestNumber(number)) {
    const says = `Operator: ${actionTextOf(row)}`
    return [time, ['clip muted grow', says, says], organization]
  }
  const fault = reason && (/fault=([^;]*)/.exec(reason)?.[1] ?? 'fault')
  return [
    time,
    ['col-method', method],
    ['clip grow', path.replace('/api/cli', '').replace(/[a-z]+_([0-9a-z]{4})[0-9a-z]{12}/, '$1…'), path],
    [`number status col-status clip ${statusClassOf(status)}`, requestOutcomeText(row)],
    ['clip col-error', error, error ?? ''],
    [`number col-credits ${credits < 0 ? 'down' : 'up'}`, credits !== 0 && formatSignedNumber(credits)],
    ['number muted col-duration', formatDuration(duration_ms)],
    ['clip col-fault', fault && <span class="mark">{fault}</span>, reason ?? ''],
    organization,
  ]
}

const RequestRow = ({ row }: { readonly row: LogRow | undefined }) =>
  row &&
  cellsOf(row).map(([classes, shown, title]) => (
    <span key={classes} class={classes} title={title}>
      {shown}
    </span>
  ))

interface ListProps extends Omit<ComponentProps<typeof VirtualList>, 'idOf' | 'row' | 'onChoose'> {
  /** Prefix of the ids of its rows. */
  readonly name: string
  readonly choose: (row: LogRow | undefined) => void
}

/** The list of requests that pass the filter: the oldest `count` of them, the newest of these first. */
export function RequestList({ name, choose, count, ...list }: ListProps) {
  const rowAt = (place: number) => requestLog.found[count - 1 - place]
  return (
    <>
      <div class="list-head" aria-hidden="true">
        {Object.entries(columns).map(([column, head]) => (
          <span key={column} class={column}>
            {head}
          </span>
        ))}
      </div>
      <VirtualList
        {...list}
        count={count}
        idOf={(place) => `${name}-${rowAt(place)?.number}`}
        row={(place) => <RequestRow row={rowAt(place)} />}
        onChoose={(place) => choose(rowAt(place))}
      />
    </>
  )
}
